"""Matches between programs: each opening is played twice, with exchanged sides, until the result is clear.

A program is named `plain` (see `plain`), or is a level of the computer, whose skill may be changed, such as
`8:budget=100000,width=6`.
"""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields, replace
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from engine.game import Game as Rules
from engine.registry import FOR_TWO
from engine.search import computer, plain
from engine.search.player import Skill

Chooser = Callable[[Any, int], str]
"""Chooses the move in a position; the number is a seed, the same in all of a game."""

_KINDS: Mapping[type, Callable[[str], Any]] = {
    int: int,
    float: float,
    str: str,
    bool: {"True": True, "False": False}.__getitem__,
}
"""How the values of a skill are read."""

_LONGEST = 2_000  # plies
_CONFIDENT = 1.96  # standard deviations: 95 %
_CLEAR = math.log(0.95 / 0.05)  # of two scores, one is so much likelier: errors of 5 %


class Game(NamedTuple):
    """A game: the points of the first program (1, 0.5 or 0), the plies, and how both programs thought."""

    points: float
    plies: int
    seconds: tuple[float, float]
    moves: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Result:
    """The points a game of the first program, with the interval that holds the true ones at 95 %.

    `elo` is the difference in strength that such points mean. `verdict` is the one of two scores that the
    match was to decide between, or None if it has not. `seconds` are those of a move of each program.
    """

    games: int
    points: float
    interval: tuple[float, float]
    elo: float
    verdict: float | None
    plies: float
    seconds: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Match:
    """Two programs that play a game with these options, from random openings of so many plies.

    It ends when one of the two `scores` is clearly likelier than the other: a sequential probability ratio
    test with errors of 5 %.
    """

    game: str
    options: Mapping[str, int]
    first: str
    second: str
    seed: int = 1
    opening: int = 4
    scores: tuple[float, float] | None = None

    def results(self, games: int, jobs: int = 1) -> Iterator[Result]:
        """Yield the result after each pair of games.

        Each opening is played twice, so the games are an even number. Raise ValueError if a program is none,
        or the game has no such options, and OSError if a program has no file.
        """
        for program in (self.first, self.second):
            chooser(self.game, program)
        FOR_TWO[self.game].initial(self.options)
        played: list[Game] = []
        for pair in _in_order(self.pair, games // 2, jobs):
            played += pair
            result = result_of(played, self.scores)
            yield result
            if result.verdict is not None:
                return

    def pair(self, number: int) -> tuple[Game, Game]:
        """Play the games of an opening, the first program on both sides."""
        return self._game(number, 0), self._game(number, 1)

    def _game(self, number: int, ours: int) -> Game:
        rules, generator = FOR_TWO[self.game], Random(f"{self.seed} {number}")  # noqa: S311 - nothing secret
        programs = [chooser(self.game, program) for program in (self.first, self.second)]
        # Each game has its own seeds: a program whose form varies would else play both games alike.
        seeds = [Random(f"{self.seed} {number} {ours} {player}").getrandbits(32) for player in (0, 1)]  # noqa: S311
        position, seconds, moves = rules.initial(self.options), [0.0, 0.0], [0, 0]
        for ply in range(_LONGEST):
            side = rules.side_to_move(position)
            if side is None:
                break
            if ply < self.opening:
                move = opening_move(rules, position, generator)
            else:
                player = int(side != rules.sides[ours])
                began = time.perf_counter()
                move = programs[player](position, seeds[player])
                seconds[player] += time.perf_counter() - began
                moves[player] += 1
            position = rules.play(position, move)
        score = rules.score(position)
        lead = sum(points if side == rules.sides[ours] else -points for side, points in score.items())
        points = 0.5 if lead == 0 else float(lead > 0)
        return Game(points, ply, (seconds[0], seconds[1]), (moves[0], moves[1]))


def opening_move(rules: Rules[Any], position: Any, generator: Random) -> str:
    """Return a random move, and no pass if there is another one."""
    legal = rules.legal_moves(position)
    return generator.choice([move for move in legal if move != "pass"] or legal)


def _values(skill: Skill, changes: str) -> dict[str, Any]:
    """Return the changes of a skill that a text describes. Raise ValueError or KeyError for other texts."""
    kinds = {field.name: _KINDS[type(getattr(skill, field.name))] for field in fields(skill)}
    texts = dict(change.split("=") for change in changes.split(",") if change)
    return {name: kinds[name](text) for name, text in texts.items()}


def chooser(game: str, program: str) -> Chooser:
    """Return what chooses the moves of a program. Raise ValueError or OSError if it is none."""
    rules = FOR_TWO[game]
    if program == "plain":
        return lambda position, seed: plain.choose(rules, position, seed)
    level, _, changes = program.partition(":")
    searcher = computer.searcher(rules)
    try:
        skill = searcher.levels[int(level)]
        changed = _values(skill, changes)
    except (ValueError, KeyError):
        raise ValueError(
            f"{program!r} is no program: write plain, or a level of the computer, such as 5 or 5:budget=1000."
        ) from None
    try:
        skill = replace(skill, **changed)
    except ValueError as error:
        raise ValueError(f"{program!r} is no program: {error}") from None
    return lambda position, seed: searcher.choose(position, skill, seed, skill.seconds).move


def elo(points: float) -> float:
    """Return the difference in strength that so many points a game mean."""
    points = min(max(points, 0.001), 0.999)
    return 400 * math.log10(points / (1 - points))


def _in_order(play: Callable[[int], tuple[Game, Game]], pairs: int, jobs: int) -> Iterator[tuple[Game, Game]]:
    """Yield what pairs of games brought, in order, so that the result does not depend on the jobs."""
    if jobs == 1:
        yield from map(play, range(pairs))
        return
    with ProcessPoolExecutor(jobs) as pool:
        numbers = iter(range(pairs))
        waiting = [pool.submit(play, number) for number in islice(numbers, 2 * jobs)]
        try:
            while waiting:
                yield waiting.pop(0).result()
                waiting += [pool.submit(play, number) for number in islice(numbers, 1)]
        finally:
            pool.shutdown(cancel_futures=True)


def result_of(games: Sequence[Game], scores: tuple[float, float] | None) -> Result:
    """Return the result of pairs of games.

    The two games of an opening depend on each other, so their mean counts as one observation. One more won
    and one more lost pair keep the variance of a few equal results from being 0.
    """
    pairs = [(one.points + other.points) / 2 for one, other in zip(games[::2], games[1::2], strict=True)]
    points = sum(pairs) / len(pairs)
    count, smooth = len(pairs) + 2, [*pairs, 0.0, 1.0]
    mean = sum(smooth) / count
    variance = sum((pair - mean) ** 2 for pair in smooth) / (count - 1)
    error = _CONFIDENT * math.sqrt(variance / count)
    verdict = None
    if scores is not None:
        low, high = scores
        likelier = len(pairs) * (high - low) * (2 * points - low - high) / (2 * variance)
        verdict = high if likelier > _CLEAR else low if likelier < -_CLEAR else None
    columns = [
        (sum(game.seconds[player] for game in games), sum(game.moves[player] for game in games))
        for player in (0, 1)
    ]
    seconds = [taken / max(1, moves) for taken, moves in columns]
    return Result(
        len(games),
        points,
        (max(0.0, mean - error), min(1.0, mean + error)),
        elo(points),
        verdict,
        sum(game.plies for game in games) / len(games),
        (seconds[0], seconds[1]),
    )
