"""Standings and pairings as programs see them."""

from typing import Any

from pydantic import BaseModel, ConfigDict

from app.compete.tournaments.queries.pairings import PairingInfo
from app.compete.tournaments.queries.standings import PlayerStanding
from app.core.database.ranking import RankedPage
from engine.tournaments.arena import STREAK

_STANDING: dict[str, Any] = {
    "rank": 1,
    "username": "wren",
    "is_computer": False,
    "rating": 1612,
    "group": 0,
    "points": 14.0,
    "tie_breaks": [5.0],
    "games": 6,
    "wins": 5,
    "on_fire": True,
    "status": "active",
    "game_id": "x3p8mk2rtz",
}
_PAIRING: dict[str, Any] = {
    "round": 1,
    "board": 1,
    "leg": 1,
    "group": 0,
    "first": "wren",
    "second": "robin",
    "game_id": "x3p8mk2rtz",
    "outcome": "first",
    "is_played": True,
}


class StandingShown(BaseModel):
    """A row of the standings.

    The tie-breaks of a Swiss tournament are Buchholz cut 1, Buchholz, Sonneborn-Berger, head to head and
    wins; those of a round robin the last three; that of an arena the wins. `on_fire`: points count double.
    A closed account whose results stay has no `username`.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [_STANDING]})

    rank: int
    username: str | None
    is_computer: bool
    rating: int
    group: int
    points: float
    tie_breaks: list[float]
    games: int
    wins: int
    on_fire: bool
    status: str
    game_id: str | None

    @classmethod
    def of(cls, row: PlayerStanding) -> "StandingShown":
        """Return a row of the standings as the API shows it."""
        return cls(
            rank=row.rank,
            username=row.username,
            is_computer=row.is_computer,
            rating=row.rating,
            group=row.group,
            points=row.points,
            tie_breaks=list(row.tie_breaks),
            games=row.games,
            wins=row.wins,
            on_fire=row.streak >= STREAK,
            status=row.status,
            game_id=row.game_id,
        )


class Standings(BaseModel):
    """A page of the standings, and the cursor of the next one."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"rows": [_STANDING], "next": None}]})

    rows: list[StandingShown]
    next: str | None

    @classmethod
    def of(cls, page: RankedPage[PlayerStanding]) -> "Standings":
        """Return a page of the standings as the API shows it."""
        return cls(rows=[StandingShown.of(row) for row in page.rows], next=page.next)


class PairingShown(BaseModel):
    """A pairing, in the order of the sides; `second` null is a bye.

    `outcome` is first, second (who has won), draw or neither, and null until it is decided. `is_played` is
    false if a player did not turn up.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [_PAIRING]})

    round: int
    board: int
    leg: int
    group: int
    first: str
    second: str | None
    game_id: str | None
    outcome: str | None
    is_played: bool

    @classmethod
    def of(cls, pairing: PairingInfo) -> "PairingShown":
        """Return a pairing as the API shows it."""
        return cls(
            round=pairing.round,
            board=pairing.board,
            leg=pairing.leg,
            group=pairing.group,
            first=pairing.first.username,
            second=pairing.second.username if pairing.second else None,
            game_id=pairing.game_id,
            outcome=pairing.outcome,
            is_played=pairing.is_played,
        )


class Rounds(BaseModel):
    """The pairings of a tournament by rounds; of an arena, the latest ones."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"pairings": [_PAIRING]}]})

    pairings: list[PairingShown]
