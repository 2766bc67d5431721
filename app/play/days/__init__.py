"""Boards of the day: what the games that have them share."""
