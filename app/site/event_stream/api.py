"""The event stream of an account, for programs that play by themselves."""

from typing import Any

from fastapi import Request
from starlette.responses import StreamingResponse

from app.core.events import account_topic
from app.core.realtime.presence import SITE, Presence
from app.core.web.deps import Part, SiteUrl
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.live.connections import Stream
from app.live.pushing import push_lines
from app.live.service import Live
from app.people.identity.viewer import KnownProgram
from app.play.games.service import EVERYWHERE
from app.site.event_stream.service import Marks, look_with_heartbeats
from app.site.event_stream.stream import EventStream, StreamParts

router = Router(prefix="/api/v1", tags=["accounts"])

_STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "One JSON object per line: challenge, challenge_declined, challenge_closed, "
        "game_started, my_turn, takeback_requested, pause_requested, game_finished, race_started, message, "
        "message_removed, messages_read, notification, friend_online, friend_offline, friend_playing, "
        "tournament_started, tournament_paired, tournament_finished, record_beaten, export_ready, restart. "
        "It begins with what waits already, or with an empty line; further empty lines are heartbeats.",
        "content": {
            "application/x-ndjson": {
                "schema": {"type": "string", "format": "binary"},
                "example": '{"type":"my_turn","game_id":"k7m2wq9xab","ply":4}\n\n',
            }
        },
    },
    **problems(429),
}


@router.get("/events", response_class=StreamingResponse, responses=_STREAM)
async def event_stream(
    request: Request,
    program: KnownProgram,
    parts: Part[StreamParts],
    site_url: SiteUrl,
    live: Part[Live],
    marks: Part[Marks],
    presence: Part[Presence],
) -> StreamingResponse:
    """Follow everything that concerns the token's account, as lines of JSON, one for each event."""

    def start(stream: Stream) -> None:
        events = EventStream(program.id, parts, site_url)
        subscription = push_lines(stream, events.render, account_topic(program.id))
        look_with_heartbeats(stream, subscription, marks, program.id)

    return await live.stream(request, program, start, presence.here(program.id, EVERYWHERE, SITE))
