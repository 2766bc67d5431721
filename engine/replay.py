"""Replaying a game from its moves."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.game import Game, IllegalMove, MoveSyntaxError, Score, Side, Termination


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended by its own rules, with the final score; winner None is a draw or a solitaire game."""

    winner: Side | None
    termination: Termination
    score: Score


@dataclass(frozen=True, slots=True)
class Replay:
    """A game after its last move, `position` as a string; `result` is None while the game goes on."""

    position: str
    ply: int
    side_to_move: Side | None
    legal_moves: list[str]
    score: Score
    result: Result | None


class ReplayError(ValueError):
    """The first move of a replay that cannot be played.

    `ply` counts from 1; `reason` is that of the IllegalMove, or `move_syntax` for text that is no move.
    """

    def __init__(self, ply: int, move: str, reason: str, message: str) -> None:
        super().__init__(f"Ply {ply}, {move}: {message}")
        self.ply = ply
        self.move = move
        self.reason = reason


def replay(game: Game[Any], options: Mapping[str, int], moves: Iterable[str]) -> Replay:
    """Play the moves from the start of a game and give where they lead.

    Raises ReplayError at the first move that is illegal or unreadable, and ValueError for unfit options.
    """
    position = game.initial(options)
    ply = 0
    for ply, move in enumerate(moves, start=1):
        try:
            position = game.play(position, move)
        except IllegalMove as error:
            raise ReplayError(ply, move, error.reason, str(error)) from error
        except MoveSyntaxError as error:
            raise ReplayError(ply, move, "move_syntax", str(error)) from error
    score, outcome = game.score(position), game.outcome(position)
    return Replay(
        position=game.format(position),
        ply=ply,
        side_to_move=game.side_to_move(position),
        legal_moves=game.legal_moves(position),
        score=score,
        result=Result(outcome.winner, outcome.termination, score) if outcome else None,
    )
