"""What this feature adds to the server."""

from app.core.feature import Feature
from app.core.web.channels import MessageChannel
from app.live.messages import Restart
from app.site.notifications import api, live, schemas

FEATURE = Feature(
    live=(live.router,),
    api=(api.router,),
    channels=(
        MessageChannel(
            "events",
            "/api/v1/events",
            "http",
            "All that concerns the account of the token, as lines of JSON. It begins with what waits "
            "already, or with an empty line; further empty lines are heartbeats.",
            sent=(
                schemas.ChallengeEvent,
                schemas.GameEvent,
                schemas.MyTurn,
                schemas.MessageEvent,
                schemas.FriendEvent,
                schemas.FriendPlaying,
                schemas.TournamentEvent,
                schemas.TournamentPaired,
                schemas.ExportReady,
                Restart,
            ),
        ),
    ),
)
