"""The analysis board and studies as pages show them."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from markupsafe import Markup

from app.core.i18n.text import Text, _, ngettext
from app.core.web.filters import side_name
from app.core.web.steps import Step, steps
from app.learn.statistics.presenter import RATING_CHOICES
from app.learn.studies.analysis import Analysis
from app.learn.studies.queries import Visibility
from app.learn.studies.service import SeenStudy
from app.people.identity.service import Identity
from app.play.games.boards import BOARDS
from app.play.games.views import BoardAction
from engine import squares
from engine.game import Side
from engine.record import to_text
from engine.registry import FOR_TWO
from engine.review import chance
from engine.search.player import Choice, EvaluatedMove
from engine.variations import START, Node

_VISIBILITIES: Sequence[tuple[Visibility, Text]] = (
    (Visibility.PRIVATE, _("Only you")),
    (Visibility.LINK, _("Everybody with the link")),
    (Visibility.PUBLIC, _("Everybody, in the list of studies")),
)
"""Who may see a study, as its author chooses."""

_SYMBOLS: Sequence[tuple[str, Text]] = (
    ("", _("no symbol")),
    ("!", _("! good")),
    ("?", _("? mistake")),
    ("!!", _("!! brilliant")),
    ("??", _("?? blunder")),
    ("!?", _("!? interesting")),
    ("?!", _("?! doubtful")),
)
"""The symbols of moves, as a select shows them."""

_STEPS = (_("First position"), _("One ply back"), _("One ply on"), _("Last position"))

_GAP = 0.55  # from the middle of a square to where an arrow ends, in half squares
_HEAD = 0.5  # the length of an arrow's head


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the tree: a move (with its key), a comment, or a bracket of a variation.

    `number` is the ply before a move of the main line or at the beginning of a variation, or None.
    """

    kind: str  # "move", "comment", "open", "close"
    text: str = ""
    key: str = ""
    number: int | None = None
    is_shown: bool = False
    is_main: bool = False


@dataclass(frozen=True, slots=True)
class EvaluationView:
    """The computer's view of a position: the bar, the headline, and the best moves."""

    bar: tuple[str, str, int]
    headline: Text
    depth: int
    thoughts: Sequence[tuple[str, str, str]]  # move, points, what is expected after it
    arrows: Markup


@dataclass(frozen=True, slots=True)
class Forms:
    """Where the forms of a board are sent.

    Each is a method and an address. `edit` takes the values of an `EditForm` beside `fields`, `go` takes `at`
    beside `go_fields`.
    """

    edit: tuple[str, str]
    go: tuple[str, str]
    fields: Mapping[str, str]
    go_fields: Mapping[str, str]
    evaluation: str
    may_annotate: bool
    may_comment: bool


@dataclass(frozen=True, slots=True)
class AnalysisView:
    """The board of a tree at one node."""

    analysis: Analysis
    node: Node
    board_text: Text
    board: Markup
    actions: Sequence[BoardAction]
    note: Text
    to_move: Text | None
    scores: Sequence[tuple[str, float]]
    forms: Forms
    steps: Sequence[tuple[Step, str | None]]  # with the key of its target
    beside: Sequence[tuple[str, Text, str]]  # the variations before and after: a name, a label, the key
    words: Sequence[Word]
    turning_points: Sequence[tuple[int, str, float, str]]  # ply, move, points lost, key of the node before
    fields: Mapping[str, str]  # what an address or a form needs to open the tree here
    can_evaluate: bool
    position: str  # as a position string
    link: str
    record: str


@dataclass(frozen=True, slots=True)
class AnalysisBoard:
    """A tree to show, where its forms are sent, its address with the site's, and its study if it is saved."""

    analysis: Analysis
    forms: Forms
    link: str
    study: SeenStudy | None = None


def board_of_analysis(analysis: Analysis, site_url: str) -> AnalysisBoard:
    """Return the board of a tree that is in its address."""
    return AnalysisBoard(analysis, _analysis_forms(analysis), site_url + analysis.address())


def board_of_study(seen: SeenStudy, site_url: str) -> AnalysisBoard:
    """Return the board of a study at the node that is seen."""
    return AnalysisBoard(seen.shown, _study_forms(seen), site_url + seen.path, seen)


