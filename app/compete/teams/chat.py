"""The chat of each team."""

from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.teams import queries
from app.compete.teams.queries import TeamDetails
from app.core.database.session import Database
from app.core.errors import ForbiddenError, NotFoundError
from app.core.i18n.text import _
from app.core.realtime.bus import Bus
from app.people.identity.service import Identity
from app.play.chat.rooms import ChatSaid, Conversation, Room
from app.play.chat.service import ChatWords, MuteFilter, check_is_on, in_room, is_off, post, said_in


class TeamChat:
    """What the members of each team say to each other."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus
        self._mutes = MuteFilter(database)

    async def conversations(self, viewer: Identity | None, team: TeamDetails) -> list[Conversation]:
        """Return the room of a team for its members, unless they have switched chat off; else nothing."""
        if viewer is None or team.role is None or is_off(viewer):
            return []
        async with self._database.reading_now() as session:
            return [await in_room(session, viewer, team.id, Room.TEAM, may_write=True)]

    async def read(self, viewer: Identity, team_id: str) -> list[ChatSaid]:
        """Return the last messages, the oldest first.

        Raise NotFoundError, ForbiddenError `chat_off`, `not_a_member`.
        """
        async with self._database.reading_now() as session:
            await _check_may_chat(session, viewer, team_id)
            return await said_in(session, viewer, team_id, Room.TEAM)

    async def say(self, identity: Identity, team_id: str, words: ChatWords) -> ChatSaid:
        """Post a message.

        Raise NotFoundError, InvalidError `bad_greeting`, ConflictError `too_many_messages`, or
        ForbiddenError: `chat_off`, `not_a_member`, `muted` or `new_account` (for texts).
        """
        async with self._database.transaction() as session:
            await _check_may_chat(session, identity, team_id)
            said = await post(session, identity, team_id, Room.TEAM, words)
        self._bus.publish(said)
        return said

    async def shows(self, viewer: Identity, message: ChatSaid) -> bool:
        """Return whether a viewer is shown a message."""
        try:
            async with self._database.reading_now() as session:
                await _check_may_chat(session, viewer, message.place)
        except (NotFoundError, ForbiddenError):
            return False
        return await self._mutes.shows(viewer, message)


async def _check_may_chat(session: AsyncSession, identity: Identity, team_id: str) -> None:
    team = await queries.get(session, team_id, identity.id)
    if team.role is None:
        raise ForbiddenError("not_a_member", _("Only members of the team can read and write here."))
    check_is_on(identity)
