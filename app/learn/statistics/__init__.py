"""What has been played: the explorer of positions, and statistics of players and of the site."""
