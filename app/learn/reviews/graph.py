"""The graph of a review: what was reached and expected, move by move."""

from collections.abc import Sequence

from markupsafe import Markup, escape

from app.core.i18n.formats import number
from app.core.i18n.text import Text, _
from app.core.web.charts import BOTTOM, HEIGHT, LEFT, TOP, WIDTH, axis, svg
from app.play.games.game import GameState
from engine.review import Review, ReviewedMove

_MARKS = ((6, "??"), (3, "?"), (1, "?!"))  # points that a move lost, and its symbol


def mark(move: ReviewedMove) -> str:
    """Return the symbol of a costly move by what it lost: "??", "?", "?!"; nothing for any other."""
    return next((symbol for least, symbol in _MARKS if move.is_costly and move.loss >= least), "")


def chart(state: GameState, review: Review, ply: int, path: str) -> Markup:
    """Return the graph of what a game reached and was expected to reach by ply; `ply` is the one shown."""
    scores = [state.rules.score(position) for position in state.positions()[review.first_ply :]]
    expected = [review.start, *(move.lead for move in review.moves)]
    if state.is_solitaire:
        (side,) = state.rules.sides
        return graph_of_results([score[side] for score in scores], expected, ply, path, review)
    first, second = state.rules.sides
    leads = [score[first] - score[second] for score in scores]
    high = max(1.0, *map(abs, (*leads, *expected)))
    return _graph(_("Lead by move"), (leads, expected), (high, 0, -high), ply, path, review)


def graph_of_results(
    reached: Sequence[float], expected: Sequence[float], ply: int, path: str, review: Review
) -> Markup:
    """Return the graph of a result that one player reached by ply, and of the best one within reach."""
    high = max(1.0, *reached, *expected)
    return _graph(_("Result by move"), (reached, expected), (high, high / 2, 0), ply, path, review)


def _graph(
    title: Text,
    series: tuple[Sequence[float], Sequence[float]],
    grid: Sequence[float],
    ply: int,
    path: str,
    review: Review,
) -> Markup:
    """Return the graph of what was reached (dashed) and expected by ply; `ply` is the one shown."""
    first_ply = review.first_ply
    high, low = grid[0], grid[-1]
    dashed, solid = series
    step = (WIDTH - LEFT - 8) / max(len(solid) - 1, 1)

    def x(place: float) -> float:
        return LEFT + step * (place - first_ply)

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)

    def spot(place: int) -> str:
        return f'cx="{x(place):.1f}" cy="{y(solid[place - first_ply]):.1f}"'

    def text(value: float) -> str:
        return f"{'+' if low < 0 < value else ''}{number(value)}"

    parts = [axis()]
    for value in grid:
        parts.append(f'<path class="chart-grid" d="M{LEFT} {y(value):.1f}H{WIDTH}"/>')
        label = f'<text x="{LEFT - 5}" y="{y(value) + 4:.1f}" text-anchor="end">{text(round(value))}</text>'
        parts.append(label)
    shape = "".join(f"L{x(place):.1f} {y(value):.1f}" for place, value in enumerate(solid, first_ply))
    parts.append(f'<path class="review-area" d="M{LEFT} {y(0):.1f}{shape}V{y(0):.1f}"/>')
    for line, ink in ((dashed, "chart-other"), (solid, "chart-mean")):
        points = " ".join(f"{x(place):.1f},{y(value):.1f}" for place, value in enumerate(line, first_ply))
        parts.append(f'<polyline class="{ink}" points="{points}"/>')
    parts += [f'<circle class="review-mark" {spot(move.ply)} r="5"/>' for move in filter(mark, review.moves)]
    here = max(ply, first_ply)
    parts.append(f'<path class="review-here" d="M{x(here):.1f} {TOP}V{HEIGHT - BOTTOM}"/>')
    parts.append(f'<circle class="chart-dot" {spot(here)} r="4"/>')
    for place, value in enumerate(solid, first_ply):
        label = escape(_("Move %(ply)s: %(lead)s", ply=place, lead=text(round(value, 1))))
        parts.append(
            f'<a href="{path}?ply={place}" tabindex="-1" data-hx-get="{path}?ply={place}" '
            'data-hx-target="#review" data-hx-swap="outerMorph" data-hx-push-url="true">'
            f"<title>{label}</title>"
            f'<rect class="review-ply" x="{x(place - 0.5):.1f}" y="{TOP}" width="{step:.1f}" '
            f'height="{HEIGHT - TOP - BOTTOM}"/></a>'
        )
    return svg(title, parts, role="group")
