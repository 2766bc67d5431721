"""The rules of JadeJack: stacks of disks give strength along lines, and strength wins empty squares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from itertools import compress

from engine import jadejack_form, jadejack_rows, squares
from engine.canonical import Rows
from engine.game import (
    IllegalMove,
    MoveSyntaxError,
    OptionRange,
    Outcome,
    Score,
    Side,
    Termination,
    check_length,
    quoted,
    with_defaults,
)
from engine.jadejack_strength import TOP_BIT, close_gap, geometry, strength_given

KOMI = OptionRange(-11, 20, 1, is_variant=True)
"""Whole points that White gets for moving second (rules page: Score), besides HALF a point."""

HALF = 0.5
"""What a komi has besides whole points: it rules out draws."""

PASS = "pass"  # noqa: S105 - a move, not a secret

_SIZE = OptionRange(8, 13, 10)
_SIDES = {side.letter: side for side in (Side.BLACK, Side.WHITE)}
_KOMIS = {
    str(whole + HALF): whole for whole in range(KOMI.minimum, KOMI.maximum + 1) if KOMI.is_stated(whole)
}
_OTHER = {Side.BLACK: Side.WHITE, Side.WHITE: Side.BLACK}


@dataclass(frozen=True, slots=True)
class Position:
    """A board, the side to move and the number of consecutive passes just made (2 end the game).

    `stacks` has the disks of each square from bottom to top ("" for an empty square, "bw" for a black disk
    under a white one), in the order of `squares.names`.

    The other fields follow from the stacks and are stored because a move changes little of them. They are
    packed boards (see jadejack_strength): the strength of each side on every square, the lead in strength
    that each side needs to place a disk there, and the top bit of every occupied square. Last are the rows
    of the position string, from the bottom. `whole_komi` is the komi without its HALF.
    """

    size: int
    stacks: tuple[str, ...]
    side: Side
    passes: int
    black: int = field(compare=False, repr=False)
    white: int = field(compare=False, repr=False)
    black_needs: int = field(compare=False, repr=False)
    white_needs: int = field(compare=False, repr=False)
    occupied: int = field(compare=False, repr=False)
    rows: tuple[str, ...] = field(compare=False, repr=False)
    whole_komi: int = KOMI.default

    @property
    def komi(self) -> float:
        """Return the points that White gets for moving second."""
        return self.whole_komi + HALF


class Placement(StrEnum):
    """The kinds of placement (rules page: Placement)."""

    ORDINARY = "ordinary"
    HIJACK = "hijack"
    SELF_STACK = "self_stack"


class JadeJack:
    """JadeJack as a game of the registry."""

    key = "jadejack"
    title = short_title = "JadeJack"
    sides: Sequence[Side] = (Side.BLACK, Side.WHITE)
    options: Mapping[str, OptionRange] = {"size": _SIZE, "komi": KOMI}
    has_draws = False

    def initial(self, options: Mapping[str, int]) -> Position:
        """Return the empty board with Black to move.

        Raise ValueError for an unknown option or a value out of range.
        """
        complete = with_defaults(self.options, options)
        size = complete["size"]
        empty = position_of(size, ("",) * size**2, Side.BLACK)
        return replace(empty, whole_komi=complete.get("komi", KOMI.default))

    def side_to_move(self, position: Position) -> Side | None:
        """Return the side to move, or None if the game is over."""
        return None if position.passes == 2 else position.side

    def mover(self, position: Position, ply: int) -> Side:  # noqa: ARG002 - the sides alternate
        """Return the side that made the move of a ply: Black the odd plies, White the even ones."""
        return self.sides[(ply - 1) % 2]

    def legal_moves(self, position: Position) -> list[str]:
        """Return the squares where a disk may be placed, in board order, then `pass`.

        The list is empty if the game is over.
        """
        if position.passes == 2:
            return []
        return [*compress(squares.names(position.size), placeable(position)), PASS]

    def forced_move(self, position: Position) -> str | None:
        """Return `pass` if the side to move has no placement, else None (rules page: Pass and end)."""
        return None if position.passes == 2 or _placeable(position) else PASS

    def play(self, position: Position, move: str) -> Position:
        """Return the position after a placement (a square) or `pass`.

        Raise MoveSyntaxError for text that is neither, and IllegalMove with the reason `off_board`,
        `game_over`, `centre_first`, `too_weak`, `too_weak_to_hijack` or `already_reinforced`.
        """
        square = None if move == PASS else squares.locate(move, position.size)
        if position.passes == 2:
            raise IllegalMove("game_over", "The game is over: both sides passed.")
        if square is None:
            return replace(position, side=_OTHER[position.side], passes=position.passes + 1)
        if not _placeable(position) >> 8 * square & 255:
            raise _why_not(position, square)
        return _placed(position, square)

    def outcome(self, position: Position) -> Outcome | None:
        """Return the outcome after two consecutive passes, else None.

        The komi rules out draws, and decides who wins on a full board: White unless it is negative.
        """
        if position.passes < 2:
            return None
        score = self.score(position)
        winner = Side.BLACK if score[Side.BLACK] > score[Side.WHITE] else Side.WHITE
        return Outcome(winner, Termination.PASSES)

    def score(self, position: Position) -> Score:
        """Return each side's points: the empty squares where it is stronger, and the komi for White."""
        # All squares are compared at once: the top bit of 128 + a - b is set where a is at least b.
        top_bits = geometry(position.size).top_bits
        lead = position.black - position.white
        empty = top_bits ^ position.occupied
        black_is_stronger = empty & ~(top_bits - lead)
        white_is_stronger = empty & ~(top_bits + lead)
        return {
            "black": black_is_stronger.bit_count(),
            "white": white_is_stronger.bit_count() + position.komi,
        }

    def parse(self, text: str) -> Position:
        """Return the position of a string such as `8/8/8/8/8/2(bw)5/8/8 b 0`. Raise MoveSyntaxError."""
        check_length(text)
        return _parsed(text)

    def format(self, position: Position) -> str:
        """Return the string that `parse` reads back: rows from the top, side to move, passes, komi."""
        return f"{'/'.join(reversed(position.rows))} {_state(position)}"

    def options_of(self, position: Position) -> Mapping[str, int]:
        """Return the size of the board, and a komi that is not the usual one."""
        return with_defaults(self.options, {"size": position.size, "komi": position.whole_komi})

    def contents(self, position: Position) -> tuple[Sequence[str], str]:
        """Return the stack on each square, and the side to move with the passes and an unusual komi."""
        return position.stacks, _state(position)

    def canonical_form(self, position: Position) -> Rows:
        """Return what the rules see of the stacks, from the view of the side to move."""
        if position.passes == 2:
            return ()
        return jadejack_form.form(position.size, position.stacks, position.side.letter)

    def moves_towards(
        self, position: Position, targets: Sequence[Position], plies: int
    ) -> Mapping[str, Sequence[Position]]:
        """Return the placements where a target differs, and `pass`."""
        size, stacks, own = position.size, position.stacks, position.side.letter
        names, near = squares.names(size), dict[str, list[Position]]()
        for target in targets:
            changed = jadejack_form.changed(size, stacks, own, target.stacks, target.side.letter, plies)
            if changed is not None:
                for move in (PASS, *(names[square] for square in changed)):
                    near.setdefault(move, []).append(target)
        return {move: near[move] for move in self.legal_moves(position) if move in near}


