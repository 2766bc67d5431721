"""The boards of the number games: numbers, the trail that joins them, the squares within reach."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

from markupsafe import Markup, escape

from app.core.i18n.languages import current
from app.core.i18n.text import Text, _, reason_of
from app.play.games.boards.board import Board, framed, framed_picture, may, middle_of, place, said
from app.play.games.boards.film import Part
from app.play.games.views import Obstacle
from engine import squares
from engine.game import IllegalMove
from engine.game_record import GameRecord

_SHADES = 6  # of the trail, from the newest to the oldest
_SEGMENTS = 4  # in each shade but the oldest
_INK = {"first": "#2b221d", "second": "#8a2f0a", "solo": "#2b221d"}
_WRITTEN: Mapping[str, Callable[[int], str]] = {
    "first": lambda number: _("%(number)s by the first side", number=number),
    "second": lambda number: _("%(number)s by the second side", number=number),
    "solo": str,
}


class Reach(NamedTuple):
    """A square where the next number may go: how far it is from the last one (0 if there is none)."""

    far: int
    scores: bool = False


class WrittenNumber(NamedTuple):
    """A number on a square: who wrote it ("first", "second", "solo") and whether it scored."""

    number: int
    writer: str
    scored: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """What a number board shows; squares are indices as in `squares.names`, `cells` those with numbers."""

    size: int
    cells: Sequence[int]
    written: Sequence[WrittenNumber]
    reach: Mapping[int, Reach] = field(default_factory=dict)


class NumberBoard(Board):
    """Draws a number game for the registry of boards: the game says what its grid shows."""

    switches: ClassVar[Sequence[tuple[str, Text]]] = (("hide-trail", _("Hide the trail")),)

    @abstractmethod
    def grid(self, position: Any, *, playable: bool) -> Grid:
        """Return what to draw of a position; the squares within reach only if asked for."""

    def draw(
        self,
        position: Any,
        *,
        last_move: str | None = None,  # noqa: ARG002 - it is the last number
        playable: bool = False,
        finished: bool = False,  # noqa: ARG002 - there is no territory
        live: bool = False,
        over: str = "",
    ) -> Markup:
        """Draw a position."""
        grid = self.grid(position, playable=playable)
        shown: list[WrittenNumber | Reach | None] = [None] * grid.size**2
        for cell, number in zip(grid.cells, grid.written, strict=True):
            shown[cell] = number
        for cell, within in grid.reach.items():
            shown[cell] = within
        last = grid.cells[-1] if grid.cells else -1
        names = squares.names(grid.size)
        square = _squares(current())
        drawn = [square(name, shown[cell], cell == last, live) for cell, name in enumerate(names)]
        over = trail(tuple(grid.cells), grid.size) + over
        return framed(drawn, grid.size, live=live, filled=len(grid.cells), over=over)

    def ghost(self, position: Any, move: str, label: str) -> str:  # noqa: ARG002 - they have their own
        """Draw the number that would be written on a square, which may begin another round."""
        number = len(self.grid(position, playable=False).cells) + 1
        drawn = f'<circle cx="20" cy="16" r="14"/><text x="20" y="21.5">{number}</text>'
        return f'<g class="ghost-number ghost-by-{self._rules.side_to_move(position)}">{drawn}</g>'

    def picture(self, position: Any, last_move: str | None) -> str:  # noqa: ARG002 - it is the last number
        """Draw the numbers, the trail through them, and a ring around the last one."""
        grid = self.grid(position, playable=False)
        points = [middle_of(cell, grid.size) for cell in grid.cells]
        drawn = [_trail(pairwise(points))]
        if points:
            drawn.append(_ring(*points[-1]))
        drawn += [_number(*point, written) for point, written in zip(points, grid.written, strict=True)]
        return framed_picture(self._rules.title, grid.size, drawn)

    def rounds(self, position: Any) -> Sequence[Grid]:
        """Return what to draw of each round that has numbers."""
        return [self.grid(position, playable=False)]

    def film_parts(self, record: GameRecord) -> Iterator[Part]:
        """Yield the numbers of a game, round by round, with the trail and the ring around the last one."""
        begun, rounds = 0, self.rounds(record.positions()[-1])
        for grid in rounds:
            ended = begun + len(grid.cells)
            gone = None if grid is rounds[-1] else ended + 1
            points = [middle_of(cell, grid.size) for cell in grid.cells]
            for ply, line in enumerate(pairwise(points), begun + 2):
                yield Part(_trail([line]), ply, gone)
            for ply, (point, written) in enumerate(zip(points, grid.written, strict=True), begun + 1):
                yield Part(_ring(*point), ply, ply + 1 if ply < ended else gone)
                yield Part(_number(*point, written), ply, gone)
            begun = ended

    def legend(self) -> Sequence[tuple[Markup, str]]:
        """Return what the marks on the board mean."""
        return _legend(current())


@cache
def _legend(_language: str) -> tuple[tuple[Markup, str], ...]:
    return (
        (_sample(Reach(3)), _("The next number may go here, 3 squares from the last one.")),
        (_sample(WrittenNumber(7, "solo")), _("The last number has a frame.")),
        (_sample(Reach(4, scores=True)), _("With a dot: it scores a point here.")),
    )


def _sample(shown: WrittenNumber | Reach) -> Markup:
    is_last = isinstance(shown, WrittenNumber)
    return Markup(_square("", shown, is_last, False))  # noqa: S704 - a picture, our own strings


@cache
def _squares(_language: str) -> Callable[..., str]:
    """Return what draws squares in a language, with a cache of its own."""
    return lru_cache(maxsize=1 << 14)(_square)


def _square(name: str, shown: WrittenNumber | Reach | None, is_last: bool, live: bool) -> str:
    """Draw one square; open ones are "+" in text browsers."""
    classes, words, inner, sign, reach = ["sq"], [name], "", ".", ""
    match shown:
        case WrittenNumber(number, writer, scored):
            classes += ["num", f"num-by-{writer}"]
            if scored:
                classes.append("num-scored")
            if is_last:
                classes.append("sq-last")
            words.append(_written_words(number, writer, scored, is_last, current()))
            inner, sign = f'<b class="num-value" data-text="{number}"></b>', str(number)
        case Reach(far, scores):
            classes.append("num-reach" if far else "sq-play")
            if scores:
                classes.append("num-scores")
            inner, sign = f'<b class="num-far" data-text="{far}"></b>' if far else "", "+"
            reach = may(_reach_words(far, scores, current()))
    inner += said(", ".join(words), sign) + reach
    if isinstance(shown, Reach) and live:
        inner = f'<button name="move" value="{name}">{inner}</button>'
    return f'<span{place(name, is_live=live)} class="{" ".join(classes)}">{inner}</span>'


@lru_cache(maxsize=1 << 10)
def _written_words(number: int, writer: str, scored: bool, is_last: bool, _language: str) -> str:
    """Return "7 by the first side, scored, last number"."""
    words = [_WRITTEN[writer](number)]
    if scored:
        words.append(_("scored"))
    if is_last:
        words.append(_("last number"))
    return ", ".join(map(escape, words))


@lru_cache(maxsize=1 << 8)
def _reach_words(far: int, scores: bool, _language: str) -> str:
    """Return "playable, 3 away, scores"."""
    words = [_("playable")]
    if far:
        words.append(_("%(squares)s away", squares=far))
    if scores:
        words.append(_("scores"))
    return ", ".join(map(escape, words))


@lru_cache(maxsize=512)
def trail(cells: tuple[int, ...], size: int) -> str:
    """Draw the line through the numbers: a path for each shade, older ones fainter, and for the last jump."""
    if len(cells) < 2:
        return ""
    *steps, last = pairwise(cells)
    start_point = _point(last[0], size)
    drawn = f'd="M{start_point}L{_point(last[1], size)}"'
    paths = [f'<path class="trail-0 trail-last" transform-origin="{start_point}" {drawn}/>']
    for shade in range(_SHADES):
        end = len(steps) - shade * _SEGMENTS
        start = 0 if shade == _SHADES - 1 else max(0, end - _SEGMENTS)
        if end > 0:
            lines = "".join(
                f"M{_point(start_cell, size)}L{_point(end_cell, size)}"
                for start_cell, end_cell in steps[start:end]
            )
            paths.append(f'<path class="trail-{shade}" d="{lines}"/>')
    return (
        f'<svg class="trail" viewBox="0 0 {2 * size} {2 * size}" aria-hidden="true">'
        f"{''.join(reversed(paths))}</svg>"
    )


def _point(cell: int, size: int) -> str:
    """Return the middle of a square in half squares from the top left."""
    row, column = divmod(cell, size)
    return f"{2 * column + 1} {2 * (size - 1 - row) + 1}"


def _trail(lines: Iterable[tuple[tuple[float, float], tuple[float, float]]]) -> str:
    trail = "".join(f"M{x:g} {y:g}L{to_x:g} {to_y:g}" for (x, y), (to_x, to_y) in lines)
    return f'<path d="{trail}" stroke="#8a4525" stroke-opacity="0.3" fill="none"/>'


def _ring(x: float, y: float) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="17" fill="#faf5ea" stroke="#8a2f1c" stroke-width="2"/>'


def _number(x: float, y: float, written: WrittenNumber) -> str:
    weight = "bold" if written.scored else "normal"
    return (
        f'<text x="{x:g}" y="{y + 6:g}" font-size="17" font-weight="{weight}" text-anchor="middle" '
        f'fill="{_INK[written.writer]}">{written.number}</text>'
    )


def obstacle_to_next(
    cells: Sequence[int], size: int, square: str, error: IllegalMove, *, away: int | None = None
) -> Obstacle:
    """Return why the next number may not go on a square; `away` is the distance that it must keep, if any."""
    if not cells:
        return Obstacle(square, reason_of(error))
    last = squares.names(size)[cells[-1]]
    values = {"square": square, "last": last, "number": len(cells), "away": away, **error.figures}
    match error.reason:
        case "occupied":
            text = _("%(square)s: %(number)s is here already.", **values)
        case "not_on_a_line":
            text = _("%(square)s is not in line with %(last)s, where %(number)s is.", **values)
        case "not_k_away" if away == 1:
            text = _(
                "%(square)s is not next to %(last)s, where %(number)s is: up, down, left or right.", **values
            )
        case "not_k_away":
            text = _(
                "%(square)s is not %(away)s squares up, down, left or right of %(last)s, where %(number)s "
                "is.",
                **values,
            )
        case "reset_not_allowed":
            text = _(
                "%(square)s: k falls back to 1 only when no free square is %(away)s away from %(last)s.",
                **values,
            )
        case _:
            text = reason_of(error)
    return Obstacle(square, text, own=(last,))
