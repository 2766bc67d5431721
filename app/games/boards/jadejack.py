"""The JadeJack board as HTML: a grid of squares with stacks of disks, drawn from cached squares."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import repeat

from markupsafe import Markup

from app.games.boards.frame import framed
from app.games.boards.jadejack_figures import FIGURES
from app.games.boards.jadejack_picture import picture
from app.games.boards.obstacles import in_jadejack
from app.games.views import BoardAction, Obstacle
from engine import squares
from engine.game import IllegalMove, Side
from engine.jadejack import (
    JADEJACK,
    KOMI,
    PASS,
    Placement,
    Position,
    placeable,
    placement_kind,
    strengths,
    territory,
)

_LAST, _LIVE, _FINISHED = 1, 2, 4  # flags of a square

_PLAY_CLASS = {Placement.ORDINARY: "sq-play", Placement.HIJACK: "sq-hijack", Placement.SELF_STACK: "sq-grow"}
_PLAY_WORDS = {
    Placement.ORDINARY: "playable",
    Placement.HIJACK: "playable as a hijack",
    Placement.SELF_STACK: "playable on your own disk",
}
_COLOUR = {"b": "black", "w": "white"}


class JadeJackBoard:
    """Draws JadeJack for the registry of boards."""

    switches: Sequence[tuple[str, str]] = (("show-strength", "Show strength"),)

    def size_text(self, options: Mapping[str, int]) -> str:
        """Return how large the board is: "9×9"."""
        return f"{options['size']}×{options['size']}"

    def draw(
        self, position: Position, *, last_move: str | None, playable: bool, finished: bool, live: bool
    ) -> Markup:
        """Draw a position; see the protocol.

        A live board is an ARIA grid whose playable squares have submit buttons named `move`; any other is an
        ARIA table without ids.
        """
        size, stacks = position.size, position.stacks
        flags = [_LIVE * live + _FINISHED * finished] * len(stacks)
        if last_move is not None and last_move != PASS:
            flags[squares.locate(last_move, size)] += _LAST
        may_play = placeable(position) if playable else bytes(len(stacks))
        sides, names = repeat(position.side if playable else None), squares.names(size)
        cells = list(map(_square, names, stacks, flags, sides, may_play, *strengths(position)))
        return framed(cells, size, live=live)

    def picture(self, position: Position, last_move: str | None) -> str:
        """Draw a position as an SVG document of its own."""
        return picture(position, last_move)

    def actions(self, position: Position) -> tuple[BoardAction, ...]:
        """Return the pass, unless the game is over."""
        if position.passes == 2:
            return ()
        if position.passes == 1:
            return (BoardAction(PASS, "Pass", "Pass as well? Two passes in a row end the game."),)
        return (BoardAction(PASS, "Pass", "Pass this turn? If your opponent passes too, the game ends."),)

    def note(self, position: Position) -> str:  # noqa: ARG002 - the board shows everything
        """Return an empty text: the board marks the legal moves."""
        return ""

    def obstacle(self, position: Position, square: str, error: IllegalMove, *, is_yours: bool) -> Obstacle:
        """Return why no disk may be placed on a square, and the stacks that give strength there."""
        return in_jadejack(position, square, error, is_yours=is_yours)

    def score_note(self, position: Position, side: str) -> str:  # noqa: ARG002 - the komi is always the same
        """Return White's komi."""
        return f"with {KOMI} komi" if side == Side.WHITE else ""

    def describe(self, move: str, side: str, *, automatic: bool) -> str:
        """Return a move in words: "White passes", "Black e5"."""
        who = side.capitalize()
        if move != PASS:
            return f"{who} {move}"
        return f"{who} has nowhere to play and passes" if automatic else f"{who} passes"

    def count_rows(self, position: Position) -> Sequence[tuple[str, ...]]:
        """Return the count row by row: label, Black's figure, White's figure."""
        held, score = territory(position), JADEJACK.score(position)
        return (
            ("Territory", str(held.count(Side.BLACK)), str(held.count(Side.WHITE))),
            ("Komi", "", str(KOMI)),
            ("Total", f"{score['black']:g}", f"{score['white']:g}"),
        )

    def figures(self) -> Mapping[str, Markup]:
        """Return the example boards of the rules page."""
        drawn = {}
        for name, (position, playable, finished) in FIGURES.items():
            parsed = JADEJACK.parse(position)
            drawn[name] = self.draw(parsed, last_move=None, playable=playable, finished=finished, live=False)
        return drawn


