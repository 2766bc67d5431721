"""The live connection of a race's page."""

from fastapi import APIRouter, WebSocket

from app.core.events import Event, Resync, game_topic
from app.core.moments import now
from app.core.web.deps import Part
from app.core.web.render import fragment
from app.live.messages import visit
from app.live.pushing import LiveSubscription, push
from app.live.service import Live
from app.play.solitaire.pages import race_view
from app.play.solitaire.races import race_topic
from app.play.solitaire.service import Races

router = APIRouter(include_in_schema=False)


@router.websocket("/races/{race_id:id}/live")
async def live_race(websocket: WebSocket, race_id: str, live: Part[Live], races: Part[Races]) -> None:
    """Push the table of a race after every move in it, and lead players to their games once it has started.

    Only a page that was drawn before follows.
    """
    is_led = False

    async def render(_event: Event | Resync | None, subscription: LiveSubscription) -> str:
        nonlocal is_led
        viewer = socket.identity
        race = await races.get(race_id)
        game_id = race.game_of(viewer.id) if viewer else None
        if game_id and not is_led:
            socket.send(visit(f"/games/{game_id}"))
        is_led = game_id is not None
        subscription.listen_to(race_topic(race_id), *(game_topic(racer.game_id) for racer in race.racers))
        view = race_view(race, viewer)
        return fragment("partials/race_update.html", view=view, viewer=viewer, now=now())

    async with live.page(websocket) as socket:
        push(socket, render, race_topic(race_id))
