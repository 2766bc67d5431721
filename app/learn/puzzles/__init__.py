"""Puzzles: positions with one best line, solved one after the other."""
