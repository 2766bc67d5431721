"""The computer players of the server: their moves, their hints, and what they make of a position."""
