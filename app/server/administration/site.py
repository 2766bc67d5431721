"""What administrators decide about the site: what is announced, who may register, and names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.core.database.session import Database
from app.core.realtime.bus import Bus
from app.people.identity.clients import Client
from app.people.identity.service import Identity, check_administrator
from app.server.administration.allowed import named
from app.site.accounts import registration
from app.site.accounts.models import Invitation
from app.site.accounts.registration import Registration
from app.site.announcements import service as announcements
from app.site.announcements.events import AnnouncementChanged
from app.site.announcements.models import Announcement


@dataclass(frozen=True, slots=True)
class SiteState:
    """What is in force."""

    announcement: Announcement | None
    registration: Registration
    invitations: Sequence[Invitation]
    names: Sequence[str]


class SiteAdministration:
    """What administrators see and change of the site. Each method raises ForbiddenError for others."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    async def state(self, identity: Identity) -> SiteState:
        """Return what is in force."""
        check_administrator(identity)
        async with self._database.reading_now() as session:
            return SiteState(
                announcement=await announcements.current(session),
                registration=await registration.mode(session),
                invitations=await registration.open_invitations(session),
                names=await registration.reserved(session),
            )

    async def announce(
        self, identity: Identity, client: Client, texts: Mapping[str, str], ends_at: datetime
    ) -> None:
        """Announce a text by language until a moment. Raise FieldError."""
        check_administrator(identity)
        await announcements.announce(self._database, texts, ends_at, named(client, identity))
        self._bus.publish(AnnouncementChanged())

    async def withdraw(self, identity: Identity, client: Client) -> None:
        """Take back what is announced."""
        check_administrator(identity)
        await announcements.withdraw(self._database, named(client, identity))
        self._bus.publish(AnnouncementChanged())

    async def set_registration(self, identity: Identity, client: Client, mode: str) -> None:
        """Decide who may register. Raise InvalidError."""
        check_administrator(identity)
        await registration.set_mode(self._database, mode, named(client, identity))

    async def invite(self, identity: Identity, client: Client, most: int, ends_at: datetime) -> None:
        """Make an invitation for a number of people, until a moment. Raise FieldError."""
        check_administrator(identity)
        await registration.invite(self._database, most, ends_at, named(client, identity))

    async def end_invitation(self, identity: Identity, client: Client, code: str) -> None:
        """End an invitation."""
        check_administrator(identity)
        await registration.end_invitation(self._database, code, named(client, identity))

    async def reserve(self, identity: Identity, client: Client, name: str) -> None:
        """Keep a name from being registered. Raise FieldError."""
        check_administrator(identity)
        await registration.reserve(self._database, name, named(client, identity))

    async def release(self, identity: Identity, client: Client, name: str) -> None:
        """Release a reserved name: it can be registered again."""
        check_administrator(identity)
        await registration.release(self._database, name, named(client, identity))
