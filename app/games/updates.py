"""What brings an open game page up to date: fragments, drawn once for all pages that need the same.

An update has two parts: what every role sees, and what is different for each role.
"""

from functools import lru_cache

from markupsafe import escape

from app.games.game import GameState
from app.games.presenter.board import live_board
from app.games.presenter.moves import announcements, move_rows
from app.games.presenter.page import live_view
from app.games.presenter.seats import seat_views
from app.games.views import ActionsView, TurnView
from app.i18n.languages import current, reading
from app.live.messages import Message
from app.moments import now
from app.web.render import fragment


def update(state: GameState, role: str, seen_ply: int, language: str) -> Message:
    """Return what brings a page of any version up to date.

    The plies after `seen_ply` are announced to screen readers.
    """
    return _drawn.message(state, role, seen_ply, 0, language)


def moves_update(state: GameState, role: str, seen_ply: int, language: str) -> Message:
    """Return what brings a page at `seen_ply` up to date if nothing but moves happened since."""
    return _drawn.message(state, role, seen_ply, seen_ply, language)


class _Drawn:
    """The updates to one version of a game that were drawn in one second.

    A game's pages are updated one after the other, so those of the version before need not be kept.
    """

    def __init__(self) -> None:
        self._state: GameState | None = None
        self._second = 0
        self._shared: dict[tuple[int, int, str], bytes] = {}
        self._messages: dict[tuple[int, int, str, str], Message] = {}

    def message(self, state: GameState, role: str, seen_ply: int, listed_ply: int, language: str) -> Message:
        """Return an update; of the move list it has only what follows `listed_ply`, if it is not 0."""
        second = now() // 1000
        if self._state is not state or self._second != second:
            self._state, self._second, self._shared, self._messages = state, second, {}, {}
        message = self._messages.get((seen_ply, listed_ply, language, role))
        if message is None:
            with reading(language):
                shared = self._of_all(state, seen_ply, listed_ply, language)
                message = Message(shared, _of_role(state, role).encode())
            self._messages[seen_ply, listed_ply, language, role] = message
        return message

    def _of_all(self, state: GameState, seen_ply: int, listed_ply: int, language: str) -> bytes:
        html = self._shared.get((seen_ply, listed_ply, language))
        if html is None:
            html = _of_all(state, seen_ply, listed_ply).encode()
            self._shared[seen_ply, listed_ply, language] = html
        return html


_drawn = _Drawn()


def _of_all(state: GameState, seen_ply: int, listed_ply: int) -> str:
    """Return what every role sees."""
    rows = move_rows(state, listed_ply)
    said = announcements(state, rows[seen_ply - listed_ply :])
    seats = (
        _partial(f"seat-{seat.side}", fragment("partials/seat.html", seat=seat), "outerMorph")
        for seat in seat_views(state)
    )
    return "".join(
        (
            _partial("squares", live_board(state)),
            *seats,
            _partial("move-list", fragment("partials/game_rows.html", rows=rows), "beforeend")
            if listed_ply
            else _partial("moves", fragment("partials/game_moves.html", rows=rows)),
            _partial("log", "".join(f"<p>{escape(text)}</p>" for text in said), "beforeend") if said else "",
        )
    )


def _of_role(state: GameState, role: str) -> str:
    """Return what a role sees differently from others, the version, and the time."""
    live = live_view(state, role)
    return "".join(
        (
            _partial("turn", _turn(live.turn, current())),
            _partial("actions", _actions(live.actions, current())),
            _partial("version", fragment("partials/game_version.html", live=live), "outerMorph"),
            _partial("now", f'<div id="now" data-now="{now()}" hidden></div>', "outerMorph"),
        )
    )


def _partial(target: str, html: str, swap: str = "innerMorph") -> str:
    """Return HTML that htmx puts in the place of an element, or into it."""
    return f'<hx-partial hx-target="#{target}" hx-swap="{swap}">{html}</hx-partial>'


@lru_cache(2048)
def _turn(turn: TurnView, _language: str) -> str:
    return fragment("partials/game_turn.html", turn=turn, hint=None)


@lru_cache(2048)
def _actions(actions: ActionsView, _language: str) -> str:
    return fragment("partials/game_actions.html", actions=actions)
