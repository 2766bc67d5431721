"""Gorrion: the web application around the engine."""
