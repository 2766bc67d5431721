"""Dumps: what is public on the server, for everybody to download every day and to load elsewhere."""
