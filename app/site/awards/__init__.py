"""Achievements of players, each with the game or entry that proves it."""
