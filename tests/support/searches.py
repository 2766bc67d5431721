"""Searches of programs for any of several games."""

from tests.support.games import BLITZ

SLOW = {"kind": "realtime", "limit": 1800, "increment": 20}


def wanted(*sizes, game="jadejack", clocks=(BLITZ,)):
    """Return the games on some boards with some clocks."""
    return [
        {"game": game, "options": {"size": size}, "time_control": clock} for size in sizes for clock in clocks
    ]


def search(player, games, **limits):
    """Look for any of some games, and return the answer."""
    return player.http.put("/me/search", json={"wanted": games, **limits})


def own(player):
    """Return what a player looks for, or looked for last."""
    return player.http.get("/me/search").json()
