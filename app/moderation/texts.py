"""The texts that players write for others, by the kind of place that reports name them by."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, ColumnElement, Integer, and_, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.sql.base import ReadOnlyColumnCollection

from app.chat.models import ChatMessage
from app.database.base import Base
from app.messages.models import Message
from app.moderation.places import Place
from app.nugget.models import Competition
from app.players.models import ProfileRow
from app.studies.models import StudyRow
from app.teams.models import Team
from app.tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class Written:
    """Where a text is stored: the columns of its author, of its id (None: an author has one), and of itself.

    Removing it sets the columns in `empty`.
    """

    author: Column[int]
    id: ColumnElement[Any] | None
    text: ColumnElement[Any]
    empty: Mapping[ColumnElement[Any], Any]

    def is_at(self, place: Place, author_id: int) -> ColumnElement[bool]:
        """Return the condition of an author's text at a place."""
        if self.id is None:
            return self.author == author_id
        wanted = int(place.name) if isinstance(self.id.type, Integer) else place.name
        return and_(self.id == wanted, self.author == author_id)


def _columns(model: type[Base]) -> ReadOnlyColumnCollection[str, Column[Any]]:
    return model.metadata.tables[model.__tablename__].c


def _written(author: Column[int], id_: ColumnElement[Any], text: ColumnElement[Any]) -> Written:
    return Written(author, id_, text, {text: ""})


_CHAT = _columns(ChatMessage)
_MESSAGES = _columns(Message)
_COMPETITIONS = _columns(Competition)
_TEAMS = _columns(Team)
_PROFILES = _columns(ProfileRow)
_STUDIES = _columns(StudyRow)
_TOURNAMENTS = _columns(Tournament)

_TEXTS: Mapping[str, Written] = {
    "chat": _written(_CHAT.account_id, _CHAT.id, _CHAT.text),
    "message": _written(_MESSAGES.author_id, _MESSAGES.id, _MESSAGES.text),
    "competition": _written(_COMPETITIONS.organiser_id, _COMPETITIONS.id, _COMPETITIONS.text),
    "team": Written(
        author=_TEAMS.leader_id,
        id=_TEAMS.id,
        text=func.concat_ws("\n", _TEAMS.name, _TEAMS.text),
        empty={_TEAMS.text: ""},
    ),
    "study": Written(
        author=_STUDIES.account_id,
        id=_STUDIES.id,
        text=func.concat_ws("\n", _STUDIES.title, _STUDIES.moves),
        empty={_STUDIES.title: "", _STUDIES.moves: ""},
    ),
    "tournament": Written(
        author=_TOURNAMENTS.organiser_id,
        id=_TOURNAMENTS.id,
        text=func.concat_ws("\n", _TOURNAMENTS.name, _TOURNAMENTS.description, _TOURNAMENTS.reason),
        empty={_TOURNAMENTS.name: "Tournament", _TOURNAMENTS.description: "", _TOURNAMENTS.reason: ""},
    ),
    "profile": Written(
        author=_PROFILES.account_id,
        id=None,
        text=func.concat_ws("\n", _PROFILES.text, func.array_to_string(_PROFILES.links, "\n")),
        empty={_PROFILES.text: "", _PROFILES.links: []},
    ),
}


async def quote(session: AsyncSession, place: Place | None, author_id: int) -> str:
    """Return an author's text at a place, or nothing if there is none."""
    written = _TEXTS.get(place.kind) if place else None
    if written is None or place is None:
        return ""
    return (await session.scalar(select(written.text).where(written.is_at(place, author_id))) or "").strip()


async def remove(session: AsyncSession, place: Place | None, author_id: int) -> bool:
    """Remove an author's text at a place. Return False if there is none."""
    written = _TEXTS.get(place.kind) if place else None
    if written is None or place is None:
        return False
    table = written.author.table
    statement = update(table).where(written.is_at(place, author_id)).values(written.empty)
    return await session.scalar(statement.returning(written.author)) is not None
