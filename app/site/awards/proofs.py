"""What a game or an entry proves. Everything follows from its arguments alone."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.people.achievements import Achievement
from app.play.games.game import BEGUN
from engine import squares
from engine.game import Termination
from engine.golden_nugget.board import MAX_BOARDS
from engine.golden_nugget.ranking import mean_of
from engine.jadejack import JADEJACK, PASS, Placement, placement_kind
from engine.jumping_farther import JUMPING_FARTHER
from engine.replay import positions
from engine.up_and_up import UP_AND_UP

_TOWER = 4  # disks
_LANDSLIDE, _NARROW = 20, 0.5  # points
_GIANT = 200  # points of rating
_SMALLEST_FULL = 5  # squares in a row
_FORTY = 40  # numbers
_SHORT, _LOW_MEAN = 20, 30  # moves
_COMPUTERS = {Achievement.COMPUTER_1: 1, Achievement.COMPUTER_4: 4, Achievement.COMPUTER_8: 8}


@dataclass(frozen=True, slots=True)
class WonGame:
    """A game for two as it is stored.

    The first `first_ply` moves led to the position in which it began. `lead` is by how much the winner was
    rated higher then, None for a game that changed no rating; `level` is the loser's if it is a computer of
    the server. `is_own` means that the computer did not help its opponent.
    """

    game: str
    options: Mapping[str, int]
    moves: Sequence[str]
    winner_seat: int
    termination: Termination
    lead: float | None
    level: int | None
    has_days: bool
    first_ply: int = 0
    is_own: bool = True


def by_winning(won: WonGame) -> Iterator[Achievement]:
    """Yield what a game proves of its winner.

    That is nothing if it began in a position, which may have been won, if a side has not moved, or if the
    winner was helped.
    """
    if won.first_ply or len(won.moves) < BEGUN or not won.is_own:
        return
    if won.game in _OF_GAMES:
        yield from _OF_GAMES[won.game](won)
    if won.lead is not None and won.lead <= -_GIANT:
        yield Achievement.GIANT
    if won.has_days:
        yield Achievement.LONG_GAME
    if won.level is not None:
        yield from (achievement for achievement, level in _COMPUTERS.items() if won.level >= level)


def by_score(game: str, size: int, numbers: int) -> Iterator[Achievement]:
    """Yield what a solitaire game proves in which so many numbers were written on a board."""
    if size >= _SMALLEST_FULL and numbers == size**2:
        yield Achievement.FULL_BOARD
    if game == UP_AND_UP.key and numbers >= _FORTY:
        yield Achievement.UP_TO_FORTY


def by_entry(counts: Sequence[int], *, is_own: bool) -> Iterator[Achievement]:
    """Yield what an entry proves that has so many moves on each board."""
    yield Achievement.NUGGET
    if len(counts) == MAX_BOARDS:
        yield Achievement.TWO_HUNDRED
    if not is_own:
        return
    if min(counts) < _SHORT:
        yield Achievement.SHORT_BOARD
    if mean_of(counts).exact < _LOW_MEAN:
        yield Achievement.LOW_MEAN


def _by_jadejack(won: WonGame) -> Iterator[Achievement]:
    before, *after = positions(JADEJACK, won.options, won.moves)
    winner = JADEJACK.sides[won.winner_seat]
    kinds, tallest = set(), 0
    for move, position in zip(won.moves, after, strict=True):
        if before.side is winner and move != PASS:
            square = squares.locate(move, position.size)
            kinds.add(placement_kind(before.stacks[square], winner))
            tallest = max(tallest, len(position.stacks[square]))
        before = position
    if Placement.HIJACK in kinds:
        yield Achievement.HIJACK
    if tallest >= _TOWER:
        yield Achievement.TOWER
    if won.termination is Termination.PASSES:
        score = JADEJACK.score(before)
        margin = score[winner] - sum(points for side, points in score.items() if side is not winner)
        if margin >= _LANDSLIDE:
            yield Achievement.LANDSLIDE
        if margin == _NARROW:
            yield Achievement.HALF_A_POINT


def _by_jumping(won: WonGame) -> Iterator[Achievement]:
    if won.termination is Termination.NO_MOVE:
        yield Achievement.FARTHER


_OF_GAMES: Mapping[str, Callable[[WonGame], Iterator[Achievement]]] = {
    JADEJACK.key: _by_jadejack,
    JUMPING_FARTHER.key: _by_jumping,
}
