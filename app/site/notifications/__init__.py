"""Notifications of an account: challenges to it, games that start and end, its turns."""
