"""One board of a run or an entry, at any of its moves: a page, and a fragment for htmx."""

from dataclasses import dataclass
from typing import Any

from starlette.responses import HTMLResponse

from app.core.i18n.text import _
from app.core.web.render import fragment, page, wants_partial
from app.core.web.steps import steps
from app.nugget.drawing import draw_still
from engine.golden_nugget.play import Play

_STEPS = (_("Start of the board"), _("One move back"), _("One move on"), _("Solved board"))


@dataclass(frozen=True, slots=True)
class Replayed:
    """A board to step through, and the run or entry it is part of: its title, path and number of boards."""

    title: str
    back: str
    boards: int
    play: Play
    may_be_reviewed: bool = False


def show_board(replayed: Replayed, move: int | None) -> HTMLResponse:
    """Show a board after `move` of its moves, None for all of them."""
    moves = replayed.play.made
    at = len(moves) if move is None else max(0, min(move, len(moves)))
    context: dict[str, Any] = {
        "replayed": replayed,
        "number": replayed.play.number,
        "base": f"{replayed.back}/boards",
        "moves": moves,
        "at": at,
        "steps": steps(at, len(moves), _STEPS),
        "drawing": draw_still(replayed.play.after(at)),
    }
    if wants_partial():
        return HTMLResponse(fragment("partials/nugget_replay.html", **context))
    return page("pages/nugget_replay.html", **context)
