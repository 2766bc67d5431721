"""The board of JadeJack: a grid of squares with stacks of disks, drawn from cached squares."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import repeat
from typing import ClassVar

from markupsafe import Markup, escape

from app.core.i18n.formats import number
from app.core.i18n.languages import current
from app.core.i18n.text import NO_TEXT, Text, _, reason_of
from app.play.games.boards.board import Board, Outlook, framed, may, place, said
from app.play.games.boards.film import Part
from app.play.games.boards.jadejack_picture import picture, stacks_of_film, thickness
from app.play.games.boards.outlook import outlook_of
from app.play.games.views import BoardAction, MoveKind, Obstacle
from engine import squares
from engine.game import IllegalMove, Side
from engine.game_record import GameRecord
from engine.jadejack import (
    HALF,
    PASS,
    Placement,
    Position,
    placeable,
    placement_kind,
    sources,
    strengths,
    territory,
)
from engine.search.player import Choice
from engine.variations import Tree

_LAST, _LIVE, _FINISHED = 1, 2, 4  # flags of a square

_PLAY_CLASS = {Placement.ORDINARY: "sq-play", Placement.HIJACK: "sq-hijack", Placement.SELF_STACK: "sq-grow"}
_PLAY_WORDS = {
    Placement.ORDINARY: _("playable"),
    Placement.HIJACK: _("playable as a hijack"),
    Placement.SELF_STACK: _("playable on your own disk"),
}
_COLOUR = {"b": "black", "w": "white"}
_COLOUR_WORDS = {"b": _("black"), "w": _("white")}
_DISK = {"b": _("black disk"), "w": _("white disk")}
_LAST_MOVE = _("last move")
_OTHER = {Side.BLACK: Side.WHITE, Side.WHITE: Side.BLACK}
_SIDES = {Side.BLACK: _("Black"), Side.WHITE: _("White")}
_TERRITORY = {"black": _("black territory"), "white": _("white territory")}

_SAMPLE = """
    e4 d6 e4 d3 e6 d7 b6 e3 c6 d5 b3 d4 f4 c7 c5 c4 h3 c3 b2 g6 f6 h6 f7 c8 b5 g8 g3 f8 g3 e2 e9 e8
    f9 e7 g5 g8 f7 g7 h5 f7 b4 f2 h2 f3 f5 e6 h9 c1 b1 d1 h8 e4 a7 b8 i5 a8 i6 h7 a7 h8
