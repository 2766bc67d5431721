"""Accounts as their owners see them: registration, log-in, settings, API tokens, closing."""
