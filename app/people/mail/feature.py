"""What this feature adds to the server."""

from app.core.feature import Feature, Schedule
from app.core.settings import Settings
from app.people.mail import pages
from app.people.mail.sending import Mailer
from app.people.mail.service import Mail, queue_digests


def _has_mail(settings: Settings) -> bool:
    return settings.has_mail


FEATURE = Feature(
    pages=(pages.router,),
    schedules=(
        Schedule("send_mail", "* * * * * */5", Mailer.send_due, only_if=_has_mail),
        Schedule("queue_digests", "* * * * *", queue_digests, only_if=_has_mail),
        Schedule("delete_old_links", "47 4 * * *", Mail.delete_old_links, only_if=_has_mail),
    ),
)
