"""Tables of teams: their members, and who asks to become one."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, exists, func, literal_column
from sqlalchemy import text as sql
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import KEEP, OWN, Personal
from app.core.database.written import Written
from app.core.i18n.text import _


class Team(Base):
    """A team. `size` is the number of its members, `leader_id` the one who is responsible for it.

    `written_by` is who has written its name, as it is, and `text_by` its text, whoever leads it now; null in
    teams that servers of the version before made.
    Everybody may join if it `is_open`; otherwise the leader and the officers decide. The `skeleton` of its
    name (see `app.core.web.look_alikes`) is null if it looked like an older one before that was forbidden.
    """

    __tablename__ = "teams"
    __personal__ = Personal(("leader_id", "written_by", "text_by"), KEEP)
    __written__ = Written(
        kind="team",
        noun=_("Team"),
        author="leader_id",
        authors={"name": "written_by", "skeleton": "written_by", "text": "text_by"},
        empty={"name": func.concat("Team ", literal_column("id")), "skeleton": None, "text": ""},
        page="/teams/{}",
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    skeleton: Mapped[str | None]
    text: Mapped[str] = mapped_column(server_default="")
    is_open: Mapped[bool]
    leader_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    written_by: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    text_by: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    size: Mapped[int] = mapped_column(server_default=sql("0"))
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    closed_at: Mapped[datetime | None]

    __table_args__ = (
        Index(
            "uq_teams_name_lower", sql("lower(name)"), unique=True, postgresql_where=sql("closed_at IS NULL")
        ),
        Index("uq_teams_skeleton", "skeleton", unique=True, postgresql_where=sql("closed_at IS NULL")),
        Index("ix_teams_size_id", sql("size DESC"), "id", postgresql_where=sql("closed_at IS NULL")),
    )


class TeamMember(Base):
    """A member of a team, and the member's role; see `app.compete.teams.queries.Role`."""

    __tablename__ = "team_members"
    __personal__ = Personal(OWN)

    team_id: Mapped[str] = mapped_column(ForeignKey("teams.id"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    role: Mapped[str]
    joined_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (
        CheckConstraint("role IN ('leader', 'officer', 'member')", name="role"),
        Index("ix_team_members_account_id", "account_id"),
    )


class TeamRequest(Base):
    """An account that wants to join a team. Once it is refused, or removed, it cannot join or ask again."""

    __tablename__ = "team_requests"
    __personal__ = Personal(OWN)
    __written__ = Written(
        kind="request",
        noun=_("Request to join a team"),
        empty={"text": ""},
        readable=lambda requests, account_id: exists().where(
            TeamMember.team_id == requests.team_id,
            TeamMember.account_id == account_id,
            TeamMember.role != "member",
        ),
    )

    team_id: Mapped[str] = mapped_column(ForeignKey("teams.id"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    text: Mapped[str] = mapped_column(server_default="")
    asked_at: Mapped[datetime] = mapped_column(server_default=func.now())
    refused_at: Mapped[datetime | None]

    __table_args__ = (Index("ix_team_requests_account_id", "account_id"),)
