"""Charts as SVG in the colours of the page. Pages also show the figures as a table."""

from collections.abc import Sequence
from datetime import datetime

from markupsafe import Markup, escape

from app.core.i18n.formats import day_in, decimal
from app.core.i18n.languages import current
from app.core.i18n.text import Text, _, ngettext
from app.core.web.charts import BOTTOM, HEIGHT, LEFT, TOP, WIDTH, axis, svg
from app.nugget.history import Point


def bars(counts: Sequence[int], *, against: Sequence[int] | None = None) -> Markup:
    """Draw the moves per board as bars, and their mean so far as a line, with that of another entry."""
    against = (against or ())[: len(counts)]
    most = max([*counts, *against, 1])
    step = (WIDTH - LEFT) / max(len(counts), 1)
    parts = [_frame(most)]
    for place, count in enumerate(counts):
        parts.append(
            f'<rect class="chart-bar" x="{LEFT + place * step + step * 0.12:.1f}" y="{_y(count, most):.1f}" '
            f'width="{step * 0.76:.1f}" height="{_y(0, most) - _y(count, most):.1f}">'
            f"<title>{escape(_moves_on_board(place + 1, count))}</title></rect>"
        )
    if against:
        parts.append(_mean_line(against, step, most, "chart-other"))
    parts.append(_mean_line(counts, step, most, "chart-mean"))
    last = len(counts)
    parts.append(_labels([(1, LEFT + step / 2, "middle"), (last, WIDTH, "end")]))
    return svg(_("Moves on each board, and their mean so far"), parts)


def stair(entries: Sequence[Point], best: Sequence[Point]) -> Markup:
    """Draw a dot for each entry, and the best mean over time as a staircase."""
    points = [(entry.at, entry.mean.moves / entry.mean.boards) for entry in entries]
    records = [(entry.at, entry.mean.moves / entry.mean.boards) for entry in best]
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
            f"<title>{day_in(current(), at)}: {decimal(f'{mean:.2f}')}</title></circle>"
        )
    parts += [
        f'<text x="{LEFT - 5}" y="{spot(first, mean)[1] + 4:.1f}" text-anchor="end">'
        f"{decimal(f'{mean:.1f}')}</text>"
        for mean in sorted({low, high})
    ]
    parts.append(f'<text x="{LEFT}" y="{HEIGHT - 5}">{day_in(current(), first)}</text>')
    parts.append(f'<text x="{WIDTH}" y="{HEIGHT - 5}" text-anchor="end">{day_in(current(), last)}</text>')
    return svg(_("The best mean over time"), parts)


def _moves_on_board(board: int, count: int) -> Text:
    return ngettext("Board %(board)s: %(count)s move", "Board %(board)s: %(count)s moves", count, board=board)


def _mean_line(counts: Sequence[int], step: float, most: int, name: str) -> str:
    total, points = 0, []
    for place, count in enumerate(counts, 1):
        total += count
        points.append(f"{LEFT + (place - 0.5) * step:.1f},{_y(total / place, most):.1f}")
    return f'<polyline class="{name}" points="{" ".join(points)}"/>'


def _frame(most: int) -> str:
    lines = [axis()]
    for value in (0, most // 2, most):
        y = _y(value, most)
        lines.append(f'<text x="{LEFT - 5}" y="{y + 4:.1f}" text-anchor="end">{value}</text>')
        lines.append(f'<path class="chart-grid" d="M{LEFT} {y:.1f}H{WIDTH}"/>')
    return "".join(lines)


def _labels(places: Sequence[tuple[int, float, str]]) -> str:
    return "".join(
        f'<text x="{x:.1f}" y="{HEIGHT - 5}" text-anchor="{anchor}">{value}</text>'
        for value, x, anchor in places
    )


def _y(value: float, most: int) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / most
