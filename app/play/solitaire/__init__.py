"""Solitaire games, and races at them."""
