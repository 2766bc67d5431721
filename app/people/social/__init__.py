"""What players are to each other: following, muting and blocking."""
