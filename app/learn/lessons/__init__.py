"""Lessons: a course on the board for each game."""
