"""Examples for the descriptions of the API."""

from typing import Any

_UNRATED = {"rating": None, "provisional": None, "is_computer": False, "vacation_until": None}
SNAPSHOT: dict[str, Any] = {
    "id": "k7m2wq9xab",
    "game": "jadejack",
    "options": {"size": 9},
    "status": "started",
    "players": {
        "black": {"username": "wren", **_UNRATED},
        "white": {"username": "guest-3f9a01c2", **_UNRATED},
    },
    "ply": 1,
    "first_ply": 0,
    "side_to_move": "white",
    "position": "9/9/9/9/9/2b6/9/9/9 w 0",
    "legal_moves": ["a1", "b1", "pass"],
    "score": {"black": 4, "white": 1.5},
    "last_move": "c4",
    "clock": None,
    "periods": None,
    "deadline": None,
    "time_control": None,
    "rated": False,
    "tournament": None,
    "voided": False,
    "takeback": None,
    "takeback_to": None,
    "pause": None,
    "paused_until": None,
    "undos": 0,
    "submitted": False,
    "moves": ["c4"],
    "spent": [None],
    "played_at": ["2026-11-21T10:00:00Z"],
    "result": None,
    "version": 1,
}
"""A game after its first move."""
