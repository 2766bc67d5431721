"""Ladders: a standing order of the players of each game for two, who challenge those above them."""
