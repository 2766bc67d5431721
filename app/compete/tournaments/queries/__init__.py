"""Tournaments read from the database."""
