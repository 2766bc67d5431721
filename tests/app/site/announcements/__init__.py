"""Tests of app.site.announcements."""
