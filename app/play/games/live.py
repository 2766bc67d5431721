"""The live connections of the game page and of the games in progress.

What brings an open game page up to date are fragments, drawn once for all pages that need the same. An update
has two parts: what every role sees, and what is different for each role. What every role sees has the marks
of all players, which the style hides on pages of others. A page itself has only its reader's, for browsers
without styles.
"""

from collections.abc import Awaitable, Callable
from functools import lru_cache, partial
from typing import Annotated, Self

from fastapi import APIRouter, Query, WebSocket
from markupsafe import escape

from app.core.events import Event, Resync, game_topic
from app.core.i18n.languages import current, reading
from app.core.moments import now
from app.core.realtime.events import presence_topic
from app.core.realtime.presence import SITE, Presence
from app.core.web.deps import Part
from app.core.web.render import fragment
from app.live.messages import Message
from app.live.pushing import LiveSubscription, push
from app.live.service import Live
from app.live.sharing import Drawn
from app.play.chat.presenter import show_chat
from app.play.chat.service import Chat
from app.play.conditions.service import ConditionsChanged, conditions_topic
from app.play.games.events import GAMES, GameChanged, Played, Step
from app.play.games.follow import GameFeed
from app.play.games.game import GameState
from app.play.games.offers import OFFERS
from app.play.games.presenter.board import announcements, board_of, move_rows, seat_views
from app.play.games.presenter.cards import featured, games_to_watch, mini_view
from app.play.games.presenter.page import attendance_view, live_view, opponent_of, role_of
from app.play.games.schemas import WatchFilter
from app.play.games.service import ConditionNotes, Games
from app.play.games.views import SPECTATOR, ActionsView, MiniView, TurnView
from engine.game import Side

router = APIRouter(include_in_schema=False)


@router.websocket("/games/{game_id:id}/live")
async def live_game(
    websocket: WebSocket,
    game_id: str,
    live: Part[Live],
    feed: Part[GameFeed],
    games: Part[Games],
    chat: Part[Chat],
    notes: Part[ConditionNotes],
    presence: Part[Presence],
    version: Annotated[int, Query()] = -1,
) -> None:
    """Push the game to a page: on connecting what a page of an earlier `version` lacks, then each change."""
    async with live.page(websocket) as socket:
        viewer = socket.identity
        state = await games.seen_by(viewer, game_id)
        role, language = role_of(state, viewer.id if viewer else None), current()

        def show(before: GameState, step: Step | None, after: GameState) -> None:
            draw = moves_update if isinstance(step, Played) else update
            socket.send(draw(after, role, before.ply, language))
            if said := refusal(before, step, role, language):
                socket.send(said)

        async def attendance(_event: Event | Resync | None, _subscription: LiveSubscription) -> str:
            return await _attendance(follower.state, role, games, presence)

        async def conditions_note(event: Event | Resync | None, _subscription: LiveSubscription) -> str:
            if viewer is None or (isinstance(event, ConditionsChanged) and event.account_id != viewer.id):
                return ""
            shown = await notes.note(follower.state, viewer.id)
            return fragment("partials/conditions_note_update.html", conditions_note=shown, game_id=game_id)

        # The page of a role that waits for its turn has a board without the marks for premoves.
        if state.version == version and (state.result is not None or state.side_to_move == role):
            socket.send(Message(_of_role(state, role)))
        else:
            socket.send(update(state, role, state.ply, language))
        follower = feed.follow(socket, state, show)
        await socket.hold(presence.here(viewer.id if viewer else None, game_id, SITE))
        push(socket, attendance, presence_topic(game_id))
        show_chat(socket, follower, chat)
        if role != SPECTATOR and state.takes_conditions:
            push(socket, conditions_note, conditions_topic(game_id))


@router.websocket("/watch/live")
async def live_watch(
    websocket: WebSocket, games: Part[Games], live: Part[Live], wanted: Annotated[WatchFilter, Query()]
) -> None:
    """Push each move of a page of running games; when one ends, another takes its place."""

    async def shown() -> list[MiniView]:
        minis, _has_more = await games_to_watch(games, wanted)
        return minis

    await _push_minis(websocket, games, live, shown)


@router.websocket("/watch/featured/live")
async def live_featured(websocket: WebSocket, games: Part[Games], live: Part[Live]) -> None:
    """Push each move of the game on the home page; when it ends, another takes its place."""
    await _push_minis(websocket, games, live, partial(featured, games))


async def _push_minis(
    websocket: WebSocket, games: Part[Games], live: Part[Live], shown: Callable[[], Awaitable[list[MiniView]]]
) -> None:
    """Push the small boards that `shown` returns, and each move of their games."""

    async def render(event: Event | Resync | None, subscription: LiveSubscription) -> str:
        if isinstance(event, GameChanged) and not event.is_over:
            return fragment("partials/mini_update.html", mini=mini_view(await games.after(event)))
        minis = await shown()
        subscription.listen_to(GAMES, *(game_topic(mini.id) for mini in minis))
        return fragment("partials/minis_update.html", minis=minis)

    async with live.page(websocket) as socket:
        push(socket, render, GAMES)


