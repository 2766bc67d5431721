"""Nugget of the day: one board for everybody."""
