"""Nugget of the day."""