"""


class JadeJackBoard(Board):
    """Draws JadeJack for the registry of boards."""

    summary = _("For two: build stacks, and take squares where you are stronger.")
    first_steps = (
        _("Put a disk on a square with a dot. It sends strength along the lines of the board."),
        _(
            "An empty square counts for whoever is stronger there. Switch on “Show strength” to see who that "
            "is."
        ),
        _("Disks on disks are stronger. Hints and taking moves back cost nothing here."),
    )
    switches: ClassVar[Sequence[tuple[str, Text]]] = (("show-strength", _("Show strength")),)
    has_territory = True
    examples: ClassVar[Mapping[str, tuple[str, bool, bool]]] = {
        "first_move": ("8/8/8/8/8/8/8/8 b 0", True, False),
        "reach": ("8/2w5/8/1b6/5(bb)2/2(www)5/8/8 b 0", False, False),
        "blocked": ("8/1w6/1(bbb)w1b3/8/6w1/8/2(ww)bw(bb)2/8 b 0", False, False),
        "diagonal": ("8/4b3/3w4/2b5/1(wwww)6/8/6(bb)1/8 b 0", False, False),
        "placement": ("8/2(ww)5/3(bb)4/1b1w(bbb)3/3(bbw)1w2/2(wb)5/5(ww)2/8 b 0", True, False),
        "count": (
            "1w1b4/w1(bw)b2b1/1w(bbw)1(wb)b2/2w(ww)b1(bb)1/1(bw)1wb1b1/2w1(wb)3/1ww(ww)b1b1/3w1b2 b 2",
            False,
            True,
        ),
    }

    sample = GameRecord(
        "jadejack",
        {"size": 9},
        Tree.of_moves(_SAMPLE.split()),
    )

    def draw(
        self,
        position: Position,
        *,
        last_move: str | None = None,
        playable: bool = False,
        finished: bool = False,
        live: bool = False,
        over: str = "",
    ) -> Markup:
        """Draw a position."""
        size, stacks = position.size, position.stacks
        flags = [(_LIVE if live else 0) | (_FINISHED if finished else 0)] * len(stacks)
        if last_move is not None and last_move != PASS:
            flags[squares.locate(last_move, size)] |= _LAST
        may_play = placeable(position) if playable else bytes(len(stacks))
        sides, names = repeat(position.side if playable else None), squares.names(size)
        draw = _squares(current())
        cells = list(map(draw, names, stacks, flags, sides, may_play, *strengths(position)))
        return framed(cells, size, live=live, filled=sum(map(len, stacks)), over=over)

    def ghost(self, position: Position, move: str, label: str) -> str:
        """Draw a disk on its square, or on its stack, with its number."""
        stack = position.stacks[squares.locate(move, position.size)]
        thick = thickness(max(len(stack), 1))
        y = 20 - len(stack) * thick / 2 - (thick if stack else thick / 2)
        colour = "black" if position.side is Side.BLACK else "white"
        figure = f'<text class="piece-on-{colour}" x="20" y="{y + 4.5:.1f}">{label}</text>'
        return f'<g class="ghost-disk">{_use(f"disk-{colour}", y)}</g>{figure}'

    def outlook(self, position: Position, choice: Choice) -> Outlook | None:
        """Return where the computer that made a choice expects territory."""
        return outlook_of(position, choice)

    def picture(self, position: Position, last_move: str | None) -> str:
        """Draw a position as an SVG document of its own."""
        return picture(position, last_move)

    def film_parts(self, record: GameRecord) -> Iterator[Part]:
        """Yield the stacks of a game."""
        return stacks_of_film(record)

    def actions(self, position: Position) -> tuple[BoardAction, ...]:
        """Return the pass, unless the game is over."""
        if position.passes == 2:
            return ()
        if position.passes == 1:
            question = _("Pass too? Then the game ends, and the higher score wins.")
        else:
            question = _("Pass? If your opponent passes too, the game ends, and the higher score wins.")
        return (BoardAction(PASS, _("Pass"), question),)

    def note(self, position: Position) -> Text:
        """Return what a pass means for the next move; otherwise the board shows everything."""
        if position.passes != 1:
            return NO_TEXT
        if position.side == Side.WHITE:
            return _("Black has passed. The game ends if White passes too.")
        return _("White has passed. The game ends if Black passes too.")

    def obstacle(self, position: Position, square: str, error: IllegalMove, *, is_yours: bool) -> Obstacle:
        """Return why no disk may be placed on a square, and the stacks that give strength there."""
        side = position.side
        text = _for_you(side, square, error) if is_yours else _for_others(side, square, error)
        if error.reason not in {"too_weak", "too_weak_to_hijack"}:
            return Obstacle(square, text)
        names = squares.names(position.size)
        reaching = sources(position, squares.locate(square, position.size))
        own, opposing = (tuple(names[cell] for cell in reaching[each]) for each in (side, _OTHER[side]))
        return Obstacle(square, text, own, opposing, "/rules/jadejack#strength")

    def score_note(self, position: Position, side: str) -> Text:
        """Return what White's score includes."""
        return _("incl. %(komi)s komi", komi=position.komi) if side == Side.WHITE else NO_TEXT

    def size_text(self, options: Mapping[str, int]) -> Text:
        """Return how large the board is, and a komi that is not the usual one: "9×9, komi 7.5"."""
        size = super().size_text(options)
        if "komi" not in options:
            return size
        return _("%(size)s, komi %(komi)s", size=size, komi=options["komi"] + HALF)

    def option_text(self, name: str, value: int) -> str:  # noqa: ARG002 - there is only one
        """Return a komi."""
        return number(value + HALF)

    def kinds(self, position: Position, moves: Sequence[str]) -> list[MoveKind]:
        """Return the kind of each of the last moves that led to a position.

        Stacks only grow, so each placement on a square is a disk of its stack, the last one the top.
        """
        kinds, above = [], Counter[str]()
        for move in reversed(moves):
            kind = MoveKind.PLAIN
            if move != PASS:
                stack = position.stacks[squares.locate(move, position.size)]
                disks = stack[: len(stack) - above[move]]
                above[move] += 1
                if len(disks) > 1:
                    kind = MoveKind.REINFORCEMENT if disks[-1] == disks[-2] else MoveKind.HIJACK
            kinds.append(kind)
        return kinds[::-1]

    def describe(self, move: str, side: str, kind: MoveKind, *, automatic: bool) -> Text:
        """Return a move in words: "White passes", "Black hijacks e5"."""
        is_black = side == Side.BLACK
        if kind is MoveKind.HIJACK:
            hijack = _("Black hijacks %(square)s", square=move)
            return hijack if is_black else _("White hijacks %(square)s", square=move)
        if kind is MoveKind.REINFORCEMENT:
            reinforcement = _("Black reinforces %(square)s", square=move)
            return reinforcement if is_black else _("White reinforces %(square)s", square=move)
        if move != PASS:
            return _("Black %(square)s", square=move) if is_black else _("White %(square)s", square=move)
        if automatic:
            return _("Black cannot play and passes") if is_black else _("White cannot play and passes")
        return _("Black passes") if is_black else _("White passes")

    def count_rows(self, position: Position) -> Sequence[tuple[str, ...]]:
        """Return what the totals consist of: label, Black's figure, White's figure."""
        held = territory(position)
        squares_held = (_("Territory"), str(held.count(Side.BLACK)), str(held.count(Side.WHITE)))
        return (squares_held, (_("Komi"), "", number(position.komi))) if position.komi else ()

    def legend(self) -> Sequence[tuple[Markup, str]]:
        """Return what the marks on the board mean."""
        return _legend(current())