def board_context(board: AnalysisBoard, viewer: Identity | None) -> dict[str, Any]:
    """Return what the templates of a board draw."""
    return {
        "shown": _analysis_view(board.analysis, board.forms, board.link),
        "seen": board.study,
        "study": board.study and board.study.study,
        "viewer": viewer,
        "evaluation": None,
        "may_save": viewer is not None and not viewer.is_guest,
        "symbols": _SYMBOLS,
        "visibilities": _VISIBILITIES,
        "rating_choices": RATING_CHOICES,
    }


def _analysis_view(analysis: Analysis, forms: Forms, link: str) -> AnalysisView:
    """Return the board of a tree at the node that is shown."""
    rules, tree, at = analysis.rules, analysis.tree, analysis.at
    board = BOARDS[rules]
    node = tree.nodes[at]
    side = rules.side_to_move(analysis.position)
    score = rules.score(analysis.position)
    line = [START, *tree.line_through(at)]
    return AnalysisView(
        analysis=analysis,
        node=node,
        board_text=board.size_text(analysis.ground.options),
        board=board.draw(
            analysis.position,
            last_move=node.move or None,
            playable=side is not None,
            finished=side is None,
            live=True,
        ),
        actions=board.actions(analysis.position),
        note=board.note(analysis.position),
        to_move=None if side is None else _turn(side),
        scores=[(name, score[name]) for name in rules.sides],
        forms=forms,
        steps=[
            (step, None if step.target is None else _at(analysis, line[step.target]))
            for step in steps(node.depth, len(line) - 1, _STEPS)
        ],
        beside=list(_beside(analysis)),
        words=list(_words(analysis)),
        turning_points=[
            (point.number, tree.nodes[point.number].move, point.lost, _at(analysis, point.number - 1))
            for point in (analysis.turning_points if analysis.ground.players == 2 else ())
        ],
        fields={**analysis.fields, "at": _at(analysis, at)},
        can_evaluate=side is not None and rules.key in FOR_TWO and analysis.ground.players == 2,
        position=rules.format(analysis.position),
        link=link,
        record=to_text(analysis.record),
    )


def _turn(side: str) -> Text:
    """Return whose turn it is; somebody who plays alone has no side."""
    return _("Your turn") if side == Side.SOLO else _("%(side)s to move", side=side_name(side))


def _analysis_forms(analysis: Analysis) -> Forms:
    """Return where the forms of the analysis board are sent: each leads to another address."""
    path = f"/analysis/{analysis.rules.key}"
    return Forms(
        edit=("get", path),
        go=("get", path),
        fields=analysis.fields,
        go_fields=analysis.fields,
        evaluation=f"{path}/evaluation",
        may_annotate=True,
        may_comment=True,
    )


def _study_forms(seen: SeenStudy) -> Forms:
    """Return where the forms of a study are sent; the moves of others lead to the analysis board."""
    path = seen.study.path
    evaluation = f"{path}/evaluation"
    if not seen.may_edit:
        away = ("get", f"/analysis/{seen.study.game}")
        fields = seen.shown.fields
        return Forms(away, ("get", path), fields, {}, evaluation, may_annotate=False, may_comment=False)
    is_shared = seen.study.is_shared
    return Forms(
        edit=("post", path),
        go=("post" if is_shared else "get", path),
        fields={},
        go_fields={},
        evaluation=evaluation,
        may_annotate=True,
        may_comment=not is_shared,
    )


def evaluation_view(analysis: Analysis, choice: Choice) -> EvaluationView:
    """Return the computer's view of the position that is shown."""
    rules = analysis.rules
    points = choice.ranking[0].points
    lead = points if rules.side_to_move(analysis.position) == rules.sides[0] else -points
    return EvaluationView(
        bar=(rules.sides[0], rules.sides[1], round(chance(lead))),
        headline=_headline(analysis, lead),
        depth=choice.depth,
        thoughts=[
            (thought.move, f"{thought.points:+.1f}", " ".join(thought.line)) for thought in choice.ranking
        ],
        arrows=_arrows(choice.ranking, analysis.ground.options["size"]),
    )


