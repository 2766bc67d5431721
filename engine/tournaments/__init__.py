"""Pairing and scoring of tournaments, as pure functions of what was played."""
