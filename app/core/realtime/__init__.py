"""Events to open pages and programs, and who is connected."""
