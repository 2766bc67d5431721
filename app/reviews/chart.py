"""The graph of a review: the score and the expected lead by ply, with a link to each ply."""

from collections.abc import Sequence

from markupsafe import Markup, escape

from app.i18n.formats import number
from app.i18n.text import _
from app.web.charts import BOTTOM, HEIGHT, LEFT, TOP, WIDTH, axis, svg


def graph(scores: Sequence[float], leads: Sequence[float], ply: int, path: str) -> Markup:
    """Return the graph of the first side's lead, by the score and as expected; `ply` is the one shown."""
    high = max(1.0, *map(abs, (*scores, *leads)))
    step = (WIDTH - LEFT - 8) / max(len(leads) - 1, 1)

    def x(place: float) -> float:
        return LEFT + step * place

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (2 * high)

    parts = [axis()]
    for value in (high, 0, -high):
        parts.append(f'<path class="chart-grid" d="M{LEFT} {y(value):.1f}H{WIDTH}"/>')
        label = (
            f'<text x="{LEFT - 5}" y="{y(value) + 4:.1f}" text-anchor="end">{_signed(round(value))}</text>'
        )
        parts.append(label)
    for line, ink in ((scores, "chart-other"), (leads, "chart-mean")):
        points = " ".join(f"{x(place):.1f},{y(value):.1f}" for place, value in enumerate(line))
        parts.append(f'<polyline class="{ink}" points="{points}"/>')
    parts.append(f'<path class="review-here" d="M{x(ply):.1f} {TOP}V{HEIGHT - BOTTOM}"/>')
    for place, lead in enumerate(leads):
        title = escape(_("Ply %(ply)s: %(lead)s", ply=place, lead=_signed(round(lead, 1))))
        parts.append(
            f'<a href="{path}?ply={place}" tabindex="-1" hx-get="{path}?ply={place}" hx-target="#review" '
            f'hx-swap="outerMorph" hx-push-url="true"><title>{title}</title>'
            f'<rect class="review-ply" x="{x(place - 0.5):.1f}" y="{TOP}" width="{step:.1f}" '
            f'height="{HEIGHT - TOP - BOTTOM}"/></a>'
        )
    return svg(_("Lead by ply"), parts)


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else ''}{number(value)}"
