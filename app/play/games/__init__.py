"""Games: their state, their storage, and every way to look at them and play them."""
