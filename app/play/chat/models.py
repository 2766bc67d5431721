"""The tables of what is said beside games, in tournaments and in teams, and of notes."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ColumnElement, ForeignKey, Identity, Index, exists, func, or_
from sqlalchemy import text as sql
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import OWN, Handover, Personal
from app.core.database.written import Written
from app.core.i18n.text import _
from app.play.chat.rooms import LineRemoved
from app.play.games.models import Game


def _in_own_room(chat: Any, account_id: int) -> ColumnElement[bool]:
    """Return the condition of the lines that an account may read, as `rooms.may_read` has it."""
    members = Base.metadata.tables["team_members"].c
    is_member = exists().where(members.team_id == chat.team_id, members.account_id == account_id)
    is_player = or_(Game.first_player == account_id, Game.second_player == account_id)
    is_own = is_player == (chat.room == "players")
    may_read = exists().where(Game.id == chat.game_id, or_(Game.ended_at.is_not(None), is_own))
    return or_(chat.room == "tournament", may_read, is_member)


class ChatMessage(Base):
    """A text or a greeting in a room of the chat of a game, a tournament or a team."""

    __tablename__ = "chat_messages"
    __personal__ = Personal(OWN, handover=Handover.WITH_GAMES)
    __written__ = Written(
        kind="chat",
        noun=_("Line of chat"),
        empty={"text": ""},
        readable=_in_own_room,
        page_of_moderators="/moderation/chat/{}",
        removed=lambda line: [LineRemoved(line.game_id or line.tournament_id or line.team_id, line.id)],
    )

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"))
    tournament_id: Mapped[str | None] = mapped_column(ForeignKey("tournaments.id", ondelete="CASCADE"))
    team_id: Mapped[str | None] = mapped_column(ForeignKey("teams.id"))
    room: Mapped[str]
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    text: Mapped[str | None]
    greeting: Mapped[str | None]
    at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (
        CheckConstraint("room IN ('players', 'spectators', 'tournament', 'team')", name="room"),
        CheckConstraint(
            "(game_id IS NULL) = (room IN ('tournament', 'team')) "
            "AND (tournament_id IS NULL) = (room <> 'tournament') AND (team_id IS NULL) = (room <> 'team')",
            name="place",
        ),
        CheckConstraint("(text IS NULL) <> (greeting IS NULL)", name="words"),
        Index("ix_chat_messages_game_id_room_id", "game_id", "room", "id"),
        Index(
            "ix_chat_messages_tournament_id",
            "tournament_id",
            "id",
            postgresql_where=sql("tournament_id IS NOT NULL"),
        ),
        Index("ix_chat_messages_team_id", "team_id", "id", postgresql_where=sql("team_id IS NOT NULL")),
    )


class GameNote(Base):
    """What a player has written about a game for nobody else to see."""

    __tablename__ = "game_notes"
    __personal__ = Personal(OWN, handover=Handover.UNLESS_KNOWN)

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True, index=True)
    text: Mapped[str]
