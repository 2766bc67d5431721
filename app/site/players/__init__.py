"""Profiles of players, and lists of their games."""
