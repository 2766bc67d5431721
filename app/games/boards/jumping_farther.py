"""The board of Jumping Farther & Farther, for two and alone."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from app.games.boards.number_board import NumberBoard
from app.games.boards.numbers import Grid, Reach, Written
from app.games.boards.obstacles import in_numbers
from app.games.views import MoveKind, Obstacle
from engine.game import IllegalMove, Side
from engine.jumping_farther import JUMPING_FARTHER, JUMPING_SOLITAIRE, Position
from engine.number_grid import distance

_FIGURES = {
    "second": ("5:c3 0 0", True),
    "scoring": ("5:c3,c4,a2 1 0", True),
    "over": ("5:b5,d3,b1,e4,b4,e1,a5,d2,d4,e3,a3,c3,c4,b3,d5,e5,e2,d1,c1,c5,c2,a2,a1,a4 4 3", False),
}
_ROUNDS = {1: "one round", 2: "two rounds"}


class JumpingBoard(NumberBoard):
    """Draws one of the two forms of the game for the registry of boards."""

    figure_positions = _FIGURES

    def size_text(self, options: Mapping[str, int]) -> str:
        """Return how large the board is, and how many rounds: "8×8, two rounds"."""
        size = super().size_text(options)
        return f"{size}, {_ROUNDS[options['rounds']]}" if "rounds" in options else size

    def note(self, position: Position) -> str:
        """Return where the next number may go and when it scores, and which round is played."""
        if position.is_over:
            return ""
        played = position.current
        sentences = []
        if len(position.rounds) > 1 and not played.cells:
            first, second = position.rounds[0].points
            sentences.append(f"The first round ended {first} to {second}; now the sides are exchanged.")
        elif position.planned > 1:
            sentences.append(f"Round {len(position.rounds)} of {position.planned}.")
        number = len(played.cells)
        if not number:
            sentences.append("1 may go on any square.")
        elif number == 1:
            sentences.append("2 may go on any square in line with 1, and does not score yet.")
        else:
            sentences.append(f"{number + 1} scores if it jumps farther than {played.last_jump}.")
        return " ".join(sentences)

    def obstacle(self, position: Position, square: str, error: IllegalMove, *, is_yours: bool) -> Obstacle:  # noqa: ARG002 - the words are the same for both
        """Return why the next number may not go on a square."""
        return in_numbers(position.current.cells, position.current.size, square, error)

    def score_note(self, position: Position, side: str) -> str:  # noqa: ARG002 - points need no remark
        """Return an empty text."""
        return ""

    def describe(self, move: str, side: str, kind: MoveKind, *, automatic: bool) -> str:  # noqa: ARG002 - no move is automatic
        """Return a move in words: "First writes on e5"; in a solitaire game only "e5"."""
        return move if side == Side.SOLO else f"{side.capitalize()} writes on {move}"

    def count_rows(self, position: Position) -> Sequence[tuple[str, ...]]:
        """Return the points of each round by side, and the sum of both rounds."""
        total = tuple(f"{points:g}" for points in self._rules.score(position).values())
        if position.planned == 1:
            return (("Points", *total),)
        first, second = (played.points for played in position.rounds)
        return (
            ("Round 1", str(first[0]), str(first[1])),
            ("Round 2", str(second[1]), str(second[0])),
            ("Sum", *total),
        )

    def grid(self, position: Position, *, playable: bool) -> Grid:
        """Return what to draw of the round that is played, or of the last one."""
        played = position.current
        before = sum(len(earlier.cells) for earlier in position.rounds[:-1])
        writers = [str(self._rules.mover(position, before + number)) for number in (1, 2)]
        jumps = [0, *(distance(cell, following, played.size) for cell, following in pairwise(played.cells))]
        written = [
            Written(number, writers[(number - 1) % 2], number > 2 and jumps[number - 1] > jumps[number - 2])
            for number in range(1, len(played.cells) + 1)
        ]
        reach = {square: Reach(far, played.scores(far)) for square, far in played.reach()} if playable else {}
        return Grid(played.size, played.cells, written, reach)


JUMPING_BOARD = JumpingBoard(JUMPING_FARTHER)
JUMPING_SOLITAIRE_BOARD = JumpingBoard(JUMPING_SOLITAIRE)
