"""Standings and pairings as programs see them."""

from typing import Annotated

from pydantic import BaseModel

from app.compete.tournaments.queries.pairings import PairingInfo
from app.compete.tournaments.queries.standings import PlayerStanding
from app.core.database.ranking import RankedPage
from app.core.web.shown import GameId, NextCursor, Opponent, Rating, Username, example
from engine.tournaments.arena import STREAK


class StandingShown(BaseModel):
    """A row of the standings.

    The tie-breaks of a Swiss tournament are Buchholz cut 1, Buchholz, Sonneborn-Berger, head to head and
    wins; those of a round robin the last three; that of an arena the wins. `on_fire`: points count double.
    A closed account whose results stay has no `username`.
    """

    rank: int
    username: Username | None
    is_computer: bool
    rating: Rating
    group: int
    points: float
    tie_breaks: list[float]
    games: int
    wins: int
    on_fire: bool
    status: Annotated[str, example("active")]
    game_id: GameId | None

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

    rows: list[StandingShown]
    next: NextCursor | None

    @classmethod
    def of(cls, page: RankedPage[PlayerStanding]) -> "Standings":
        """Return a page of the standings as the API shows it."""
        return cls(rows=[StandingShown.of(row) for row in page.rows], next=page.next)


class PairingShown(BaseModel):
    """A pairing, in the order of the sides; `second` null is a bye.

    `outcome` is first, second (who has won), draw or neither, and null until it is decided. `is_played` is
    false if a player did not turn up.
    """

    round: int
    board: int
    leg: int
    group: int
    first: Username
    second: Opponent | None
    game_id: GameId | None
    outcome: Annotated[str, example("first")] | None
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

    pairings: list[PairingShown]
