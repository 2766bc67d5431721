"""The analysis board: a line of moves in the address, and the computer's view of its last position."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.bots import line, service
from app.bots.fair_play import check_no_help
from app.bots.line import Line
from app.errors import InvalidError
from app.games.boards import BOARDS
from app.games.deps import GamesDep
from app.i18n.text import Text, _, ngettext
from app.identity.viewer import BrowserAccounts, Viewer
from app.web.addresses import network_of
from app.web.askers import asker_of
from app.web.deps import QueueDep, ThrottleDep
from app.web.filters import side_name
from app.web.render import fragment, page, wants_htmx
from app.web.steps import steps
from app.web.throttle import Limit
from engine.game import Game
from engine.review import chance
from engine.search.player import Choice

router = APIRouter(include_in_schema=False)

_STEPS = (_("First position"), _("One ply back"), _("One ply on"), _("Last position"))

Moves = Annotated[str, Query(max_length=4_000)]


@router.get("/analysis/{game:game}")
async def analysis_page(
    request: Request,
    game: str,
    games: GamesDep,
    accounts: BrowserAccounts,
    moves: Moves = "",
    move: Annotated[str, Query(max_length=16)] = "",
) -> Response:
    """Show the board after a line of moves; redirect to the line with `move` added if there is one."""
    shown = line.read(game, request.query_params, moves)
    await check_no_help(games, accounts, shown.rules, shown.positions)
    if move:
        longer = shown.played(move)
        return RedirectResponse(longer.path(longer.moves), 303)
    return page(request, "pages/analysis.html", evaluation=None, **_position(shown))


@router.post("/analysis/{game:game}/evaluation")
async def evaluation(
    request: Request,
    game: str,
    viewer: Viewer,
    accounts: BrowserAccounts,
    games: GamesDep,
    queue: QueueDep,
    throttle: ThrottleDep,
    moves: Moves = "",
) -> Response:
    """Show the computer's best moves, its estimate of the score, and the bar."""
    shown = line.read(game, request.query_params, moves)
    if shown.rules.side_to_move(shown.position) is None:
        raise InvalidError("game_over", _("The game is over here. Go back a move to continue the analysis."))
    await check_no_help(games, accounts, shown.rules, shown.positions)
    await throttle.hit(Limit.COMPUTER, f"account:{viewer.id}" if viewer else network_of(request))
    asker = asker_of(request, viewer.id if viewer else None)
    choice = await service.evaluate(queue, asker, shown.rules, shown.position)
    lead = _lead_of_first_side(shown.rules, shown.position, choice)
    view = {
        "bar": _bar(shown.rules, lead),
        "headline": _headline(shown.rules, lead),
        "depth": choice.depth,
        "thoughts": [
            (evaluated.move, f"{evaluated.points:+.1f}", shown.path((*shown.before, evaluated.move)))
            for evaluated in choice.ranking
        ],
    }
    if wants_htmx(request):
        return HTMLResponse(fragment("partials/evaluation.html", evaluation=view))
    return page(request, "pages/analysis.html", evaluation=view, **_position(shown))


def _position(shown: Line) -> dict[str, Any]:
    """Return what the page shows of the last position of a line."""
    rules, board = shown.rules, BOARDS[shown.rules]
    side = rules.side_to_move(shown.position)
    score = rules.score(shown.position)
    return {
        "rules": rules,
        "options": shown.options,
        "board_text": board.size_text(shown.options),
        "before": shown.before,
        "at": shown.at,
        "board": board.draw(
            shown.position,
            last_move=shown.before[-1] if shown.before else None,
            playable=side is not None,
            finished=side is None,
            live=True,
        ),
        "actions": board.actions(shown.position),
        "note": board.note(shown.position),
        "to_move": side,
        "to_move_text": None if side is None else _("%(side)s to move", side=side_name(side)),
        "scores": [(name, score[name]) for name in rules.sides],
        "steps": [
            (step, None if step.target is None else shown.path_at(step.target))
            for step in steps(shown.at, len(shown.moves), _STEPS)
        ],
        "line": [(number, text, shown.path_at(number)) for number, text in enumerate(shown.moves, 1)],
        "turning_points": [
            (point.ply, shown.moves[point.ply - 1], point.lost, shown.path_at(point.ply - 1))
            for point in shown.turning_points()
        ],
        "evaluation_path": shown.evaluation_path,
    }


def _lead_of_first_side(rules: Game[Any], position: Any, choice: Choice) -> float:
    """Return by how many points the first side will win (negative: lose) with the best moves."""
    points = choice.ranking[0].points
    return points if rules.side_to_move(position) == rules.sides[0] else -points


def _bar(rules: Game[Any], lead: float) -> tuple[str, str, int]:
    """Return both sides, and how many percent of the bar the first one fills."""
    return rules.sides[0], rules.sides[1], round(chance(lead))


def _headline(rules: Game[Any], lead: float) -> Text:
    """Return which side is ahead, and by how much."""
    if abs(lead) < 0.05:
        return _("The position is even.")
    leader = rules.sides[0] if lead > 0 else rules.sides[1]
    return ngettext(
        "%(side)s is ahead by %(count)s point",
        "%(side)s is ahead by %(count)s points",
        round(abs(lead), 1),
        side=side_name(leader),
    )
