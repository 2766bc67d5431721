"""Mail: the addresses of accounts, the messages to them, and sending these by SMTP."""
