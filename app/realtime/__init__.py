"""Telling open pages and programs what has changed."""
