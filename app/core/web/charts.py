"""Charts as SVG in the colours of the page. Pages also show the figures as a table."""

from collections.abc import Sequence

from markupsafe import Markup, escape

from app.core.i18n.formats import decimal
from app.core.i18n.text import Text

WIDTH, HEIGHT = 640, 200
LEFT, BOTTOM, TOP = 36, 22, 10
_WIDEST_BAR = 64
_FEWEST_BARS = 2
_FEW = 4  # units on the whole axis, of which the middle is told to a tenth
_INK = ("chart-mean", "chart-other")  # classes of the first line and the second


def lines(title: Text, series: Sequence[Sequence[float]], labels: tuple[str, str]) -> Markup:
    """Return a line chart of one or two series; `labels` are those of the first and the last value."""
    values = [value for line in series for value in line]
    low, high = min(values), max(values)
    if high - low < 1:
        low, high = low - 1 if low < 0 else max(low - 1, 0), high + 1  # counts are never below 0
    steps = max(max(len(line) for line in series) - 1, 1)

    def spot(place: int, value: float) -> str:
        x = LEFT + (WIDTH - LEFT - 8) * place / steps
        y = TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)
        return f"{x:.1f},{y:.1f}"

    parts = [axis()]
    for value in (low, (low + high) / 2, high):
        _, y = spot(0, value).split(",")
        label = decimal(f"{value:.0f}" if high - low > _FEW else f"{value:.1f}".removesuffix(".0"))
        parts.append(f'<path class="chart-grid" d="M{LEFT} {y}H{WIDTH}"/>')
        parts.append(f'<text x="{LEFT - 5}" y="{float(y) + 4:.1f}" text-anchor="end">{label}</text>')
    for line, ink in zip(series, _INK, strict=False):
        points = [spot(place, value) for place, value in enumerate(line)]
        parts.append(f'<polyline class="{ink}" points="{" ".join(points)}"/>')
    return svg(title, [*parts, ends(*labels)])


def histogram(title: Text, bins: Sequence[tuple[str, int]], own: int | None = None) -> Markup | None:
    """Return a bar chart of labelled counts; the bar at index `own` is highlighted.

    There is none of fewer than two bars, which would compare nothing.
    """
    if len(bins) < _FEWEST_BARS:
        return None
    most = max(1, *(count for _, count in bins))
    step = min((WIDTH - LEFT) / len(bins), _WIDEST_BAR)
    parts = [axis()]
    for place, (label, count) in enumerate(bins):
        height = (HEIGHT - TOP - BOTTOM) * count / most
        x = LEFT + place * step
        ink = "chart-bar chart-bar-own" if place == own else "chart-bar"
        parts.append(
            f'<rect class="{ink}" x="{x + step * 0.08:.1f}" y="{HEIGHT - BOTTOM - height:.1f}" '
            f'width="{step * 0.84:.1f}" height="{height:.1f}">'
            f"<title>{escape(label)}: {count}</title></rect>"
        )
        if place % max(1, len(bins) // 8) == 0:
            parts.append(
                f'<text x="{x + step / 2:.1f}" y="{HEIGHT - 5}" text-anchor="middle">{escape(label)}</text>'
            )
    parts.append(f'<text x="{LEFT - 5}" y="{TOP + 4}" text-anchor="end">{most}</text>')
    return svg(title, parts)


def svg(title: Text, parts: Sequence[str], role: str = "img") -> Markup:
    """Return the parts of a chart as one SVG image with a title for screen readers.

    The role of a chart with links in it is `group`: screen readers do not look into an `img`.
    """
    start = f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="{role}" aria-label="{escape(title)}">'
    return Markup(start + "".join(parts) + "</svg>")  # noqa: S704 - our own strings and numbers, escaped


def ends(first: str, last: str) -> str:
    """Return the labels of both ends of the lower axis, or in its middle the one of all that is above it."""
    if first == last:
        labels = [(f"{(LEFT + WIDTH) / 2}", "middle", first)]
    else:
        labels = [(f"{LEFT}", "start", first), (f"{WIDTH}", "end", last)]
    return "".join(
        f'<text x="{x}" y="{HEIGHT - 5}" text-anchor="{anchor}">{escape(label)}</text>'
        for x, anchor, label in labels
    )


def axis() -> str:
    """Return the path of the two axes."""
    return f'<path class="chart-axis" d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH}"/>'
