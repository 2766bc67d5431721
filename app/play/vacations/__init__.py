"""Vacations: times in which the clocks of an account's correspondence games stand still."""
