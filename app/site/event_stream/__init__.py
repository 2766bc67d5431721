"""What concerns an account: the stream of events for programs, and the header of every page."""