@cache
def _legend(_language: str) -> tuple[tuple[Markup, str], ...]:
    strength = Markup('<div class="board-show-strength">{}</div>').format(_sample("", 0, None, 3))
    return (
        (_sample("", 0), _("You may place a disk here: you are at least as strong as your opponent.")),
        (_sample("w", 0), _("You may hijack this stack: you are stronger by at least its height.")),
        (_sample("b", 0), _("Your own disk: you may place one more on it.")),
        (_sample("bw", _LAST, None), _("The last move.")),
        (
            strength,
            _("With “Show strength”: these lines where Black leads, rising ones for White; denser for more."),
        ),
        (_sample("", _FINISHED, None, 1), _("Territory, at the end: empty, and Black is stronger.")),
    )


def _sample(stack: str, flags: int, side: Side | None = Side.BLACK, black: int = 0) -> Markup:
    return Markup(_square("", stack, flags, side, 1, black, 0))  # noqa: S704 - our own strings


@cache
def _squares(_language: str) -> Callable[..., str]:
    """Return what draws squares in a language, with a cache of its own."""
    return lru_cache(maxsize=1 << 15)(_square)


def _square(
    name: str, stack: str, flags: int, side: Side | None, may_play: int, black: int, white: int
) -> str:
    """Draw one square. `side` is to move, and may place a disk here unless `may_play` is 0.

    Its sign in text browsers: "B3" for a stack, "b" for territory, "+" where the side to move may play.
    """
    play = placement_kind(stack, side) if side and may_play else None
    live, lead, sign = flags & _LIVE, black - white, "+" if play else "."
    classes, words = ["sq", "sq-last"] if flags & _LAST else ["sq"], [name]
    if lead:
        classes.append(f"sq-{'b' if lead > 0 else 'w'}{min(abs(lead), 4)}")
    if stack:
        sign = f"{stack[-1].upper()}{len(stack)}"
        words.append(_stack_words(stack, current()))
    elif flags & _FINISHED and lead:
        owner = "black" if lead > 0 else "white"
        sign = owner[0]
        classes.append(f"sq-{owner}-point")
        words.append(escape(_TERRITORY[owner]))
    if flags & _LAST:
        words.append(escape(_LAST_MOVE))
    inner = _stack_svg(stack, bool(flags & _LAST), play is Placement.HIJACK) if stack else ""
    inner += said(", ".join(words), sign)
    if play:
        classes.append(_PLAY_CLASS[play])
        inner += may(escape(_PLAY_WORDS[play]))
    if play and live:
        inner = f'<button name="move" value="{name}">{inner}</button>'
    if black or white:
        inner += _strengths(black, white, current())
    return f'<span{place(name, is_live=bool(live))} class="{" ".join(classes)}">{inner}</span>'


