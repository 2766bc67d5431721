"""Competitions between players: tournaments, ladders, teams."""