JADEJACK = JadeJack()


@lru_cache(maxsize=2048)  # lists show the same games again and again
def _parsed(text: str) -> Position:
    parts = text.split(" ")
    if len(parts) not in (3, 4) or not all(parts):
        raise MoveSyntaxError("A position is its rows, the side to move and the passes, one space between.")
    board, letter, passes, *komi = parts
    rows = board.split("/")
    if not _SIZE.minimum <= len(rows) <= _SIZE.maximum:
        raise MoveSyntaxError(
            "A board has %(least)s to %(most)s rows, not %(rows)s.",
            least=_SIZE.minimum,
            most=_SIZE.maximum,
            rows=len(rows),
        )
    if letter not in _SIDES:
        raise MoveSyntaxError("The side to move is b or w, not %(text)s.", text=quoted(letter))
    if passes not in {"0", "1", "2"}:
        raise MoveSyntaxError("The passes just made are 0, 1 or 2, not %(text)s.", text=quoted(passes))
    stacks = [stack for row in reversed(rows) for stack in jadejack_rows.read(row, len(rows))]
    position = position_of(len(rows), tuple(stacks), _SIDES[letter], int(passes))
    return replace(position, whole_komi=_parse_komi(komi[0])) if komi else position


def _parse_komi(text: str) -> int:
    """Return the whole points of a komi that is not the usual one. Raise MoveSyntaxError."""
    if text not in _KOMIS:
        raise MoveSyntaxError(
            "Choose a komi from %(least)s to %(most)s, such as 7.5; a usual one is left out.",
            least=KOMI.minimum + HALF,
            most=KOMI.maximum + HALF,
        )
    return _KOMIS[text]


def _state(position: Position) -> str:
    """Return the side to move, the passes, and the komi if it is not the usual one."""
    komi = f" {position.komi}" if KOMI.is_stated(position.whole_komi) else ""
    return f"{position.side.letter} {position.passes}{komi}"


def position_of(size: int, stacks: tuple[str, ...], side: Side, passes: int = 0) -> Position:
    """Return the position with these stacks, computing everything that follows from them."""
    strength = {"b": 0, "w": 0}
    black_needs = white_needs = occupied = 0
    for square, stack in enumerate(stacks):
        if stack:
            strength[stack[-1]] += strength_given(stacks, square, size)
            black_need, white_need = _needs(stack)
            black_needs += black_need << 8 * square
            white_needs += white_need << 8 * square
            occupied |= TOP_BIT << 8 * square
    rows = tuple(jadejack_rows.write(stacks[start : start + size]) for start in range(0, size**2, size))
    return Position(
        size, stacks, side, passes, strength["b"], strength["w"], black_needs, white_needs, occupied, rows
    )