@lru_cache(maxsize=1 << 12)
def _strengths(black: int, white: int, _language: str) -> str:
    """Draw the strengths on a square, which text browsers do not show."""
    words = escape(_("strength %(black)s to %(white)s", black=black, white=white))
    figures = f'<b data-text="{black}"></b><i data-text="{white}"></i>'
    return f'<span class="sq-str" role="img" aria-label="{words}">{figures}</span>'


@lru_cache(maxsize=1 << 12)
def _stack_words(stack: str, _language: str) -> Markup:
    """Return a stack: "black disk", "white stack of 3: black, black, white from the bottom"."""
    height, top = len(stack), stack[-1]
    if height == 1:
        return escape(_DISK[top])
    if top == "b":
        words = _("black stack of %(height)s", height=height)
    else:
        words = _("white stack of %(height)s", height=height)
    if len(set(stack)) == 1:
        return escape(words)
    disks = ", ".join(_COLOUR_WORDS[disk].translated() for disk in stack)
    return escape(_("%(stack)s: %(disks)s from the bottom", stack=words, disks=disks))


@lru_cache(maxsize=4096)
def _stack_svg(stack: str, last: bool, hijack: bool) -> str:
    """Draw a stack: the last move's ring at its foot, its disks, a hijacker's ring, the height from 4 up."""
    height = len(stack)
    thick = thickness(height)
    top = 20 - height * thick / 2  # the centre of the uppermost face
    parts = []
    if last:
        parts.append(_use("last-move", top + thick * height))
    disks = [
        _use(f"disk-{_COLOUR[disk]}", top + thick * (height - 1 - place)) for place, disk in enumerate(stack)
    ]
    if last:
        moves = "flips" if height > 1 and stack[-1] != stack[-2] else "drops"
        disks[-1] = f'<g class="piece-{moves}">{disks[-1]}</g>'
    parts += disks
    colour = _COLOUR[stack[-1]]
    if hijack:
        parts.append(_use(f"hijack-{colour}", top))
    if height >= 4:
        parts.append(f'<text class="piece-on-{colour}" x="20" y="{top + 3.4:.1f}">{height}</text>')
    return f'<svg viewBox="0 0 40 40" aria-hidden="true">{"".join(parts)}</svg>'


def _use(symbol: str, y: float) -> str:
    return f'<use href="#{symbol}" x="20" y="{y:.1f}"/>'


def _for_you(side: Side, square: str, error: IllegalMove) -> Text:
    values = {"square": square, "opponent": _SIDES[_OTHER[side]], **error.figures}
    match error.reason:
        case "too_weak":
            return _(
                "%(square)s: your strength %(own)s, %(opponent)s's %(opposing)s: "
                "you need at least %(needed)s.",
                **values,
            )
        case "too_weak_to_hijack":
            return _(
                "%(square)s: your strength %(own)s, %(opponent)s's %(opposing)s, and the height counts too: "
                "you need at least %(needed)s to hijack this stack.",
                **values,
            )
        case "already_reinforced":
            return _("%(square)s: two of your disks are on top; a third is not allowed.", **values)
    return _for_others(side, square, error)


def _for_others(side: Side, square: str, error: IllegalMove) -> Text:
    values = {
        "square": square,
        "side": _SIDES[side],
        "opponent": _SIDES[_OTHER[side]],
        **error.figures,
    }
    match error.reason:
        case "too_weak":
            return _(
                "%(square)s: %(side)s's strength %(own)s, %(opponent)s's %(opposing)s: "
                "%(side)s needs at least %(needed)s.",
                **values,
            )
        case "too_weak_to_hijack":
            return _(
                "%(square)s: %(side)s's strength %(own)s, %(opponent)s's %(opposing)s, and the height counts "
                "too: %(side)s needs at least %(needed)s to hijack this stack.",
                **values,
            )
        case "already_reinforced":
            return _("%(square)s: two disks of %(side)s are on top; a third is not allowed.", **values)
        case "centre_first":
            return _("%(square)s: the first disk may not go on the centre of the board.", **values)
    return reason_of(error)
