"""Puzzles: positions with one best line, their themes, and what a player's moves make of them."""
