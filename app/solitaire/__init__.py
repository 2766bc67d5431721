"""Games for one player, and races at them."""
