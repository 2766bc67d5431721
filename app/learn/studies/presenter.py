"""The analysis board and studies as pages show them."""

from collections.abc import Iterator
from urllib.parse import urlencode

from app.core.i18n.text import Text, _, ngettext
from app.core.web.filters import side_name
from app.core.web.steps import steps
from app.learn.studies.analysis import Analysis
from app.learn.studies.arrows import arrows
from app.learn.studies.queries import Study
from app.learn.studies.service import SeenStudy
from app.learn.studies.views import AnalysisView, EvaluationView, Forms, StudyRowView, StudyView, Word
from app.play.games.boards import BOARDS
from engine.game import Side
from engine.record import to_text
from engine.registry import FOR_TWO
from engine.review import chance
from engine.search.player import Choice
from engine.variations import START

_STEPS = (_("First position"), _("One ply back"), _("One ply on"), _("Last position"))


def analysis_view(analysis: Analysis, forms: Forms, link: str) -> AnalysisView:
    """Return the board of a tree at the node that is shown."""
    rules, tree, at = analysis.rules, analysis.tree, analysis.at
    board = BOARDS[rules]
    node = tree.nodes[at]
    side = rules.side_to_move(analysis.position)
    score = rules.score(analysis.position)
    line = [START, *tree.line_through(at)]
    return AnalysisView(
        game=rules.key,
        title=rules.title,
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
        key=analysis.key,
        move=node.move,
        symbol=node.symbol,
        comment=node.comment,
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


def analysis_forms(analysis: Analysis) -> Forms:
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


def study_forms(seen: SeenStudy) -> Forms:
    """Return where the forms of a study are sent; the moves of others lead to the analysis board."""
    path = f"/studies/{seen.study.id}"
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


def study_view(seen: SeenStudy) -> StudyView:
    """Return what is said of a study beside its board."""
    study = seen.study
    return StudyView(
        id=study.id,
        path=path_of(study),
        title=study.title or study.game_title,
        author=study.author,
        visibility=study.visibility,
        is_own=seen.is_own and not study.is_shared,
        is_shared=study.is_shared,
        live_path=f"{path_of(study)}/live?version={study.version}"
        if study.is_shared and seen.may_edit
        else None,
        game_path=f"/games/{study.shared_game}" if study.shared_game else None,
    )


def study_row(study: Study) -> StudyRowView:
    """Return a study as a row of a list."""
    return StudyRowView(
        path_of(study),
        study.title or study.game_title,
        study.author,
        study.game_title,
        study.visibility,
        study.updated_at,
    )


def path_of(study: Study, key: str = "") -> str:
    """Return the address of a study, at the node with a key."""
    return f"/studies/{study.id}" + (f"?{urlencode({'at': key})}" if key else "")


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
        arrows=arrows(choice.ranking, analysis.ground.options["size"]),
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
