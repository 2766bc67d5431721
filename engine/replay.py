"""Replaying a game from its moves."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.game import (
    ExplainedError,
    Game,
    IllegalMove,
    MoveSyntaxError,
    PositionT,
    Score,
    Side,
    Termination,
    shortened,
)


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome and the final score of a game; `winner` is None for a draw or a solitaire game."""

    winner: Side | None
    termination: Termination
    score: Score


@dataclass(frozen=True, slots=True)
class Replay:
    """A game after its last move. `position` is a string; `result` is None while the game is in progress."""

    position: str
    ply: int
    side_to_move: Side | None
    legal_moves: list[str]
    score: Score
    result: Result | None


class ReplayError(ExplainedError):
    """A move of a replay cannot be played.

    `ply` counts from 1. `reason` is that of the IllegalMove, or `move_syntax` for text that is not a move.
    """

    def __init__(self, reason: str, message: str, *, ply: int, move: str, why: ExplainedError) -> None:
        super().__init__(message, ply=ply, move=shortened(move), why=why)
        self.ply = ply
        self.move = move
        self.reason = reason


def positions(game: Game[PositionT], options: Mapping[str, int], moves: Iterable[str]) -> Iterator[PositionT]:
    """Yield the starting position, then the position after each move.

    Raise ReplayError at the first move that cannot be played, and ValueError for invalid options.
    """
    position = game.initial(options)
    yield position
    for ply, move in enumerate(moves, start=1):
        position = played(game, position, ply, move)
        yield position


def played(game: Game[PositionT], position: PositionT, ply: int, move: str) -> PositionT:
    """Return the position after the move of a ply. Raise ReplayError."""
    try:
        return game.play(position, move)
    except (IllegalMove, MoveSyntaxError) as error:
        reason = error.reason if isinstance(error, IllegalMove) else "move_syntax"
        raise ReplayError(reason, "Ply %(ply)s, %(move)s: %(why)s", ply=ply, move=move, why=error) from error


def replay(game: Game[Any], options: Mapping[str, int], moves: Iterable[str]) -> Replay:
    """Return the game after all moves were played from the starting position.

    Raise ReplayError at the first move that cannot be played, and ValueError for invalid options.
    """
    *_, (ply, position) = enumerate(positions(game, options, moves))
    score, outcome = game.score(position), game.outcome(position)
    return Replay(
        position=game.format(position),
        ply=ply,
        side_to_move=game.side_to_move(position),
        legal_moves=game.legal_moves(position),
        score=score,
        result=Result(outcome.winner, outcome.termination, score) if outcome else None,
    )
