"""Computer players and solvers; they know the rules through the engine, and are checked against it."""
