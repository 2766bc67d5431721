"""Reports of players, and what moderators do about them."""
