"""Searches for short records as something to watch."""
