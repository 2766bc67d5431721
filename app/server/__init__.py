"""What runs: the web server, its workers, the command line, operations."""
