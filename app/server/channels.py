"""The sockets and streams of programs, with their messages."""

from app.core.web.channels import Channel
from app.live.messages import Heartbeat, Restart
from app.play.chat.schemas import ChatEvent
from app.play.games.schemas import Ack, FinishedEvent, MoveEvent, SnapshotEvent, SocketError, SocketMove
from app.site.notifications.schemas import (
    ChallengeEvent,
    ExportReady,
    FriendEvent,
    FriendPlaying,
    GameEvent,
    MessageEvent,
    MyTurn,
    TournamentEvent,
    TournamentPaired,
)

_OF_GAME = (SnapshotEvent, MoveEvent, FinishedEvent, ChatEvent, Restart)

CHANNELS = (
    Channel(
        "game_socket",
        "/api/v1/games/{game_id}/socket",
        "ws",
        "A game, followed and played over one websocket. Its players may move with a token.",
        sent=(*_OF_GAME, Ack, SocketError, Heartbeat),
        received=(SocketMove,),
    ),
    Channel(
        "game_stream",
        "/api/v1/games/{game_id}/stream",
        "http",
        "A game as lines of JSON, one for each event; an empty line is a heartbeat.",
        sent=_OF_GAME,
    ),
    Channel(
        "events",
        "/api/v1/events",
        "http",
        "All that concerns the account of the token, as lines of JSON. It begins with what waits already, or "
        "with an empty line; further empty lines are heartbeats.",
        sent=(
            ChallengeEvent,
            GameEvent,
            MyTurn,
            MessageEvent,
            FriendEvent,
            FriendPlaying,
            TournamentEvent,
            TournamentPaired,
            ExportReady,
            Restart,
        ),
    ),
)
