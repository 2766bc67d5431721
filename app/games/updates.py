"""What brings an open game page up to date: fragments, drawn once for all pages that need the same."""

from functools import lru_cache
from typing import Any

from cachetools import LRUCache, cached
from markupsafe import Markup

from app.games.game import GameState
from app.games.presenter import announcements, game_view, move_rows, seat_views
from app.games.views import ActionsView, TurnView
from app.live.messages import Message
from app.moments import now
from app.web.render import fragment


def update(state: GameState, role: str, seen_ply: int) -> Message:
    """Return what brings a page of any version up to date.

    The plies after `seen_ply` are announced to screen readers.
    """
    return Message(_draw(state, role, seen_ply, listed_ply=0).encode())


@cached(LRUCache(512), key=lambda state, *rest: (state.id, state.version, *rest))
def moves_update(state: GameState, role: str, seen_ply: int) -> Message:
    """Return what brings a page at `seen_ply` up to date when nothing but moves happened since.

    It is made once for all pages of the role: at a later call its time is that of the first one.
    """
    return Message(_draw(state, role, seen_ply, listed_ply=seen_ply).encode())


def _draw(state: GameState, role: str, seen_ply: int, listed_ply: int) -> str:
    """Return all regions of a page; of the move list only what follows `listed_ply`, if it is not 0."""
    view = game_view(state, role)
    return fragment(
        "partials/game_update.html",
        game=view,
        seats=_seats(state),
        turn=_turn(view.turn),
        actions=_actions(view.actions),
        rows=move_rows(state, listed_ply),
        appended=listed_ply > 0,
        announcements=announcements(state, seen_ply),
        now=now(),
    )


@cached(LRUCache(512), key=lambda state: (state.id, state.version))
def _seats(state: GameState) -> Markup:
    """Return the players' bars, which are the same for all roles."""
    return _drawn("partials/game_seats.html", seats=seat_views(state))


@lru_cache(2048)
def _turn(turn: TurnView) -> Markup:
    return _drawn("partials/game_turn.html", turn=turn, hint=None)


@lru_cache(2048)
def _actions(actions: ActionsView) -> Markup:
    return _drawn("partials/game_actions.html", actions=actions)


def _drawn(template: str, **context: Any) -> Markup:
    return Markup(fragment(template, **context))  # noqa: S704 - our own template
