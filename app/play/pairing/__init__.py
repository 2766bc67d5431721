"""Pairing: players who look for any of several games are paired with the first who fits."""
