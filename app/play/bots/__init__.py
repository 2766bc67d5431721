"""The computer players of the server: their moves, hints and evaluations."""
