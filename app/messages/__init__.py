"""Messages between two players."""
