"""Tournaments: arenas, Swiss, round robins, knock-outs and simultaneous games."""
