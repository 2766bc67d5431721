"""The texts that players write for others, by the kind of place that reports name them by."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, ColumnElement, Integer, and_, exists, func, or_, select, true, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.sql.base import ReadOnlyColumnCollection

from app.compete.teams.models import Team
from app.compete.tournaments.models import Tournament
from app.core.database.base import Base
from app.learn.studies.models import StudyRow
from app.learn.studies.queries import Visibility
from app.nugget.models import Competition
from app.people.inbox.service import rename_subject
from app.play.chat.models import ChatMessage
from app.play.chat.rooms import Room
from app.play.games.models import Game
from app.site.messages.models import Message
from app.site.moderation.places import Place
from app.site.players.models import ProfileRow

Readable = Callable[[int], ColumnElement[bool]]
"""Returns the condition of the texts that an account may read."""


def _by_everybody(_account_id: int) -> ColumnElement[bool]:
    return true()


@dataclass(frozen=True, slots=True)
class Written:
    """Where a text is stored: the columns of its author, of its id (None: an author has one), and of itself.

    Removing it sets the columns in `empty`. If it `is_named`, its first line is a name of which notifications
    have copies.
    """

    author: Column[int]
    id: ColumnElement[Any] | None
    text: ColumnElement[Any]
    empty: Mapping[ColumnElement[Any], Any]
    readable: Readable = _by_everybody
    is_named: bool = False

    def is_at(self, place: Place, author_id: int) -> ColumnElement[bool]:
        """Return the condition of an author's text at a place."""
        if self.id is None:
            return self.author == author_id
        wanted = int(place.name) if isinstance(self.id.type, Integer) else place.name
        return and_(self.id == wanted, self.author == author_id)


def _columns(model: type[Base]) -> ReadOnlyColumnCollection[str, Column[Any]]:
    return model.metadata.tables[model.__tablename__].c


def _written(
    author: Column[int], id_: ColumnElement[Any], text: ColumnElement[Any], readable: Readable = _by_everybody
) -> Written:
    return Written(author, id_, text, {text: ""}, readable)


_CHAT = _columns(ChatMessage)
_MESSAGES = _columns(Message)
_COMPETITIONS = _columns(Competition)
_TEAMS = _columns(Team)
_PROFILES = _columns(ProfileRow)
_STUDIES = _columns(StudyRow)
_TOURNAMENTS = _columns(Tournament)


def _in_own_room(account_id: int) -> ColumnElement[bool]:
    """Return the condition of the lines of chat that an account may read, as `rooms.may_read` has it."""
    is_player = or_(Game.first_player == account_id, Game.second_player == account_id)
    is_own = is_player == (_CHAT.room == Room.PLAYERS)
    may_read = exists().where(Game.id == _CHAT.game_id, or_(Game.ended_at.is_not(None), is_own))
    return or_(_CHAT.room == Room.TOURNAMENT, may_read)


def _sent_to(account_id: int) -> ColumnElement[bool]:
    return _MESSAGES.reader_id == account_id


def _not_private(_account_id: int) -> ColumnElement[bool]:
    return _STUDIES.visibility != Visibility.PRIVATE


_TEXTS: Mapping[str, Written] = {
    "chat": _written(_CHAT.account_id, _CHAT.id, _CHAT.text, _in_own_room),
    "message": _written(_MESSAGES.author_id, _MESSAGES.id, _MESSAGES.text, _sent_to),
    "competition": Written(
        author=_COMPETITIONS.organiser_id,
        id=_COMPETITIONS.id,
        text=func.concat_ws("\n", _COMPETITIONS.title, _COMPETITIONS.text, _COMPETITIONS.reason),
        empty={_COMPETITIONS.title: "Competition", _COMPETITIONS.text: "", _COMPETITIONS.reason: ""},
    ),
    "team": Written(
        author=_TEAMS.leader_id,
        id=_TEAMS.id,
        text=func.concat_ws("\n", _TEAMS.name, _TEAMS.text),
        empty={_TEAMS.name: func.concat("Team ", _TEAMS.id), _TEAMS.text: ""},
        is_named=True,
    ),
    "study": Written(
        author=_STUDIES.account_id,
        id=_STUDIES.id,
        text=func.concat_ws("\n", _STUDIES.title, _STUDIES.moves),
        empty={_STUDIES.title: "", _STUDIES.moves: ""},
        readable=_not_private,
    ),
    "tournament": Written(
        author=_TOURNAMENTS.organiser_id,
        id=_TOURNAMENTS.id,
        text=func.concat_ws("\n", _TOURNAMENTS.name, _TOURNAMENTS.description, _TOURNAMENTS.reason),
        empty={
            _TOURNAMENTS.name: "Tournament",
            _TOURNAMENTS.skeleton: None,
            _TOURNAMENTS.description: "",
            _TOURNAMENTS.reason: "",
        },
        is_named=True,
    ),
    "profile": Written(
        author=_PROFILES.account_id,
        id=None,
        text=func.concat_ws("\n", _PROFILES.text, func.array_to_string(_PROFILES.links, "\n")),
        empty={_PROFILES.text: "", _PROFILES.links: []},
    ),
}


async def quote(session: AsyncSession, place: Place | None, author_id: int, reader_id: int) -> str:
    """Return an author's text at a place, or nothing if there is none that the reader may read."""
    written = _TEXTS.get(place.kind) if place else None
    if written is None or place is None:
        return ""
    query = select(written.text).where(written.is_at(place, author_id), written.readable(reader_id))
    return (await session.scalar(query) or "").strip()


async def remove(session: AsyncSession, place: Place | None, author_id: int) -> bool:
    """Remove an author's text at a place, with its copies. Return False if there is none."""
    written = _TEXTS.get(place.kind) if place else None
    if written is None or place is None:
        return False
    # A line of chat has no text if it is a greeting.
    is_text = and_(written.is_at(place, author_id), written.text.is_not(None))
    statement = update(written.author.table).where(is_text).values(written.empty)
    removed = (await session.execute(statement.returning(written.author, written.text))).one_or_none()
    if removed is not None and written.is_named:
        await rename_subject(session, place.name, removed[1].partition("\n")[0])
    return removed is not None
