"""Searches for short records as something to watch: what `gorrion solve --report` tells of them."""
