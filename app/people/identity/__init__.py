"""Who is asking: accounts, sessions, API tokens, and the dependencies that identify a request."""
