"""Leaderboards as the JSON API returns them."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Annotated

from app.core.web.params import RankedList
from app.core.web.shown import GameId, Shown, Username, example
from app.play.ratings.schemas import RoundedRating

Figure = Annotated[int | None, example(28)]


class RatedPlayer(Shown):
    """One row of a leaderboard. A closed account whose results stay has no `username`."""

    rank: int | None
    username: Username | None
    rating: RoundedRating
    deviation: int
    games: int


class RatedPlayers(RankedList[RatedPlayer]):
    """A page of a leaderboard, and the cursor of the next one."""


class BestScore(Shown):
    """One row of a solitaire's leaderboard; among equal points the smaller `tie_break` is better.

    A closed account whose results stay has no `username`.
    """

    rank: int
    username: Username | None
    points: int
    tie_break: int
    undos: int
    submitted_at: datetime
    game_id: GameId


class BestScores(RankedList[BestScore]):
    """A page of the best scores, and the cursor of the next one."""

    size: int


class FoundGame(Shown):
    """A game that the searches found: its squares in the order of their numbers.

    `value` is its score, or in a round for two with best play the lead of the first side.
    """

    size: int
    value: int
    tie_break: Annotated[int | None, example(7)]
    cells: Annotated[Sequence[str], example(["b2", "a1", "c1"])]
    found_on: Annotated[date, example("2026-11-27")]


class KnownScore(Shown):
    """What is known of a solitaire on a board: the best score, and the highest that the rules allow.

    `proof` is why no score is better: `bound` (it is the ceiling), `exhaustive_search`, null if that is
    open. In a game with a tie-break there is the same of the smallest
    one. `found` is the best game of the searches, `by` that of the players.
    """

    size: int
    best: Figure
    ceiling: Figure
    proof: Annotated[str | None, example("bound")]
    tie_break: Annotated[int | None, example(7)]
    least_tie_break: Annotated[int | None, example(6)]
    tie_break_proof: Annotated[str | None, example("exhaustive_search")]
    found: FoundGame | None
    by: BestScore | None


class KnownScores(Shown):
    """What is known of a number game: the scores of its solitaire, and rounds for two with best play."""

    boards: Sequence[KnownScore]
    rounds: Sequence[FoundGame]
