"""The features of this wing. Their routes are tried in this order, so those asked for most come first."""

from app.core.feature import LONG, Feature, Schedule
from app.core.settings import Settings
from app.people.identity.cleanup import delete_expired_keys, delete_old_events, delete_unused_guests
from app.people.inbox.kinds import Channel
from app.people.inbox.outbox import has_due
from app.people.inbox.service import delete_old_notifications, delete_old_sendings
from app.people.mail.sending import Mailer
from app.people.mail.service import Mail, queue_digests
from app.people.push.sending import Pusher
from app.people.push.service import Push


def _has_mail(settings: Settings) -> bool:
    return settings.has_mail


FEATURES = (
    Feature(
        "app.people.inbox",
        schedules=(
            Schedule("delete_old_notifications", "7 * * * *", delete_old_notifications),
            Schedule("delete_old_sendings", "27 * * * *", delete_old_sendings),
        ),
    ),
    Feature("app.people.social"),
    Feature(
        "app.people.push",
        schedules=(
            Schedule(
                "send_push", "* * * * * */3", Pusher.send_due, within=LONG, has_work=has_due(Channel.PUSH)
            ),
            Schedule("delete_ended_devices", "57 * * * *", Push.delete_ended),
        ),
    ),
    Feature(
        "app.people.mail",
        schedules=(
            Schedule(
                "send_mail",
                "* * * * * */5",
                Mailer.send_due,
                only_if=_has_mail,
                within=LONG,
                has_work=has_due(Channel.EMAIL),
            ),
            Schedule("queue_digests", "* * * * *", queue_digests, only_if=_has_mail),
            Schedule("delete_old_links", "47 4 * * *", Mail.delete_old_links, only_if=_has_mail),
        ),
    ),
    Feature(
        "app.people.identity",
        schedules=(
            Schedule("delete_expired_keys", "17 * * * *", delete_expired_keys),
            Schedule("delete_old_events", "17 4 * * *", delete_old_events),
            Schedule("delete_unused_guests", "27 4 * * *", delete_unused_guests),
        ),
    ),
)
