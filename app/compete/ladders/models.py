"""Tables of ladders: their players, the challenges, and what has changed."""

from datetime import datetime

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    Identity,
    Index,
    SmallInteger,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import KEEP, OWN, Personal
from app.core.realtime.downtimes import put_off

put_off("ladder_challenges", "due_at", "outcome IS NULL AND game_id IS NULL")
put_off("ladder_players", "inactive_at")


class LadderPlayer(Base):
    """A player on the ladder of a game. `place` 1 is the top.

    `inactive_at` is when the player drops for inactivity, `drops` how often that has happened since the
    last one.
    """

    __tablename__ = "ladder_players"
    __personal__ = Personal(OWN)

    game: Mapped[str] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True, index=True)
    place: Mapped[int]
    inactive_at: Mapped[datetime] = mapped_column(index=True)
    drops: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    joined_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (UniqueConstraint("game", "place", deferrable=True, initially="DEFERRED"),)


class LadderChallenge(Base):
    """A challenge on a ladder. It waits for the defender until `due_at`, and then for the end of the game.

    `outcome` is null until it is decided: see `app.compete.ladders.ladder.ChallengeOutcome`.
    """

    __tablename__ = "ladder_challenges"
    __personal__ = Personal(("challenger_id", "defender_id"), KEEP)

    id: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str]
    challenger_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    defender_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    due_at: Mapped[datetime]
    game_id: Mapped[str | None] = mapped_column(unique=True)
    outcome: Mapped[str | None]
    made_at: Mapped[datetime] = mapped_column(server_default=func.now())
    ended_at: Mapped[datetime | None]

    __table_args__ = (
        CheckConstraint(
            "outcome IN ('won', 'defended', 'drawn', 'forfeited', 'withdrawn', 'void')", name="outcome"
        ),
        Index(
            "uq_ladder_challenges_challenger",
            "game",
            "challenger_id",
            unique=True,
            postgresql_where=text("outcome IS NULL"),
        ),
    )


class LadderChange(Base):
    """What has happened on a ladder, in order: see `app.compete.ladders.ladder.ChangeKind`.

    The places are those of the account before and after it, null for one that was not or is no longer on the
    ladder.
    """

    __tablename__ = "ladder_changes"
    __personal__ = Personal(("account_id", "opponent_id"), KEEP)

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    game: Mapped[str]
    kind: Mapped[str]
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    opponent_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    game_id: Mapped[str | None]
    place_before: Mapped[int | None]
    place_after: Mapped[int | None]
    at: Mapped[datetime]

    __table_args__ = (Index("ix_ladder_changes_game_id", "game", "id"),)
