"""The board of Jumping Farther & Farther, for two and alone."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import ClassVar

from app.core.i18n.text import NO_TEXT, Text, _, joined
from app.play.games.boards.numbers import Grid, NumberBoard, Reach, WrittenNumber, obstacle_to_next
from app.play.games.views import Obstacle
from engine.game import IllegalMove
from engine.game_record import GameRecord
from engine.jumping_farther import Position
from engine.number_grid import distance
from engine.variations import Tree

_BOARDS = {
    1: lambda size: _("%(size)s, one round", size=size),
    2: lambda size: _("%(size)s, two rounds", size=size),
}

_SAMPLE = "c3 b3 d5 a5 e1 d1 d3 a3 e3 e4 c4 c1 c5 b4 b2 b5 b1 c2 a4 a1 e5 d4 d2 a2 e2"


class JumpingBoard(NumberBoard):
    """Draws one of the two forms of the game for the registry of boards."""

    summary = _("For one or two: write numbers on a grid; a jump that is longer than the last one scores.")
    first_steps = (
        _("Write your number on a square with a ring. The figure in it is how far you jump."),
        _("A jump may have any length. One that is longer than the last one scores a point."),
        _("Long jumps leave less room for the next ones. Hints and taking moves back cost nothing here."),
    )
    examples: ClassVar[Mapping[str, tuple[str, bool, bool]]] = {
        "second": ("5:c3 0 0", True, False),
        "scoring": ("5:c3,c4,a2 1 0", True, False),
        "over": (
            "5:b5,d3,b1,e4,b4,e1,a5,d2,d4,e3,a3,c3,c4,b3,d5,e5,e2,d1,c1,c5,c2,a2,a1,a4 4 3",
            False,
            False,
        ),
    }

    sample = GameRecord(
        "jumping_farther",
        {"size": 5, "rounds": 1},
        Tree.of_moves(_SAMPLE.split()),
    )

    def rounds(self, position: Position) -> Sequence[Grid]:
        """Return what to draw of each round that has numbers."""
        numbers = range(1, len(position.rounds) + 1)
        rounds = [replace(position, rounds=position.rounds[:number]) for number in numbers]
        return [self.grid(each, playable=False) for each in rounds if each.current.cells]

    def size_text(self, options: Mapping[str, int]) -> Text:
        """Return how large the board is, and how many rounds: "8×8, two rounds"."""
        size = super().size_text(options)
        return _BOARDS[options["rounds"]](size) if "rounds" in options else size

    def note(self, position: Position) -> Text:
        """Return where the next number may go and when it scores, and which round is played."""
        if position.is_over:
            return NO_TEXT
        next_number = _next_number(len(position.current.cells), position.current.last_jump)
        if len(position.rounds) > 1 and not position.current.cells:
            first, second = position.rounds[0].points
            ended = _(
                "The first round ended %(first)s to %(second)s; now the sides are exchanged.",
                first=first,
                second=second,
            )
            return joined(ended, next_number)
        if position.planned > 1:
            round_ = _(
                "Round %(number)s of %(rounds)s.", number=len(position.rounds), rounds=position.planned
            )
            return joined(round_, next_number)
        return next_number

    def obstacle(self, position: Position, square: str, error: IllegalMove, *, is_yours: bool) -> Obstacle:  # noqa: ARG002 - the words are the same for both
        """Return why the next number may not go on a square."""
        return obstacle_to_next(position.current.cells, position.current.size, square, error)

    def count_rows(self, position: Position) -> Sequence[tuple[str, ...]]:
        """Return the points of each of two rounds by side."""
        if position.planned == 1:
            return ()
        first, second = (played.points for played in position.rounds)
        return (
            (_("Round %(number)s", number=1), str(first[0]), str(first[1])),
            (_("Round %(number)s", number=2), str(second[1]), str(second[0])),
        )

    def grid(self, position: Position, *, playable: bool) -> Grid:
        """Return what to draw of the round that is played, or of the last one."""
        played = position.current
        before = sum(len(earlier.cells) for earlier in position.rounds[:-1])
        writers = [str(self._rules.mover(position, before + number)) for number in (1, 2)]
        jumps = [0, *(distance(cell, following, played.size) for cell, following in pairwise(played.cells))]
        written = [
            WrittenNumber(
                number, writers[(number - 1) % 2], number > 2 and jumps[number - 1] > jumps[number - 2]
            )
            for number in range(1, len(played.cells) + 1)
        ]
        reach = {square: Reach(far, played.scores(far)) for square, far in played.reach()} if playable else {}
        return Grid(played.size, played.cells, written, reach)


def _next_number(written: int, last_jump: int) -> Text:
    """Return where the next number may go, and when it scores."""
    if not written:
        return _("1 may go on any square.")
    if written == 1:
        return _("2 may go on any square in line with 1, and does not score yet.")
    return _("%(number)s scores if it jumps farther than %(jump)s.", number=written + 1, jump=last_jump)
