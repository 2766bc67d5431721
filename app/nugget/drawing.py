"""Pictures: the Golden Nugget board as HTML and as an SVG document of its own, and charts."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import cache, lru_cache, partial
from itertools import zip_longest

from cachetools import LRUCache, cached
from markupsafe import Markup, escape

from app.core.i18n.formats import day_in, decimal
from app.core.i18n.languages import current
from app.core.i18n.text import _, ngettext, reason_of
from app.core.web.charts import BOTTOM, HEIGHT, LEFT, TOP, WIDTH, axis, ends, svg
from app.nugget.rankings import History
from app.play.games.boards.board import Theme, by_night
from app.play.games.boards.film import Film, Part, film, longest_film
from engine.golden_nugget.blocks import COLOURS, Colour, Face
from engine.golden_nugget.board import FORCES, START, Board, IllegalPush, Move, push, pushes
from engine.golden_nugget.cycle import Cycle
from engine.golden_nugget.play import Play
from engine.golden_nugget.ranking import Mean

_SIZE = 7
_SIDES = ("top", "right", "bottom", "left")
_COLOUR_WORDS = {
    Colour.WHITE: _("white"),
    Colour.YELLOW: _("yellow"),
    Colour.BLUE: _("blue"),
    Colour.PINK: _("pink"),
    Colour.RED: _("red"),
    Colour.GREEN: _("green"),
}
_PLACES = {force: place for place, force in enumerate(FORCES)}

_TILE, _RIM = 60, 24  # of a picture
_FILLS = {
    Colour.WHITE: "#faf4e6",
    Colour.YELLOW: "#f0c23c",
    Colour.BLUE: "#2f62ad",
    Colour.PINK: "#f09ab8",
    Colour.RED: "#a8262b",
    Colour.GREEN: "#2d7a4d",
}
_DARK = frozenset((Colour.BLUE, Colour.RED, Colour.GREEN))


def draw_live(board: Board) -> Markup:
    """Draw the board of a run, with the forces as submit buttons named `commands`.

    The tiles come in the order of their numbers, so that each remains the same element wherever it moves.
    """
    forces = "".join(_force(force, pushed) for force, pushed in pushes(board).items())
    return _drawn(_tiles(board, live=True) + forces, board)


def draw_still(board: Board) -> Markup:
    """Draw a board as a picture, with the names of the forces around it."""
    names = "".join(
        f'<span class="force {_place(force)}" aria-hidden="true">{force}</span>' for force in FORCES
    )
    return _drawn(_tiles(board, live=False) + names, board)


def _drawn(inner: str, board: Board) -> Markup:
    return Markup(f'<div class="nugget">{inner}</div>{_table(board)}')  # noqa: S704 - our own strings


def _tiles(board: Board, *, live: bool) -> str:
    places = sorted((block, cell) for cell, block in enumerate(board.cells))
    tiles = "".join(_tile(block, cell, board.face, live) for block, cell in places)
    return f'<div class="nugget-tiles">{tiles}</div>'


@lru_cache(maxsize=1 << 14)
def _tile(block: int, cell: int, face: Face, live: bool) -> str:
    # The table is for those who read: text browsers would show the words of 49 tiles.
    row, column = divmod(cell, _SIZE)
    up, down = COLOURS[face][block], COLOURS[face.other][block]
    identity = f' id="block-{block}"' if live else ""
    return (
        f'<div{identity} class="tile tile-x{column} tile-y{row} tile-{up}" aria-hidden="true">'
        f'<b data-text="{block}"></b><i data-text="{_glyph(up)}"></i>'
        f'<small class="tile-{down}" data-text="{_glyph(down)}"></small></div>'
    )


def _glyph(up: Colour) -> str:
    return "" if up is Colour.WHITE else up[0].upper()


def _place(force: str) -> str:
    side, number = divmod(_PLACES[force], _SIZE)
    return f"force-{_SIDES[side]} force-n{number if side < 2 else _SIZE - 1 - number}"


def _force(force: str, push: Move | IllegalPush) -> str:
    if isinstance(push, Move):
        state, disabled = f"force-lifts{push.lifted}", ""
        label = _("Force %(force)s: lifts the block on square %(square)s", force=force, square=push.lifted)
    else:
        state, disabled = "force-stuck", ' aria-disabled="true"'
        label = reason_of(push)
    spoken = escape(label)
    return (
        f'<button type="submit" name="commands" value="{force}" id="force-{force}" title="{spoken}" '
        f'class="force {_place(force)} {state}" aria-label="{spoken}"{disabled}>{force}</button>'
    )


def _table(board: Board) -> str:
    """Return the board in words, row by row, for screen readers."""
    rows = []
    for row in range(_SIZE):
        cells = board.cells[row * _SIZE : (row + 1) * _SIZE]
        words = "".join(
            f"<td>{escape(_COLOUR_WORDS[COLOURS[board.face][block]])} {block}</td>" for block in cells
        )
        label = escape(_("Row %(number)s", number=row + 1))
        rows.append(f'<tr><th scope="row">{label}</th>{words}</tr>')
    caption = escape(_("The board"))
    table = f"<table><caption>{caption}</caption>{''.join(rows)}</table>"
    return f'<div class="visually-hidden">{table}</div>'


def figures() -> dict[str, Markup]:
    """Return the figures of the rules page by name."""
    return _figures(current())


@cache
def _figures(_language: str) -> dict[str, Markup]:
    pushed = START
    for force in "P5L":
        pushed, _ = push(pushed, force)
    blocks = {
        colour: [block for block, shown in COLOURS[Face.A].items() if shown is colour] for colour in Colour
    }
    white = iter(blocks.pop(Colour.WHITE))
    border = [next(white) for _ in range(_SIZE)]
    middle = [block for strip in blocks.values() for block in (next(white), *strip, next(white))]
    solved = Board(Face.A, (*border, *middle, *white))
    return {"start": draw_still(START), "pushed": draw_still(pushed), "solved": draw_still(solved)}


_SAMPLE = "2 H B D S N P 7 D N 4 S S B 2 B B S J O C L G 5 U U B L U 4 1 I I S 6 J"


def picture_of(board: Board) -> str:
    """Return a board as an SVG document, without its forces."""
    return _pictured(_tile_picture(cell, _shown(board, cell)) for cell in range(_SIZE**2))


@cache
def sample_still() -> str:
    """Return a solved board as an SVG document."""
    return by_night(picture_of(_sample_boards()[-1]))


@cache
def sample_film() -> str:
    """Return how a board is solved, as an SVG document that plays by itself."""
    return by_night(_pictured([film(list(_parts(_sample_boards()))).drawn]))


def film_of(boards: Sequence[Board], theme: Theme = "system") -> tuple[str, Film]:
    """Return boards one after the other as an SVG document that plays by itself, and which are seen."""
    made = longest_film(list(_parts(boards)))
    return by_night(_pictured([made.drawn]), theme), made


def film_of_board(play: Play, theme: Theme) -> tuple[str, Film]:
    """Return a board as an SVG document that plays by itself, and which of its moves are seen."""
    return film_of([play.after(at) for at in range(len(play.made) + 1)], theme)


def _parts(boards: Sequence[Board]) -> Iterator[Part]:
    """Yield each tile that is seen, for as long as its colour stays."""
    for cell in range(_SIZE**2):
        colours = [_shown(board, cell) for board in boards]
        changes = [at for at, colour in enumerate(colours) if at == 0 or colour != colours[at - 1]]
        for start, end in zip_longest(changes, changes[1:]):
            yield Part(_tile_picture(cell, colours[start]), start, end)


@cache
def _sample_boards() -> list[Board]:
    boards = [START]
    for force in _SAMPLE.split():
        boards.append(push(boards[-1], force)[0])
    return boards


def _shown(board: Board, cell: int) -> Colour:
    return COLOURS[board.face][board.cells[cell]]


def _tile_picture(cell: int, colour: Colour) -> str:
    row, column = divmod(cell, _SIZE)
    x, y = _RIM + column * _TILE + 2, _RIM + row * _TILE + 2
    side = _TILE - 4
    tile = f'<rect x="{x}" y="{y}" width="{side}" height="{side}" rx="4" fill="{_FILLS[colour]}"/>'
    if not (glyph := _glyph(colour)):
        return tile
    ink = ' fill="#fff"' if colour in _DARK else ""
    return f'{tile}<text x="{x + side // 2}" y="{y + side // 2 + 9}"{ink}>{glyph}</text>'


def _pictured(tiles: Iterable[str]) -> str:
    whole = _SIZE * _TILE + 2 * _RIM
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}" font-family="serif" '
        'font-size="26" font-weight="700" text-anchor="middle"><title>Golden Nugget</title>'
        f'<rect width="{whole}" height="{whole}" fill="#7c5830"/>{"".join(tiles)}</svg>'
    )


@cached(
    LRUCache(32),
    key=lambda counts, *, against=(), cycle=None: (tuple(counts), tuple(against), cycle, current()),
)
def bars(counts: Sequence[int], *, against: Sequence[int] = (), cycle: Cycle | None = None) -> Markup:
    """Draw the moves per board as bars, and their mean so far as a line, with that of another entry.

    The bars of a cycle have a stronger colour.
    """
    repeated = range(cycle.first, cycle.last + 1) if cycle else ()
    boards = max(len(counts), len(against), 1)
    most = max([*counts, *against, 1])
    step = (WIDTH - LEFT) / boards
    parts = [_frame(most)]
    for place, count in enumerate(counts):
        label = ngettext(
            "Board %(board)s: %(count)s move", "Board %(board)s: %(count)s moves", count, board=place + 1
        )
        ink = "chart-bar-cycle" if place + 1 in repeated else "chart-bar"
        parts.append(
            f'<rect class="{ink}" x="{LEFT + place * step + step * 0.12:.1f}" y="{_y(count, most):.1f}" '
            f'width="{step * 0.76:.1f}" height="{_y(0, most) - _y(count, most):.1f}">'
            f"<title>{escape(label)}</title></rect>"
        )
    parts.append(_mean_line(counts, step, most, "chart-mean"))
    if against:  # on top, so that it is seen where both are the same
        parts.append(_mean_line(against, step, most, "chart-other"))
    ends = [(1, LEFT + step / 2, "middle"), (boards, WIDTH, "end")]
    for number, x, anchor in ends[: min(boards, 2)]:
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - 5}" text-anchor="{anchor}">{number}</text>')
    return svg(_("Moves on each board, and their mean so far"), parts)


@cached(LRUCache(8), key=lambda history: (history.version, current()))
def drawn_history(history: History) -> Markup:
    """Draw the best mean over time, once for each version and language."""
    entries, records = (
        [(point.at, point.mean) for point in points] for points in (history.entries, history.records)
    )
    return stair(entries, records, partial(day_in, current()))


MeanAt = tuple[datetime, Mean]
"""A mean at a moment."""


def stair(entries: Sequence[MeanAt], best: Sequence[MeanAt], named: Callable[[datetime], str]) -> Markup:
    """Draw a dot for each entry, and the best mean over time as a staircase, with the names of moments."""
    points, records = ([(at, mean.moves / mean.boards) for at, mean in means] for means in (entries, best))
    if not points:
        return Markup("")
    first, last = min(at for at, _ in points), max(at for at, _ in points)
    span = (last - first).total_seconds() or 1.0
    means = [mean for _, mean in points]
    low, high = min(means), max(means)
    room = (high - low) or 1.0

    def spot(at: datetime, mean: float) -> tuple[float, float]:
        x = LEFT + 8 + (WIDTH - LEFT - 16) * (at - first).total_seconds() / span
        return x, TOP + 6 + (HEIGHT - TOP - BOTTOM - 12) * (high - mean) / room

    parts = [axis()]
    path = ""
    for at, mean in records:
        x, y = spot(at, mean)
        path += f"H{x:.1f}V{y:.1f}" if path else f"M{x:.1f} {y:.1f}"
    parts.append(f'<path class="chart-mean" d="{path}H{WIDTH}"/>')
    for at, mean in points:
        x, y = spot(at, mean)
        parts.append(
            f'<circle class="chart-dot" cx="{x:.1f}" cy="{y:.1f}" r="4">'
            f"<title>{named(at)}: {decimal(f'{mean:.2f}')}</title></circle>"
        )
    parts += [
        f'<text x="{LEFT - 5}" y="{spot(first, mean)[1] + 4:.1f}" text-anchor="end">'
        f"{decimal(f'{mean:.2f}')}</text>"
        for mean in sorted({low, high})
    ]
    return svg(_("The best mean over time"), [*parts, ends(named(first), named(last))])


def _mean_line(counts: Sequence[int], step: float, most: int, name: str) -> str:
    total, points = 0, []
    for place, count in enumerate(counts, 1):
        total += count
        points.append(f"{LEFT + (place - 0.5) * step:.1f},{_y(total / place, most):.1f}")
    if len(counts) == 1:  # a line of one point would not be seen
        points = [f"{x:.1f},{_y(total, most):.1f}" for x in (LEFT, LEFT + step)]
    return f'<polyline class="{name}" points="{" ".join(points)}"/>'


def _frame(most: int) -> str:
    lines = [axis()]
    for value in (0, most // 2, most):
        y = _y(value, most)
        lines.append(f'<text x="{LEFT - 5}" y="{y + 4:.1f}" text-anchor="end">{value}</text>')
        lines.append(f'<path class="chart-grid" d="M{LEFT} {y:.1f}H{WIDTH}"/>')
    return "".join(lines)


def _y(value: float, most: int) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / most
