"""What every page and route shares."""
