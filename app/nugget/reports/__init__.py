"""What the final report of a competition has besides its ranking: films, records and methods."""