def _headline(analysis: Analysis, lead: float) -> Text:
    """Return which side is ahead, and by how much."""
    if abs(lead) < 0.05:
        return _("The position is even.")
    leader = analysis.rules.sides[0] if lead > 0 else analysis.rules.sides[1]
    return ngettext(
        "%(side)s is ahead by %(count)s point",
        "%(side)s is ahead by %(count)s points",
        round(abs(lead), 1),
        side=side_name(leader),
    )


def _at(analysis: Analysis, number: int) -> str:
    """Return what addresses call a node."""
    return analysis.tree.keys[number] or "0"


def _beside(analysis: Analysis) -> Iterator[tuple[str, Text, str]]:
    """Yield the moves before and after the shown one among its alternatives."""
    tree = analysis.tree
    siblings = tree.children[tree.parents[analysis.at]] if analysis.at else ()
    place = siblings.index(analysis.at) if siblings else 0
    if place > 0:
        yield "above", _("The variation above"), tree.keys[siblings[place - 1]]
    if place + 1 < len(siblings):
        yield "below", _("The variation below"), tree.keys[siblings[place + 1]]


def _words(analysis: Analysis) -> Iterator[Word]:
    tree = analysis.tree
    begins = False  # a variation
    for number, word in tree.words():
        node = tree.nodes[number]
        if word in ("(", ")"):
            begins = word == "("
            yield Word("open" if begins else "close")
        elif word.startswith("{"):
            yield Word("comment", node.comment)
        else:
            is_main = node.depth == number
            yield Word(
                "move",
                word,
                tree.keys[number],
                number=node.depth if is_main or begins else None,
                is_shown=number == analysis.at,
                is_main=is_main,
            )
            begins = False


def _arrows(ranking: Sequence[EvaluatedMove], size: int) -> Markup:
    """Return an SVG image to lay over the squares of a board.

    Each move has its rank and an arrow to the answer, the best one also arrows for all that is expected.
    """
    drawn = "".join(
        f'<g class="analysis-arrow analysis-arrow-{rank}" data-rank="{rank}">{_line(rank, thought, size)}</g>'
        for rank, thought in reversed(list(enumerate(ranking, 1)))
    )
    start = f'<svg class="analysis-arrows" viewBox="0 0 {2 * size} {2 * size}" aria-hidden="true">'
    return Markup(start + drawn + "</svg>")  # noqa: S704 - our own numbers


def _line(rank: int, thought: EvaluatedMove, size: int) -> str:
    moves = (thought.move, *(thought.line if rank == 1 else thought.line[:1]))
    indices = [squares.indices(size).get(move) for move in moves]
    parts = [
        _arrow(_middle(start, size), _middle(end, size))
        for start, end in pairwise(indices)
        if start is not None and end is not None and start != end
    ]
    if indices[0] is not None:
        x, y = _middle(indices[0], size)
        parts.append(f'<circle cx="{x}" cy="{y}" r="0.62"/><text x="{x}" y="{y + 0.3:g}">{rank}</text>')
    return "".join(parts)


def _arrow(start: tuple[int, int], end: tuple[int, int]) -> str:
    length = math.dist(start, end)
    right, down = ((there - here) / length for here, there in zip(start, end, strict=True))
    tip_x, tip_y = end[0] - _GAP * right, end[1] - _GAP * down
    from_x, from_y = start[0] + _GAP * right, start[1] + _GAP * down
    back_x, back_y = tip_x - _HEAD * right, tip_y - _HEAD * down
    wide_x, wide_y = -down * _HEAD / 2, right * _HEAD / 2
    return (
        f'<path d="M{from_x:.2f} {from_y:.2f}L{back_x:.2f} {back_y:.2f}"/>'
        f'<path class="analysis-head" d="M{tip_x:.2f} {tip_y:.2f}L{back_x + wide_x:.2f} {back_y + wide_y:.2f}'
        f'L{back_x - wide_x:.2f} {back_y - wide_y:.2f}z"/>'
    )


def _middle(square: int, size: int) -> tuple[int, int]:
    """Return the middle of a square in half squares from the top left."""
    row, column = divmod(square, size)
    return 2 * column + 1, 2 * (size - 1 - row) + 1
