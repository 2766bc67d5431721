"""The live connections of the game page and of the games in progress."""

from typing import Annotated

from fastapi import APIRouter, Query, WebSocket

from app.events import GAMES, Event, GameChanged, Played, Resync, Step, game_topic, presence_topic
from app.games.deps import FeedDep, GamesDep
from app.games.game import GameState
from app.games.presenter import MOST_MINIS, attendance_view, mini_view, role_of
from app.games.service import Games
from app.games.updates import moves_update, update
from app.games.views import SPECTATOR
from app.i18n.languages import current
from app.live.deps import LiveDep
from app.live.service import push
from app.realtime.hub import Subscription
from app.realtime.presence import SITE, Presence
from app.web.deps import PresenceDep
from app.web.render import fragment
from engine.game import Side

router = APIRouter(include_in_schema=False)


@router.websocket("/games/{game_id:id}/live")
async def live_game(
    websocket: WebSocket, game_id: str, live: LiveDep, feed: FeedDep, games: GamesDep, presence: PresenceDep
) -> None:
    """Push the game to a page: all of it on connecting, then each change."""
    async with live.page(websocket) as socket:
        viewer = socket.identity
        state = await games.seen_by(viewer, game_id)
        role, language = role_of(state, viewer.id if viewer else None), current()

        def show(before: GameState, step: Step | None, after: GameState) -> None:
            draw = moves_update if isinstance(step, Played) else update
            socket.send(draw(after, role, before.ply, language))

        async def attendance(_event: Event | Resync | None, _subscription: Subscription) -> str:
            return await _attendance(follower.state, role, games, presence)

        socket.send(update(state, role, state.ply, language))
        follower = feed.follow(socket, state, show)
        async with presence.here(viewer.id if viewer else None, game_id, SITE):
            push(socket, attendance, presence_topic(game_id))
            await socket.closed()


@router.websocket("/watch/live")
async def live_watch(
    websocket: WebSocket,
    games: GamesDep,
    live: LiveDep,
    most: Annotated[int, Query(ge=1, le=MOST_MINIS)] = MOST_MINIS,
) -> None:
    """Push each move of the games that are shown; when one ends, another takes its place."""

    async def render(event: Event | Resync | None, subscription: Subscription) -> str:
        if isinstance(event, GameChanged) and not event.is_over:
            return fragment("partials/mini_update.html", mini=mini_view(await games.after(event)))
        states = await games.to_watch(most)
        subscription.listen_to(GAMES, *(game_topic(state.id) for state in states))
        return fragment("partials/minis_update.html", minis=[mini_view(state) for state in states])

    async with live.page(websocket) as socket:
        push(socket, render, GAMES)
        await socket.closed()


async def _attendance(state: GameState, role: str, games: Games, presence: Presence) -> str:
    """Return the fragment that shows who is present."""
    claim_in = None if role == SPECTATOR else await games.claimable_in(state, Side(role))
    view = attendance_view(state, role, await presence.at(state.id), claim_in)
    return fragment("partials/game_attendance.html", attendance=view, game_id=state.id)