def strengths(position: Position) -> tuple[Sequence[int], Sequence[int]]:
    """Return the strength of Black and that of White on each square, in the order of `squares.names`."""
    length = position.size**2
    return position.black.to_bytes(length, "little"), position.white.to_bytes(length, "little")


def sources(position: Position, square: int) -> Mapping[Side, list[int]]:
    """Return, for each side, the squares of its stacks that give strength on a square."""
    reaching: dict[Side, list[int]] = {side: [] for side in _OTHER}
    for source, stack in enumerate(position.stacks):
        if stack and strength_given(position.stacks, source, position.size) >> 8 * square & 255:
            reaching[_SIDES[stack[-1]]].append(source)
    return reaching


def territory(position: Position) -> tuple[Side | None, ...]:
    """Return, for each square, the side that scores it: the stronger one if the square is empty, or None."""
    return tuple(
        None if stack or black == white else Side.BLACK if black > white else Side.WHITE
        for stack, black, white in zip(position.stacks, *strengths(position), strict=True)
    )


def placeable(position: Position) -> bytes:
    """Return a byte for each square, in the order of `squares.names`: not 0 where a disk may be placed."""
    allowed = _placeable(position) if position.passes < 2 else 0
    return allowed.to_bytes(position.size**2, "little")


def placement_kind(stack: str, side: Side) -> Placement:
    """Return the kind of a placement by a side on a stack, or on an empty square, legal or not."""
    if not stack:
        return Placement.ORDINARY
    return Placement.SELF_STACK if stack[-1] == side.letter else Placement.HIJACK


# No strength exceeds 48, so every side has the lead _ALWAYS and no side has the lead _NEVER.
_NEVER = 64
_ALWAYS = -64


@lru_cache(maxsize=4096)
def _needs(stack: str) -> tuple[int, int]:
    """Return the lead in strength that Black, and that White, needs to place a disk on a stack."""
    to_hijack = min(len(stack), _NEVER)
    to_self_stack = _NEVER if stack[-2:] in {"bb", "ww"} else _ALWAYS
    match stack[-1:]:
        case "b":
            return to_self_stack, to_hijack
        case "w":
            return to_hijack, to_self_stack
    return 0, 0


def _placeable(position: Position) -> int:
    """Return a packed board that is not 0 on just the squares where the side to move may place a disk."""
    board = geometry(position.size)
    if position.side is Side.BLACK:
        lead = board.top_bits + position.black - position.white - position.black_needs
    else:
        lead = board.top_bits + position.white - position.black - position.white_needs
    # Each square has 128 + own - opposing - need, so its top bit is set where the need is met.
    placeable = lead & board.top_bits
    return placeable if position.occupied else placeable & ~board.centre


def _why_not(position: Position, square: int) -> IllegalMove:
    """Return the reason why the side to move may not place a disk on a square.

    Its figures are the strength that is `needed` there, the side's `own` and the `opposing` one.
    """
    name, height = squares.names(position.size)[square], len(position.stacks[square])
    own, opposing = (strength[square] for strength in strengths(position))
    if position.side is Side.WHITE:
        own, opposing = opposing, own
    kind = placement_kind(position.stacks[square], position.side)
    if kind is Placement.SELF_STACK:
        return IllegalMove(
            "already_reinforced", "Your stack on %(square)s is already reinforced.", square=name
        )
    if own >= opposing + height:
        return IllegalMove(
            "centre_first", "The first disk may not go on %(square)s, the centre of the board.", square=name
        )
    needed = opposing + height
    return IllegalMove(
        "too_weak_to_hijack" if kind is Placement.HIJACK else "too_weak",
        "A disk on %(square)s takes a strength of %(needed)s there, and yours is %(own)s.",
        square=name,
        own=own,
        opposing=opposing,
        needed=needed,
    )


def _placed(position: Position, square: int) -> Position:
    """Return the position after a legal placement, updating only what it changes."""
    size, stacks = position.size, position.stacks
    stack, letter = stacks[square], position.side.letter
    strength = {"b": position.black, "w": position.white}
    if stack:
        strength[stack[-1]] -= strength_given(stacks, square, size)
    else:
        close_gap(strength, stacks, square, size)
    higher = stack + letter
    changed = list(stacks)
    changed[square] = higher
    stacks = tuple(changed)
    strength[letter] += strength_given(stacks, square, size)
    row = square // size
    changed_row = jadejack_rows.write(stacks[row * size : (row + 1) * size])
    black_before, white_before = _needs(stack)
    black_after, white_after = _needs(higher)
    return Position(
        size,
        stacks,
        _OTHER[position.side],
        0,
        strength["b"],
        strength["w"],
        position.black_needs + ((black_after - black_before) << 8 * square),
        position.white_needs + ((white_after - white_before) << 8 * square),
        position.occupied | TOP_BIT << 8 * square,
        (*position.rows[:row], changed_row, *position.rows[row + 1 :]),
        position.whole_komi,
    )
