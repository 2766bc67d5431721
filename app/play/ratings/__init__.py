"""Ratings by game, their history and their leaderboards."""
