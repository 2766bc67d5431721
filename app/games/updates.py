"""What brings an open game page up to date: fragments, drawn once for all pages that need the same.

An update has two parts: what every role sees, and what is different for each role.
"""

from functools import lru_cache
from typing import Any

from cachetools import LRUCache, cached
from markupsafe import Markup

from app.games.game import GameState
from app.games.presenter.board import live_board
from app.games.presenter.moves import announcements, move_rows
from app.games.presenter.page import game_view
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
    with reading(language):
        return Message((_shared(state, seen_ply, 0, language) + _of_role(state, role)).encode())


@cached(LRUCache(512), key=lambda state, *rest: (state.id, state.version, *rest))
def moves_update(state: GameState, role: str, seen_ply: int, language: str) -> Message:
    """Return what brings a page at `seen_ply` up to date if nothing but moves happened since.

    It is drawn once for all pages of the role in the language.
    """
    with reading(language):
        return Message((_shared(state, seen_ply, seen_ply, language) + _of_role(state, role)).encode())


@cached(LRUCache(512), key=lambda state, *rest: (state.id, state.version, *rest))
def _shared(state: GameState, seen_ply: int, listed_ply: int, _language: str) -> str:
    """Return what every role sees; of the move list only what follows `listed_ply`, if it is not 0."""
    return fragment(
        "partials/game_shared.html",
        board=live_board(state),
        seats=seat_views(state),
        rows=move_rows(state, listed_ply),
        is_appended=listed_ply > 0,
        announcements=announcements(state, seen_ply),
    )


def _of_role(state: GameState, role: str) -> str:
    """Return what a role sees differently from others, the version, and the time."""
    view = game_view(state, role)
    return fragment(
        "partials/game_role.html",
        game=view,
        turn=_turn(view.turn, current()),
        actions=_actions(view.actions, current()),
        now=now(),
    )


@lru_cache(2048)
def _turn(turn: TurnView, _language: str) -> Markup:
    return _drawn("partials/game_turn.html", turn=turn, hint=None)


@lru_cache(2048)
def _actions(actions: ActionsView, _language: str) -> Markup:
    return _drawn("partials/game_actions.html", actions=actions)


def _drawn(template: str, **context: Any) -> Markup:
    return Markup(fragment(template, **context))  # noqa: S704 - our own template