async def _attendance(state: GameState, role: str, games: Games, presence: Presence) -> str:
    """Return the fragment that shows who is present."""
    claim_in = None if role == SPECTATOR else await games.claimable_in(state, Side(role))
    view = attendance_view(state, role, await presence.at(state.id), claim_in)
    return fragment("partials/game_attendance.html", attendance=view, game_id=state.id)


def update(state: GameState, role: str, seen_ply: int, language: str) -> Message:
    """Return what brings a page of any version up to date.

    The plies after `seen_ply` are announced to screen readers.
    """
    with reading(language):
        return Message(_shared(state, seen_ply, 0), _of_role(state, role))


def moves_update(state: GameState, role: str, seen_ply: int, language: str) -> Message:
    """Return what brings a page at `seen_ply` up to date if nothing but moves happened since.

    It is drawn once for all pages of the role in the language.
    """

    def draw() -> Message:
        return Message(_shared(state, seen_ply, seen_ply), _of_role(state, role))

    with reading(language):
        return _last.of(state).messages.once(draw, role, seen_ply)


def refusal(before: GameState, step: Step | None, role: str, language: str) -> Message | None:
    """Return what tells a role that its opponent has declined what it asked for, or None."""
    for offer in OFFERS:
        if isinstance(step, offer.request) and step.declined and offer.by(before) == role:
            opponent = opponent_of(before, role)
            with reading(language):
                said = offer.declined(opponent)
                return Message(fragment("partials/information.html", message=said).encode())
    return None


class _Drawings:
    """What was drawn of one version of a game in one second.

    A game's pages are updated one after the other, so what was drawn of others need not be kept.
    """

    def __init__(self) -> None:
        self._state: GameState | None = None
        self._second = 0

    def of(self, state: GameState) -> Self:
        """Return the drawings, none if the last ones were of another version or second."""
        second = now() // 1000
        if self._state is not state or self._second != second:
            self._state, self._second = state, second
            self.shared, self.messages = Drawn[bytes](), Drawn[Message]()
        return self


_last = _Drawings()


def _shared(state: GameState, seen_ply: int, listed_ply: int) -> bytes:
    """Return what every role sees; of the move list only what follows `listed_ply`, if it is not 0."""
    return _last.of(state).shared.once(lambda: _of_all(state, seen_ply, listed_ply), seen_ply, listed_ply)


def _of_all(state: GameState, seen_ply: int, listed_ply: int) -> bytes:
    rows = move_rows(state, listed_ply)
    said = announcements(state, rows[seen_ply - listed_ply :])
    moves = (
        _partial("move-list", fragment("partials/game_rows.html", rows=rows), "beforeend")
        if listed_ply
        else _partial("moves", fragment("partials/game_moves.html", rows=rows))
    )
    log = _partial("log", "".join(f"<p>{escape(text)}</p>" for text in said), "beforeend") if said else ""
    return b"".join((_position(state), moves.encode(), log.encode()))


def _position(state: GameState) -> bytes:
    """Return the board and the seats, drawn once for what sockets are sent and for the mover's answer."""

    def draw() -> bytes:
        board = _partial("squares", board_of(state, playable=state.result is None, live=True))
        seats = (
            _partial(f"seat-{seat.side}", fragment("partials/seat.html", seat=seat), "outerMorph")
            for seat in seat_views(state, state.rules.sides)
        )
        return "".join((board, *seats)).encode()

    return _last.of(state).shared.once(draw, "position")


def _of_role(state: GameState, role: str) -> bytes:
    """Return what a role sees differently from others, the version, and the time."""

    def draw() -> bytes:
        live = live_view(state, role)
        return "".join(
            (
                _partial("turn", _turn(live.turn, live.actions, current())),
                _partial("actions", _actions("actions", live.actions, current())),
                _partial("choices", _actions("choices", live.actions, current())),
                _partial("version", fragment("partials/game_version.html", live=live), "outerMorph"),
                _partial("now", f'<div id="now" data-now="{now()}" hidden></div>', "outerMorph"),
            )
        ).encode()

    return _last.of(state).shared.once(draw, "role", role)


def _partial(target: str, html: str, swap: str = "innerMorph") -> str:
    """Return HTML that htmx puts in the place of an element, or into it."""
    return f'<hx-partial hx-target="#{target}" hx-swap="{swap}">{html}</hx-partial>'


@lru_cache(2048)
def _turn(turn: TurnView, actions: ActionsView, _language: str) -> str:
    return fragment("partials/game_turn.html", turn=turn, actions=actions, hint=None)


@lru_cache(2048)
def _actions(part: str, actions: ActionsView, _language: str) -> str:
    return fragment(f"partials/game_{part}.html", actions=actions)
