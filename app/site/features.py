"""The features of this wing. Their routes are tried in this order, so those asked for most come first."""

from app.core.feature import LONG, Feature, Schedule
from app.core.web.channels import MessageChannel
from app.live.messages import Restart
from app.nugget.records.schemas import RecordBeatenEvent
from app.site.accounts.log_ins import delete_unfinished_log_ins
from app.site.accounts.registration import delete_old_invitations
from app.site.accounts.service import HAS_SETTLED, Departures
from app.site.announcements.service import Announcer
from app.site.awards.service import HAS_NEWS, Awards
from app.site.dumps.service import Dumps
from app.site.event_stream import schemas
from app.site.leaderboards.service import mark_rankings
from app.site.privacy.service import HAS_WAITING, Privacy

FEATURES = (
    Feature(
        "app.site.event_stream",
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
                    schemas.OfferEvent,
                    schemas.RaceStarted,
                    schemas.MessageEvent,
                    schemas.MessageRemovedEvent,
                    schemas.MessagesReadEvent,
                    schemas.NotificationEvent,
                    schemas.FriendEvent,
                    schemas.FriendPlaying,
                    schemas.TournamentEvent,
                    schemas.TournamentPaired,
                    schemas.ExportReady,
                    RecordBeatenEvent,
                    Restart,
                ),
            ),
        ),
    ),
    Feature("app.site.home"),
    Feature("app.site.announcements", on_start=(Announcer.look,), tasks={"announcements": Announcer.run}),
    Feature(
        "app.site.accounts",
        schedules=(
            Schedule("finish_departures", "* * * * * */10", Departures.finish, has_work=HAS_SETTLED),
            Schedule("delete_old_invitations", "57 3 * * *", delete_old_invitations),
            Schedule("delete_unfinished_log_ins", "7 * * * *", delete_unfinished_log_ins),
        ),
    ),
    Feature("app.site.players"),
    Feature("app.site.messages"),
    Feature(
        "app.site.leaderboards",
        schedules=(Schedule("mark_rankings", "*/5 * * * *", mark_rankings),),
    ),
    Feature(
        "app.site.awards",
        schedules=(Schedule("award_new", "* * * * * */5", Awards.award_new, has_work=HAS_NEWS),),
    ),
    Feature("app.site.moderation"),
    Feature(
        "app.site.privacy",
        schedules=(
            Schedule(
                "write_exports", "* * * * * */3", Privacy.write_exports, within=LONG, has_work=HAS_WAITING
            ),
            Schedule("delete_old_exports", "47 * * * *", Privacy.delete_old_exports),
            Schedule("erase_due", "* * * * *", Privacy.erase_due),
        ),
    ),
    Feature(
        "app.site.dumps",
        schedules=(Schedule("begin_dump", "17 3 * * *", Dumps.begin),),
    ),
    Feature("app.site.sitemaps"),
    Feature("app.site.embeds"),
)
