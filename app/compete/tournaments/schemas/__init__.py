"""Tournaments as the JSON API accepts and returns them."""
