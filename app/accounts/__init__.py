"""People: guests, registration, sessions, tokens."""
