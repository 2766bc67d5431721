"""Why a try at a puzzle is wrong: how it would be answered, and what it costs."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from app.core.jobs.queue import Asker, BusyError, FailedError, TooManyJobsError
from app.play.bots.service import Evaluations, Weighed
from engine.game import Game
from engine.puzzles.puzzle import Attempt, Puzzle
from engine.registry import FOR_TWO
from engine.search.player import EvaluatedMove


@dataclass(frozen=True, slots=True)
class Refutation:
    """A wrong move, with the position after it and the reply to it.

    `own` and `best` are the scores, the player's first, after the move and after the best one, each with its
    reply.
    """

    weighed: Weighed
    position: Any
    own: tuple[float, float]
    best: tuple[float, float]


class Refutations:
    """Finds out why tries are wrong."""

    def __init__(self, evaluations: Evaluations) -> None:
        self._evaluations = evaluations

    async def of(self, asker: Asker, puzzle: Puzzle, made: Attempt) -> Refutation | None:
        """Return why the last move of an attempt is wrong, for a caller that has looked at fair play.

        Return None in a game for one, and while no worker can say.
        """
        rules = FOR_TWO.get(puzzle.game)
        if rules is None or made.is_solved or not made.line:
            return None
        *before, move = made.line
        position = puzzle.start
        for each in before:
            position = rules.play(position, each)
        with suppress(BusyError, FailedError, TooManyJobsError):
            best = puzzle.solution[len(before)]
            weighed = await self._evaluations.weigh(asker, rules, position, move, best=best)
            after = _after(rules, position, weighed.played)
            side, of_best = rules.side_to_move(position), _after(rules, position, weighed.best)
            return Refutation(weighed, after, _score(rules, after, side), _score(rules, of_best, side))
        return None


def _after(rules: Game[Any], position: Any, move: EvaluatedMove) -> Any:
    """Return the position after a move and the reply to it."""
    for each in (move.move, *move.line[:1]):
        position = rules.play(position, each)
    return position


def _score(rules: Game[Any], position: Any, side: str | None) -> tuple[float, float]:
    """Return the score of a side and that of the other one."""
    score = rules.score(position)
    (other,) = (each for each in rules.sides if each != side)
    return score[side or other], score[other]
