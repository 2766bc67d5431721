"""The live connections of the game page and of the games in progress."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, WebSocket

from app.core.events import Event, Resync, game_topic, player_topic
from app.core.i18n.languages import current
from app.core.realtime.events import presence_topic
from app.core.realtime.presence import SITE, Presence
from app.core.settings import Settings
from app.core.web.deps import Part
from app.core.web.middleware import wrote_cookie
from app.core.web.render import fragment
from app.core.web.throttle import Throttle
from app.live.connections import Socket
from app.live.messages import Message
from app.live.pushing import LiveSubscription, push
from app.live.service import Live
from app.people.identity.viewer import ClientDep
from app.people.social.service import Social
from app.play.bots.service import Coach
from app.play.chat.presenter import show_chat
from app.play.chat.rooms import opens
from app.play.chat.service import Chat
from app.play.conditions.service import Conditions, ConditionsChanged, conditions_topic
from app.play.games.events import GAMES, GameChanged, Played, Step
from app.play.games.follow import GameFeed
from app.play.games.forms import WatchFilter
from app.play.games.game import GameState
from app.play.games.moves_by_socket import MoveReceiver, PageAnswers
from app.play.games.presenter.cards import featured, games_to_watch, mini_view
from app.play.games.presenter.page import attendance_view, role_of
from app.play.games.presenter.updates import declined, moves_update, of_role, update
from app.play.games.service import Games
from app.play.games.views import SPECTATOR, MiniView
from app.play.lobby.rematches import show_rematch
from app.play.lobby.service import Lobby
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
    conditions: Part[Conditions],
    lobby: Part[Lobby],
    presence: Part[Presence],
    social: Part[Social],
    coach: Part[Coach],
    throttle: Part[Throttle],
    settings: Part[Settings],
    client: ClientDep,
    version: Annotated[int, Query()] = -1,
    rematch: Annotated[str, Query(max_length=32)] = "",
) -> None:
    """Push the game to a page: on connecting what a page of an earlier `version` lacks, then each change.

    A player's page may send moves. Once the game is over, it is led to its rematch, but not to that which had
    begun when it was drawn, `rematch`.
    """
    async with live.page(websocket) as socket:
        viewer = socket.identity
        state = await games.seen_by(viewer, game_id)
        role, language = role_of(state, viewer.id if viewer else None), current()
        has_rematch = role != SPECTATOR and not state.is_solitaire

        def show(before: GameState, step: Step | None, after: GameState) -> None:
            draw = moves_update if isinstance(step, Played) else update
            socket.send(draw(after, role, before.ply, language))
            if said := declined(before, step, role, language):
                socket.send(said)
            if has_rematch and after.result and not before.result:
                show_rematch(socket, lobby, after, rematch)
            if opens(before, after):
                rooms.look()

        async def conditions_note(event: Event | Resync | None, _subscription: LiveSubscription) -> str:
            if viewer is None or (isinstance(event, ConditionsChanged) and event.account_id != viewer.id):
                return ""
            shown = await conditions.note(follower.state, viewer.id)
            return fragment("partials/conditions_note_update.html", conditions_note=shown, game_id=game_id)

        # The page of a role that waits for its turn has a board without the marks for premoves.
        if state.version == version and (state.result is not None or state.side_to_move == role):
            socket.send(Message(of_role(state, role)))
        else:
            socket.send(update(state, role, state.ply, language))
        follower = feed.follow(socket, state, show)
        rooms = show_chat(socket, follower, chat)
        await socket.hold(presence.here(viewer.id if viewer else None, game_id, SITE))
        _show_attendance(socket, state, role, games, presence, social)
        if has_rematch and state.result:
            show_rematch(socket, lobby, state, rematch)
        # Of spectators, too: a player's page may be logged out.
        answers = PageAnswers(socket, games, game_id, wrote_cookie(settings))
        moves = MoveReceiver(socket, live.proofs, games, coach, throttle, game_id, answers, client.device)
        socket.on_message(moves.receive)
        if viewer is not None and role != SPECTATOR and state.takes_conditions:
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


def _show_attendance(
    socket: Socket, begun: GameState, role: str, games: Games, presence: Presence, social: Social
) -> None:
    """Show a page who is present, and when a win can be claimed, after each change of these."""
    game_id, is_claim_shown = begun.id, False

    async def render(_event: Event | Resync | None, _subscription: LiveSubscription) -> str:
        nonlocal is_claim_shown
        state = await games.get(game_id)
        claim_at = None if role == SPECTATOR else await games.claimable_at(state, Side(role))
        is_claim_shown = claim_at is not None
        here = await presence.at(game_id)
        shown = frozenset(player.id for player in state.players)
        if not state.is_awaited:  # nobody is called away, so only those who are here matter
            shown &= here.accounts
        if role == SPECTATOR or not state.is_awaited:  # opponents who wait for each other see who has left
            own = shown & {socket.identity.id} if socket.identity else frozenset[int]()
            shown = await social.showing(shown - own, socket.identity) | own
        view = attendance_view(state, role, here, shown, claim_at)
        return fragment("partials/game_attendance.html", attendance=view, game_id=game_id)

    def look_after_step(event: Event | Resync) -> None:
        if isinstance(event, GameChanged) and (is_claim_shown or event.is_over):
            attendance.look()

    players = (player_topic(player.id) for player in begun.players)
    attendance = push(socket, render, presence_topic(game_id), *players)
    socket.listen(look_after_step, game_topic(game_id))
