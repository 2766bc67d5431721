"""Chat beside a game (a room for its players, one for its spectators), and what tournaments use of it."""
