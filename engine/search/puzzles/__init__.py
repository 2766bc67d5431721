"""Finding puzzles in games of players and of the computer, and proving that they have one solution."""
