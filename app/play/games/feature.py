"""What this feature adds to the server."""

from app.core.feature import Feature, Schedule
from app.core.realtime.hub import Hub
from app.core.web.channels import MessageChannel
from app.live.messages import Heartbeat, Restart
from app.people.identity.events import ACCOUNTS
from app.play.chat.schemas import ChatEvent
from app.play.games import api, live, pages
from app.play.games.news import remind_of_deadlines
from app.play.games.schemas import Ack, FinishedEvent, MoveEvent, SnapshotEvent, SocketError, SocketMove
from app.play.games.service import Games


async def _write(games: Games) -> None:
    await games.journal.run()


async def _beat(games: Games) -> None:
    await games.timekeeper.beat()


async def _keep_time(games: Games) -> None:
    await games.timekeeper.run()


async def _forget_who_changed(hub: Hub, games: Games) -> None:
    hub.listen(games.store.forget, (ACCOUNTS,))


_OF_GAME = (SnapshotEvent, MoveEvent, FinishedEvent, ChatEvent, Restart)

FEATURE = Feature(
    live=(live.router,),
    api=(api.router,),
    pages=(pages.router,),
    channels=(
        MessageChannel(
            "game_socket",
            "/api/v1/games/{game_id}/socket",
            "ws",
            "A game, followed and played over one websocket. Its players may move with a token.",
            sent=(*_OF_GAME, Ack, SocketError, Heartbeat),
            received=(SocketMove,),
        ),
        MessageChannel(
            "game_stream",
            "/api/v1/games/{game_id}/stream",
            "http",
            "A game as lines of JSON, one for each event; an empty line is a heartbeat.",
            sent=_OF_GAME,
        ),
    ),
    on_start=(_beat, _forget_who_changed),
    tasks={"journal": _write, "timekeeper": _keep_time},
    schedules=(Schedule("remind_of_deadlines", "*/5 * * * *", remind_of_deadlines),),
)
