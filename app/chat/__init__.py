"""Chat beside a game: one room for its players, one for its spectators."""
