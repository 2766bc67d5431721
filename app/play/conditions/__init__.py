"""Conditional moves: answers that a player decides beforehand and the server plays."""
