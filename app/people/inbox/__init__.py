"""What happened to an account: its list of notifications, and what is sent to it by mail and the like."""
