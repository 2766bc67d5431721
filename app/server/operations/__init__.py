"""What operators do with a running or stopped server: look at it, back it up, restore and check it."""
