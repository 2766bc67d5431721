"""The texts that players write for others, by the kind of place that reports name them by."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Integer, Table, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.chat.models import ChatMessage
from app.messages.models import Message
from app.moderation.places import Place
from app.nugget.models import Competition
from app.teams.models import Team


@dataclass(frozen=True, slots=True)
class Written:
    """Where a text is stored: a table, and the columns of its id, its author and itself."""

    table: Table
    id: ColumnElement[Any]
    author: ColumnElement[int]
    text: ColumnElement[Any]

    def is_at(self, place: Place, author_id: int) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
        """Return the conditions of an author's text at a place."""
        wanted = int(place.name) if isinstance(self.id.type, Integer) else place.name
        return self.id == wanted, self.author == author_id


_CHAT = ChatMessage.metadata.tables[ChatMessage.__tablename__]
_MESSAGES = Message.metadata.tables[Message.__tablename__]
_COMPETITIONS = Competition.metadata.tables[Competition.__tablename__]
_TEAMS = Team.metadata.tables[Team.__tablename__]

_TEXTS: Mapping[str, Written] = {
    "chat": Written(_CHAT, _CHAT.c.id, _CHAT.c.account_id, _CHAT.c.text),
    "message": Written(_MESSAGES, _MESSAGES.c.id, _MESSAGES.c.author_id, _MESSAGES.c.text),
    "competition": Written(
        _COMPETITIONS, _COMPETITIONS.c.id, _COMPETITIONS.c.organiser_id, _COMPETITIONS.c.text
    ),
    "team": Written(_TEAMS, _TEAMS.c.id, _TEAMS.c.leader_id, _TEAMS.c.text),
}


async def quote(session: AsyncSession, place: Place | None, author_id: int) -> str:
    """Return an author's text at a place, or nothing if there is none."""
    written = _TEXTS.get(place.kind) if place else None
    if written is None or place is None:
        return ""
    return await session.scalar(select(written.text).where(*written.is_at(place, author_id))) or ""


async def remove(session: AsyncSession, place: Place | None, author_id: int) -> bool:
    """Remove an author's text at a place. Return False if there is none."""
    written = _TEXTS.get(place.kind) if place else None
    if written is None or place is None:
        return False
    statement = (
        update(written.table)
        .where(*written.is_at(place, author_id))
        .values({written.text: ""})
        .returning(written.author)
    )
    return await session.scalar(statement) is not None
