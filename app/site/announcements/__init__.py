"""Announcements: what administrators tell everybody, as a banner on every page until it ends."""
