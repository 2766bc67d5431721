"""The analysis board and studies as pages show them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

from cachetools import LRUCache, cached
from markupsafe import Markup

from app.core.database.unreadable import UnreadableError
from app.core.i18n.formats import signed
from app.core.i18n.languages import current
from app.core.i18n.text import Text, _, ngettext
from app.core.web.filters import side_name
from app.core.web.steps import Step
from app.learn.statistics.presenter import RATING_CHOICES
from app.learn.studies.analysis import Analysis
from app.learn.studies.queries import Study, Visibility
from app.learn.studies.service import SeenStudy
from app.people.identity.service import Identity
from app.play.games.boards import BOARDS, ghosts
from app.play.games.boards.board import Outlook
from app.play.games.views import BoardAction, steps_of
from engine.game import Side
from engine.game_record import to_text
from engine.registry import FOR_TWO
from engine.review import chance
from engine.search.player import Choice
from engine.variations import START, Node, Tree

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
class Thought:
    """One of the best moves: its points, what is expected after it, and what it wins and gives up."""

    move: str
    points: str
    line: str
    changes: Sequence[Text]


@dataclass(frozen=True, slots=True)
class EvaluationView:
    """The computer's view of a position: the bar, the headline, and the best moves, also over the board."""

    bar: tuple[str, str, int]
    headline: Text
    depth: int
    thoughts: Sequence[Thought]
    territory: Sequence[Text]  # which squares each side is likely to get
    ghosts: Markup


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
    side_to_move: str | None
    scores: Sequence[tuple[str, float]]
    steps: Sequence[tuple[Step, str | None]]  # with the key of its target
    beside: Sequence[tuple[str, Text, str]]  # the variations before and after: a name, a label, the key
    words: Sequence[Word]
    turning_points: Sequence[tuple[int, str, float, str]]  # ply, move, points lost, key of the node before
    fields: Mapping[str, str]  # what an address or a form needs to open the tree here
    can_evaluate: bool
    has_territory: bool
    position: str  # as a position string
    record: str


@dataclass(frozen=True, slots=True)
class AnalysisBoard:
    """A tree to show, where its forms are sent, its address with the site's, and its study if it is saved."""

    analysis: Analysis
    forms: Forms
    link: str
    study: SeenStudy | None = None


def board_of_analysis(analysis: Analysis, site_url: str) -> AnalysisBoard:
    """Return the board of a tree that is in its address: each of its forms leads to another one."""
    path = f"/analysis/{analysis.rules.key}"
    forms = Forms(
        edit=("get", path),
        go=("get", path),
        fields=analysis.fields,
        go_fields=analysis.fields,
        evaluation=f"{path}/evaluation",
        may_annotate=True,
        may_comment=True,
    )
    return AnalysisBoard(analysis, forms, site_url + analysis.address())


def board_of_study(seen: SeenStudy, site_url: str) -> AnalysisBoard:
    """Return the board of a study at the node that is seen."""
    return AnalysisBoard(seen.shown, _study_forms(seen), site_url + seen.path, seen)


def board_context(
    board: AnalysisBoard, viewer: Identity | None, evaluation: EvaluationView | None = None
) -> dict[str, Any]:
    """Return what the templates of a board draw, with the computer's view if it was asked for."""
    return {
        "shown": _analysis_view(board.analysis, evaluation),
        "forms": board.forms,
        "link": board.link,
        "seen": board.study,
        "study": board.study and board.study.study,
        "viewer": viewer,
        "evaluation": evaluation,
        "setup": None,
        "may_save": viewer is not None and not viewer.is_guest,
        "symbols": _SYMBOLS,
        "visibilities": _VISIBILITIES,
        "rating_choices": RATING_CHOICES,
    }


def pictures(studies: Sequence[Study]) -> list[tuple[Study, Markup | None]]:
    """Return studies, each with the end of its main line as a small board. Long trees take long."""
    return [(study, _picture(study)) for study in studies]


@cached(LRUCache(512), key=lambda study: (study.id, study.version, current()), lock=Lock())
def _picture(study: Study) -> Markup | None:
    try:
        analysis = study.analysis
    except UnreadableError:
        return None
    position = analysis.positions[[START, *analysis.tree.line_through(START)][-1]]
    return BOARDS[analysis.rules].draw(position)


def _analysis_view(analysis: Analysis, evaluation: EvaluationView | None) -> AnalysisView:
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
            over=f'<div id="ghosts" class="ghost-layer">{evaluation.ghosts if evaluation else ""}</div>',
        ),
        actions=board.actions(analysis.position),
        note=board.note(analysis.position),
        to_move=None if side is None else _turn(side),
        side_to_move=side,
        scores=[(name, score[name]) for name in rules.sides],
        steps=[
            (step, None if step.target is None else _at(analysis, line[step.target]))
            for step in steps_of(node.depth, len(line) - 1)
        ],
        beside=list(_beside(analysis)),
        words=list(_words(analysis)),
        turning_points=[
            (point.number, tree.nodes[point.number].move, point.lost, _at(analysis, point.number - 1))
            for point in (analysis.turning_points if analysis.ground.players == 2 else ())
        ],
        fields={**analysis.fields, "at": _at(analysis, at)},
        can_evaluate=side is not None and rules.key in FOR_TWO and analysis.ground.players == 2,
        has_territory=board.has_territory,
        position=rules.format(analysis.position),
        record=to_text(analysis.record),
    )


def _turn(side: str) -> Text:
    """Return whose turn it is; somebody who plays alone has no side."""
    return _("Your turn") if side == Side.SOLO else _("%(side)s to move", side=side_name(side))


def _study_forms(seen: SeenStudy) -> Forms:
    """Return where the forms of a study are sent; the moves of others lead to the analysis board."""
    path = seen.study.path
    evaluation = f"{path}/evaluation"
    if not seen.may_edit:
        away = ("get", f"/analysis/{seen.study.game}")
        shown, fields = seen.shown, seen.shown.fields
        if not shown.has_address:
            fields = {**fields, "moves": str(Tree.of_moves(shown.path))}
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
    rules, position = analysis.rules, analysis.position
    points = choice.ranking[0].points
    lead = points if rules.side_to_move(position) == rules.sides[0] else -points
    outlook = BOARDS[rules].outlook(position, choice)
    return EvaluationView(
        bar=(rules.sides[0], rules.sides[1], round(chance(position, lead))),
        headline=_headline(analysis, lead),
        depth=choice.depth,
        thoughts=[
            Thought(
                thought.move,
                signed(thought.points, 1),
                " ".join(thought.line),
                outlook.changes.get(thought.move, ()) if outlook else (),
            )
            for thought in choice.ranking
        ],
        territory=outlook.words if outlook else (),
        ghosts=_ghosts(analysis, choice, outlook),
    )


def _ghosts(analysis: Analysis, choice: Choice, outlook: Outlook | None) -> Markup:
    """Return what the computer thinks, over the squares: the first line, and the others hidden."""
    rules, position, size = analysis.rules, analysis.position, analysis.ground.options["size"]
    parts = [ghosts.territory(outlook.territory, size)] if outlook else []
    for rank, thought in enumerate(choice.ranking, 1):
        line = ghosts.line(rules, BOARDS[rules], position, (thought.move, *thought.line))
        parts.append(f'<g class="ghost-line" data-line="{rank}"{" hidden" * (rank > 1)}>{line}</g>')
    parts += (
        ghosts.value(thought.move, size, signed(thought.points, 1), rank)
        for rank, thought in enumerate(choice.ranking, 1)
    )
    return ghosts.layer(size, parts)


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
