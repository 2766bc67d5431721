"""Games for one: starting them, and races at them."""
