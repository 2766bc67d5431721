"""Searches for good play. They use the rules; the rules do not depend on them."""
