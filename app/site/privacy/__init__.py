"""A person's data: exporting it, and erasing it after the account has been closed."""