JADEJACK_BOARD = JadeJackBoard()


@lru_cache(maxsize=1 << 15)
def _square(
    name: str, stack: str, flags: int, side: Side | None, may_play: int, black: int, white: int
) -> str:
    """Draw one square. `side` is to move, and may place a disk here unless `may_play` is 0."""
    play = placement_kind(stack, side) if side and may_play else None
    live, lead = flags & _LIVE, black - white
    classes, words = ["sq", "sq-last"] if flags & _LAST else ["sq"], [name]
    if lead:
        classes.append(f"sq-{'b' if lead > 0 else 'w'}{min(abs(lead), 4)}")
    if stack:
        words.append(_stack_words(stack))
    elif flags & _FINISHED and lead:
        owner = "black" if lead > 0 else "white"
        classes.append(f"sq-{owner}-point")
        words.append(f"{owner} territory")
    if flags & _LAST:
        words.append("last move")
    say = ", ".join(words)
    if play:
        classes.append(_PLAY_CLASS[play])
        say += f'<span class="sq-may">, {_PLAY_WORDS[play]}</span>'
    drawn = _stack_svg(stack, bool(flags & _LAST), play is Placement.HIJACK) if stack else ""
    inner = f'{drawn}<span class="sq-say">{say}</span>'
    if play and live:
        inner = f'<button name="move" value="{name}">{inner}</button>'
    if black or white:
        inner += f'<span class="sq-str"> strength <b>{black}</b> to <i>{white}</i></span>'
    role, identity = ("gridcell", f' id="sq-{name}"') if live else ("cell", "")
    return f'<div role="{role}"{identity} class="{" ".join(classes)}">{inner}</div>'


def _stack_words(stack: str) -> str:
    """Return a stack: "black disk", "white stack of 3: black, black, white from the bottom"."""
    colour = _COLOUR[stack[-1]]
    if len(stack) == 1:
        return f"{colour} disk"
    words = f"{colour} stack of {len(stack)}"
    if len(set(stack)) > 1:
        words += f": {', '.join(_COLOUR[disk] for disk in stack)} from the bottom"
    return words


# A disk is 28 wide in a square of 40, its faces are ellipses 15 high, and it is 4.8 thick, or less in a stack
# of more than five, to fit the square.
_FACE, _THICK, _ROOM = 15, 4.8, 24


@lru_cache(maxsize=4096)
def _stack_svg(stack: str, last: bool, hijack: bool) -> str:
    """Draw a stack: the last move's ring at its foot, its disks, a hijacker's ring, the height from 4 up."""
    height = len(stack)
    thick = min(_THICK, _ROOM / height)
    top = 20 - (_FACE + height * thick) / 2 + _FACE / 2  # the centre of the uppermost face
    parts = []
    if last:
        parts.append(_use("last-move", top + thick * height - _THICK / 2))
    parts += (
        _use(f"disk-{_COLOUR[disk]}", top + thick * (height - 1 - place)) for place, disk in enumerate(stack)
    )
    colour = _COLOUR[stack[-1]]
    if hijack:
        parts.append(_use(f"hijack-{colour}", top))
    if height >= 4:
        parts.append(f'<text class="piece-on-{colour}" x="20" y="{top + 3.4:.1f}">{height}</text>')
    return f'<svg viewBox="0 0 40 40" aria-hidden="true">{"".join(parts)}</svg>'


def _use(symbol: str, y: float) -> str:
    return f'<use href="#{symbol}" x="20" y="{y:.1f}"/>'
