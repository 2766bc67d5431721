"""The graph of a review: what was reached and what was expected by ply, with a link to each ply."""

from collections.abc import Sequence

from markupsafe import Markup, escape

from app.core.i18n.formats import number
from app.core.i18n.text import Text, _
from app.core.web.charts import BOTTOM, HEIGHT, LEFT, TOP, WIDTH, axis, svg


def graph_of_leads(
    scores: Sequence[float], leads: Sequence[float], ply: int, path: str, first_ply: int = 0
) -> Markup:
    """Return the graph of the first side's lead, by the score and as expected; `ply` is the one shown."""
    high = max(1.0, *map(abs, (*scores, *leads)))
    return _graph(_("Lead by ply"), (scores, leads), (high, 0, -high), ply, path, first_ply)


def graph_of_results(
    reached: Sequence[float], expected: Sequence[float], ply: int, path: str, first_ply: int = 0
) -> Markup:
    """Return the graph of a result that one player reached by ply, and of the best one within reach."""
    high = max(1.0, *reached, *expected)
    return _graph(_("Result by ply"), (reached, expected), (high, high / 2, 0), ply, path, first_ply)


def _graph(
    title: Text,
    series: tuple[Sequence[float], Sequence[float]],
    grid: Sequence[float],
    ply: int,
    path: str,
    first_ply: int,
) -> Markup:
    high, low = grid[0], grid[-1]
    dashed, solid = series
    step = (WIDTH - LEFT - 8) / max(len(solid) - 1, 1)

    def x(place: float) -> float:
        return LEFT + step * (place - first_ply)

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)

    def text(value: float) -> str:
        return f"{'+' if low < 0 < value else ''}{number(value)}"

    parts = [axis()]
    for value in grid:
        parts.append(f'<path class="chart-grid" d="M{LEFT} {y(value):.1f}H{WIDTH}"/>')
        label = f'<text x="{LEFT - 5}" y="{y(value) + 4:.1f}" text-anchor="end">{text(round(value))}</text>'
        parts.append(label)
    for line, ink in ((dashed, "chart-other"), (solid, "chart-mean")):
        points = " ".join(f"{x(place):.1f},{y(value):.1f}" for place, value in enumerate(line, first_ply))
        parts.append(f'<polyline class="{ink}" points="{points}"/>')
    parts.append(f'<path class="review-here" d="M{x(max(ply, first_ply)):.1f} {TOP}V{HEIGHT - BOTTOM}"/>')
    for place, value in enumerate(solid, first_ply):
        label = escape(_("Ply %(ply)s: %(lead)s", ply=place, lead=text(round(value, 1))))
        parts.append(
            f'<a href="{path}?ply={place}" tabindex="-1" data-hx-get="{path}?ply={place}" '
            'data-hx-target="#review" data-hx-swap="outerMorph" data-hx-push-url="true">'
            f"<title>{label}</title>"
            f'<rect class="review-ply" x="{x(place - 0.5):.1f}" y="{TOP}" width="{step:.1f}" '
            f'height="{HEIGHT - TOP - BOTTOM}"/></a>'
        )
    return svg(title, parts, role="group")
