"""The chat of each tournament."""

from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.teams.queries import is_member
from app.compete.tournaments import queries
from app.compete.tournaments.models import TournamentPlayer
from app.compete.tournaments.queries import TournamentInfo
from app.core.database.session import Database
from app.core.errors import ConflictError, ForbiddenError
from app.core.i18n.text import _
from app.core.moments import utc_now
from app.core.realtime.bus import Bus
from app.people.eligibility import Ineligibility
from app.people.identity.service import Identity
from app.play.chat.rooms import ChatSaid, Conversation, Room
from app.play.chat.service import ChatWords, MuteFilter, check_is_on, in_room, is_off, post, said_in

_OPEN_AFTERWARDS = timedelta(days=1)


class TournamentChat:
    """What is said in the tournaments of the server, until a day after their ends."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus
        self._mutes = MuteFilter(database)

    async def conversations(self, viewer: Identity | None, info: TournamentInfo) -> list[Conversation]:
        """Return the room of a tournament, or nothing if its organiser or the viewer has switched it off."""
        if not info.terms.chat or is_off(viewer):
            return []
        async with self._database.reading_now() as session:
            may_write = is_open(info) and viewer is not None and await _belongs(session, info, viewer)
            return [await in_room(session, viewer, info.id, Room.TOURNAMENT, may_write=may_write)]

    async def read(self, viewer: Identity | None, tournament_id: str) -> list[ChatSaid]:
        """Return the last messages, the oldest first.

        Raise NotFoundError, ForbiddenError `chat_off`, `no_chat`.
        """
        async with self._database.reading_now() as session:
            info = await queries.get(session, tournament_id)
            check_is_on(viewer)
            if not info.terms.chat:
                raise _no_chat()
            return await said_in(session, viewer, tournament_id, Room.TOURNAMENT)

    async def say(self, identity: Identity, tournament_id: str, words: ChatWords) -> ChatSaid:
        """Post a message.

        Raise NotFoundError, InvalidError `bad_greeting`, ConflictError `chat_closed` or `too_many_messages`,
        or ForbiddenError: `chat_off`, `no_chat`, `not_a_member` (of the team, and no player), `muted`,
        `guest` or `new_account` (for texts).
        """
        check_is_on(identity)
        async with self._database.transaction() as session:
            info = await queries.get(session, tournament_id)
            if not info.terms.chat:
                raise _no_chat()
            if not is_open(info):
                raise ConflictError("chat_closed", _("The chat of this tournament is closed."))
            if not await _belongs(session, info, identity):
                raise ForbiddenError(Ineligibility.NOT_A_MEMBER, Ineligibility.NOT_A_MEMBER.words)
            said = await post(session, identity, tournament_id, Room.TOURNAMENT, words)
        self._bus.publish(said)
        return said

    async def shows(self, viewer: Identity | None, message: ChatSaid) -> bool:
        """Return whether a viewer of a tournament is shown a message."""
        return not is_off(viewer) and await self._mutes.shows(viewer, message)


def is_open(info: TournamentInfo) -> bool:
    """Return whether messages can still be posted in a tournament."""
    return info.ended_at is None or utc_now() < info.ended_at + _OPEN_AFTERWARDS


async def _belongs(session: AsyncSession, info: TournamentInfo, identity: Identity) -> bool:
    """Return whether an account plays in a tournament or belongs to its team, if it is for one.

    The players go on when the team is closed, and so does the host of a simul who has left the team.
    """
    if info.terms.team_id is None:
        return True
    player = await session.get(TournamentPlayer, (info.id, identity.id))
    plays = player is not None and player.status != "withdrawn"
    return plays or await is_member(session, info.terms.team_id, identity.id)


def _no_chat() -> ForbiddenError:
    return ForbiddenError("no_chat", _("The chat of this tournament is switched off."))
