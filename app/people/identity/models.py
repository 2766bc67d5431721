"""Tables of accounts: sessions, API tokens, known browsers, profiles, sanctions, names, and the audit log."""

from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, Column, ForeignKey, Identity, Index, SmallInteger, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import KEEP, OWN, Personal
from app.core.database.written import Written
from app.core.i18n.text import _
from app.core.realtime.downtimes import put_off


class Account(Base):
    """A player. A guest is an account without a password, which registration adds with a name.

    `is_computer` marks accounts that programs play with. The server's own computer players also have a level,
    and a password hash that no password matches. `keeps_results` says that its owner, who closed
    it, wants its results to stay in rankings (`app.people.identity.ranked`).
    """

    __tablename__ = "accounts"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    username: Mapped[str]
    password_hash: Mapped[str | None]
    is_computer: Mapped[bool] = mapped_column(server_default=text("false"))
    computer_level: Mapped[int | None] = mapped_column(SmallInteger)
    rights: Mapped[list[str]] = mapped_column(server_default="{}")
    preferences: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    closed_at: Mapped[datetime | None]

    __table_args__ = (
        # Not an attribute: whoever reads accounts for a move needs no column of the last migration.
        Column("keeps_results", Boolean, server_default=text("false"), nullable=False),
        Index("ix_accounts_left", "id", postgresql_where=text("closed_at IS NOT NULL AND NOT keeps_results")),
        Index("uq_accounts_username_lower", text("lower(username)"), unique=True),
        Index(
            "ix_accounts_username_start",
            func.lower(text("username")).label("start"),
            postgresql_ops={"start": "text_pattern_ops"},
            postgresql_where=text("closed_at IS NULL"),
        ),
        Index("uq_accounts_computer_level", "computer_level", unique=True),
    )
    __mapper_args__ = {"exclude_properties": ["keeps_results"]}  # noqa: RUF012

    @property
    def is_guest(self) -> bool:
        """Return whether the account is a guest's: it has no password."""
        return self.password_hash is None


class BrowserSession(Base):
    """A login in one browser. Only the SHA-256 of its token is stored.

    `confirmed_at` is when somebody last proved in it to be the account's owner.
    """

    __tablename__ = "sessions"
    __personal__ = Personal(OWN, secret=("token_hash",))

    token_hash: Mapped[bytes] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    browser: Mapped[str] = mapped_column(server_default="")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    used_at: Mapped[datetime] = mapped_column(server_default=func.now())
    confirmed_at: Mapped[datetime | None]
    expires_at: Mapped[datetime]


class ApiToken(Base):
    """A program's access to an account. Only the SHA-256 of the token is stored."""

    __tablename__ = "api_tokens"
    __personal__ = Personal(OWN, secret=("token_hash",))

    token_hash: Mapped[bytes] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    name: Mapped[str]
    scopes: Mapped[list[str]]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    used_at: Mapped[datetime | None]
    expires_at: Mapped[datetime | None]


class Device(Base):
    """A browser in which an account has logged in, named by the hash of a cookie that outlives sessions."""

    __tablename__ = "devices"
    __personal__ = Personal(OWN, secret=("token_hash",))

    token_hash: Mapped[bytes] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(
        ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    used_at: Mapped[datetime] = mapped_column(server_default=func.now())


class SecurityEvent(Base):
    """A line of the audit log; see `app.people.identity.audit`."""

    __tablename__ = "security_events"
    __personal__ = Personal(OWN)

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    at: Mapped[datetime] = mapped_column(server_default=func.now(), index=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    action: Mapped[str]
    detail: Mapped[str]
    network: Mapped[str]
    browser: Mapped[str]

    __table_args__ = (
        Index("ix_security_events_account_id_id", "account_id", "id"),
        Index("ix_security_events_network", "network", "action", "account_id"),
    )


class Sanction(Base):
    """What a moderator has forbidden to an account until a moment; see `app.people.identity.sanctions`."""

    __tablename__ = "sanctions"
    __personal__ = Personal(OWN, KEEP)

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(primary_key=True)
    until: Mapped[datetime]


class Vacation(Base):
    """What an account has saved up of its vacation, and when it was or is on vacation last.

    `saved` are milliseconds at `counted_at`; more are added from then on. `is_settled` says that the last
    change has reached the clocks of all games.
    """

    __tablename__ = "vacations"
    __personal__ = Personal(OWN)

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True, autoincrement=False)
    saved: Mapped[int]
    counted_at: Mapped[datetime]
    since: Mapped[datetime | None]
    until: Mapped[datetime | None]
    is_settled: Mapped[bool] = mapped_column(server_default=text("true"))

    __table_args__ = (
        Index("ix_vacations_not_settled", "account_id", postgresql_where=text("NOT is_settled")),
    )


class ProfileRow(Base):
    """What a player tells about themselves; see `app.site.players.queries.About`."""

    __tablename__ = "profiles"
    __personal__ = Personal(OWN)
    __written__ = Written(
        kind="profile", noun=_("Profile"), empty={"text": "", "links": []}, form=".+", page="/players/{}"
    )

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True)
    text: Mapped[str]
    country: Mapped[str]
    languages: Mapped[list[str]]
    links: Mapped[list[str]]


class RetiredName(Base):
    """A username that nobody may register any more, as its SHA-256 in lower case.

    It leads to the account that had it, for a while; None after that account has been erased.
    """

    __tablename__ = "retired_names"
    __personal__ = Personal(OWN, {"account_id": None}, exported_by=())

    name_hash: Mapped[bytes] = mapped_column(primary_key=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    retired_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Erasure(Base):
    """When the texts and the name of a closed account will be removed, and when they were."""

    __tablename__ = "erasures"
    __personal__ = Personal(OWN, KEEP)

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True, autoincrement=False)
    due_at: Mapped[datetime]
    done_at: Mapped[datetime | None]


put_off("erasures", "due_at", "done_at IS NULL")


class ReservedName(Base):
    """A username that an administrator keeps from being registered, and what all its look-alikes are."""

    __tablename__ = "reserved_names"

    folded: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
