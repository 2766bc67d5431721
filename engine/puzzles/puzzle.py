"""Puzzles as values, and what the moves of a player make of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.puzzles.rules import RULES, PuzzleRules
from engine.puzzles.themes import Theme


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with one best line.

    In a game for two, `solution` alternates the player's moves and the replies to them; it ends with one of
    the player's. `rating` is an estimate of the difficulty, on the scale of players.
    """

    game: str
    position: str
    solution: tuple[str, ...]
    themes: tuple[Theme, ...]
    rating: int

    @property
    def rules(self) -> PuzzleRules:
        """Return the rules of the game."""
        return RULES[self.game]

    @property
    def start(self) -> Any:
        """Return the position as a value."""
        return self.rules.parse(self.position)


@dataclass(frozen=True, slots=True)
class Attempt:
    """How far a player has come: the line with the replies, the position after it, and the verdict.

    `is_solved` is None while more moves are needed.
    """

    line: tuple[str, ...]
    position: Any
    is_solved: bool | None
    reply: str | None = None
    """The opponent's answer to the last move, if it was right and there is more to come."""


def given_up(puzzle: Puzzle) -> Attempt:
    """Return what giving up makes of a puzzle."""
    return Attempt((), puzzle.start, is_solved=False)


def attempt(puzzle: Puzzle, moves: Sequence[str]) -> Attempt:
    """Return what a player's moves make of a puzzle; moves after the verdict are ignored.

    In a game for two, each move is judged at once, and the replies follow by themselves. Alone, a player may
    try lines: only as many moves as the solution has, or the end of the game, bring the verdict.
    Raise MoveSyntaxError or IllegalMove.
    """
    rules = puzzle.rules
    position = puzzle.start
    line: tuple[str, ...] = ()
    reply = None
    for move in moves:
        position = rules.play(position, move)
        line = (*line, move)
        if len(rules.sides) == 1:
            is_over = len(line) == len(puzzle.solution) or rules.side_to_move(position) is None
        else:
            is_over = len(line) == len(puzzle.solution) or line != puzzle.solution[: len(line)]
        if is_over:
            return Attempt(line, position, line == puzzle.solution)
        if len(rules.sides) == 2:
            reply = puzzle.solution[len(line)]
            position = rules.play(position, reply)
            line = (*line, reply)
    return Attempt(line, position, None, reply)
