"""Tables of games and their moves."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    Double,
    FetchedValue,
    ForeignKey,
    Index,
    SmallInteger,
    UniqueConstraint,
    func,
    literal_column,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import KEEP, Handover, Personal

STRENGTH = literal_column("coalesce(ratings[1] + ratings[2], 0)", Double)
"""The sum of the players' ratings as the game began, 0 without ratings. Written out, as an index has it."""


class Game(Base):
    """A game at its present version. Players, clocks and ratings are in the order of the game's sides.

    `version` grows with every change of the row and guards every write; `ply` counts the plies, of which the
    first `first_ply` led to the position in which the game began. `winner_seat` is the winner's place in the
    order of the sides, `aborted_by` that of the player to blame for an abort. `clock_left` (milliseconds) is
    what each side had at `clock_since`; the running clock stands still from `stop_from` until `stop_until`.
    `takeback` and `pause` are the sides that ask for one, `taken_back_to` the ply that the last takeback led
    to, `clock_marks` the plies that all of them led to (`engine.clock_history.Mark`). `ratings` are as
    the game began. A solitaire game has no second player; `undos` counts its moves taken back, and
    `submitted` means that it was submitted as a best score. `ended_at` is null until the game is over.
    `watch_at` is null without a `deadline`, and otherwise not later than it. `conditional` says that a player
    has saved conditional moves in the game. `voided_at` is when a moderator decided that it does not count.
    `tournament_id` names the tournament that the game is part of; it has no foreign key, since checking that
    would lock the tournament.
    """

    __tablename__ = "games"
    __personal__ = Personal(("first_player", "second_player"), KEEP, handover=Handover.CHOSEN)

    id: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str]
    options: Mapped[dict[str, int]]
    status: Mapped[str]
    first_player: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    second_player: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"))
    version: Mapped[int] = mapped_column(server_default=text("0"))
    ply: Mapped[int] = mapped_column(server_default=text("0"))
    first_ply: Mapped[int] = mapped_column(server_default=text("0"))
    position: Mapped[str]
    winner_seat: Mapped[int | None] = mapped_column(SmallInteger)
    termination: Mapped[str | None]
    aborted_by: Mapped[int | None] = mapped_column(SmallInteger)
    rated: Mapped[bool] = mapped_column(server_default=text("false"))
    time_control: Mapped[dict[str, Any] | None]
    clock_left: Mapped[list[int] | None]
    clock_since: Mapped[datetime | None]
    deadline: Mapped[datetime | None]
    stop_from: Mapped[datetime | None]
    stop_until: Mapped[datetime | None]
    takeback: Mapped[str | None]
    pause: Mapped[str | None] = mapped_column(server_default=FetchedValue())  # so that it is not inserted
    taken_back_to: Mapped[int | None]
    clock_marks: Mapped[list[Any] | None] = mapped_column(JSONB, server_default=FetchedValue(), deferred=True)
    undos: Mapped[int] = mapped_column(server_default=text("0"))
    submitted: Mapped[bool] = mapped_column(server_default=text("false"))
    ratings: Mapped[list[float]] = mapped_column(server_default="{}")
    deviations: Mapped[list[float]] = mapped_column(server_default="{}")
    rating_changes: Mapped[list[float] | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
    ended_at: Mapped[datetime | None]
    watch_at: Mapped[datetime | None]
    conditional: Mapped[bool] = mapped_column(server_default=text("false"))
    voided_at: Mapped[datetime | None]
    tournament_id: Mapped[str | None]

    # Games begin before the migration of a column that may be empty has run.
    __mapper_args__ = {"eager_defaults": False}  # noqa: RUF012 - as SQLAlchemy declares it

    # No index has a column that changes with each move, so a move need not write them (a "HOT" update).
    __table_args__ = (
        CheckConstraint("status IN ('started', 'finished', 'aborted')", name="status"),
        Index(
            "ix_games_of_first_player",
            "first_player",
            "ended_at",
            postgresql_include=["second_player", "status", "winner_seat"],
        ),
        Index(
            "ix_games_of_second_player",
            "second_player",
            "ended_at",
            postgresql_include=["first_player", "status", "winner_seat"],
        ),
        Index("ix_games_ended_at", "ended_at", postgresql_where=text("ended_at IS NOT NULL")),
        Index("ix_games_voided_at", "voided_at", postgresql_where=text("voided_at IS NOT NULL")),
        Index("ix_games_watch_at", "watch_at", postgresql_where=text("watch_at IS NOT NULL")),
        Index(
            "ix_games_to_watch",
            STRENGTH,
            "created_at",
            postgresql_where=text("status = 'started' AND second_player IS NOT NULL"),
        ),
        {"postgresql_with": {"fillfactor": 80}},
    )


class ClockCredit(Base):
    """Time that the clocks of a game must still be given back, because no server was running.

    It has no foreign key: checking that would lock the games, and with them their moves.
    """

    __tablename__ = "clock_credits"

    game_id: Mapped[str] = mapped_column(primary_key=True)
    milliseconds: Mapped[int]


class Move(Base):
    """One ply of a game. `move_id` is the client's identifier of it; the server's plies have none.

    `spent` is how long the side thought in milliseconds, null without a clock.
    """

    __tablename__ = "moves"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    ply: Mapped[int] = mapped_column(primary_key=True)
    move: Mapped[str]
    move_id: Mapped[UUID | None]
    played_at: Mapped[datetime] = mapped_column(server_default=func.now())
    spent: Mapped[int | None]

    __table_args__ = (UniqueConstraint("game_id", "move_id"),)
