"""Tables of tournaments: their players, and who met whom."""

from datetime import datetime
from typing import Any

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
from sqlalchemy.ext.hybrid import hybrid_property
from sqlalchemy.orm import Mapped, mapped_column

from app.compete.tournaments.events import TournamentChanged
from app.core.database.base import Base
from app.core.database.personal import KEEP, OWN, Personal
from app.core.database.written import Written
from app.core.i18n.text import _
from app.core.realtime.downtimes import declare, put_off
from engine.clock import REALTIME_KINDS

put_off("tournaments", "ends_at", "status = 'started'")
put_off("tournaments", "pause_until", "status = 'started'")

# Players who could not see that a tournament in real time was to begin are told again before it does. In a
# series no two begin at the same time.
_NOTICE_AGAIN = """
WITH missed AS (
    SELECT id, series, date_trunc('minute', $2::timestamptz) + interval '5 minutes' + interval '1 minute'
        * row_number() OVER (PARTITION BY coalesce(series, id) ORDER BY starts_at) AS start
    FROM tournaments
    WHERE status = 'created' AND time_control ->> 'kind' IN ({realtime})
        AND starts_at > $1 AND starts_at < $2::timestamptz + interval '5 minutes'
)
UPDATE tournaments SET starts_at = start, due_at = start, reminded_at = NULL FROM missed
WHERE tournaments.id = missed.id AND NOT EXISTS (
    SELECT FROM tournaments other WHERE other.series = missed.series AND other.starts_at = start
)
"""
_REALTIME = ", ".join(f"'{kind}'" for kind in REALTIME_KINDS)
declare("starts of tournaments", _NOTICE_AGAIN.format(realtime=_REALTIME))


class Tournament(Base):
    """A tournament and its terms (see `app.compete.tournaments.terms`); `plan` has what only its kind needs.

    Without `starts_at` it has waited for players since `created_at`: it gets one when `max_players` have
    joined. `round` is the one that is played, or the number of waves of an arena. `due_at` is when the server
    looks at it next, `pause_until` when the next round begins; an arena pairs until `ends_at`. `series` names
    the tournaments that the server makes by itself. `reason` says why it was cancelled. `size` is the number
    of its players. `skeleton` is what names that look like its name have in common.
    """

    __tablename__ = "tournaments"
    __personal__ = Personal(("organiser_id",), KEEP, secret=("password_hash",))
    __written__ = Written(
        kind="tournament",
        noun=_("Tournament"),
        author="organiser_id",
        empty={"name": "Tournament", "skeleton": None, "description": "", "reason": ""},
        page="/tournaments/{}",
        removed=lambda tournament: [TournamentChanged(tournament.id, in_list=True)],
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    status: Mapped[str] = mapped_column(server_default="created")
    name: Mapped[str]
    skeleton: Mapped[str | None]
    description: Mapped[str] = mapped_column(server_default="")
    organiser_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    series: Mapped[str | None]
    game: Mapped[str]
    options: Mapped[dict[str, int]]
    time_control: Mapped[dict[str, Any] | None]
    rated: Mapped[bool]
    plan: Mapped[dict[str, Any]]
    starts_at: Mapped[datetime | None]
    ends_at: Mapped[datetime | None]
    max_players: Mapped[int]
    rating_min: Mapped[int | None]
    rating_max: Mapped[int | None]
    min_games: Mapped[int] = mapped_column(server_default=text("0"))
    team_id: Mapped[str | None] = mapped_column(ForeignKey("teams.id"), index=True)
    password_hash: Mapped[str | None]
    computers: Mapped[bool] = mapped_column(server_default=text("false"))
    chat: Mapped[bool] = mapped_column(server_default=text("true"))
    size: Mapped[int] = mapped_column(server_default=text("0"))
    round: Mapped[int] = mapped_column(server_default=text("0"))
    due_at: Mapped[datetime | None]
    pause_until: Mapped[datetime | None]
    reminded_at: Mapped[datetime | None]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    reason: Mapped[str] = mapped_column(server_default="")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (
        CheckConstraint("status IN ('created', 'started', 'finished', 'cancelled')", name="status"),
        UniqueConstraint("series", "starts_at"),
        Index("ix_tournaments_due_at", "due_at", postgresql_where=text("due_at IS NOT NULL")),
        Index(
            "ix_tournaments_skeleton", "skeleton", postgresql_where=text("status IN ('created', 'started')")
        ),
        Index("ix_tournaments_status_starts_at", "status", "starts_at"),
        Index("ix_tournaments_ended_at", "ended_at", "id", postgresql_where=text("ended_at IS NOT NULL")),
    )


class TournamentPlayer(Base):
    """A player of a tournament, and what they have reached.

    `seed` is the place by rating at the start (0 before), `stage` 1 for the finalists of groups. `seats` are
    those of the games in their order, 0 for moving first; `game_id` is the game of an arena under way,
    `free_since` when the player began to wait for one. `rank` is the final one, null until the end.
    """

    __tablename__ = "tournament_players"
    __personal__ = Personal(OWN, KEEP)

    tournament_id: Mapped[str] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    status: Mapped[str] = mapped_column(server_default="active")
    rating: Mapped[int]
    seed: Mapped[int] = mapped_column(server_default=text("0"))
    group_number: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    stage: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    points: Mapped[float] = mapped_column(server_default=text("0"))
    tie_breaks: Mapped[list[float]] = mapped_column(server_default="{}")
    games: Mapped[int] = mapped_column(server_default=text("0"))
    wins: Mapped[int] = mapped_column(server_default=text("0"))
    streak: Mapped[int] = mapped_column(server_default=text("0"))
    seats: Mapped[list[int]] = mapped_column(server_default="{}")
    last_opponent: Mapped[int | None]
    game_id: Mapped[str | None]
    free_since: Mapped[datetime | None]
    rank: Mapped[int | None]
    joined_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (
        CheckConstraint("status IN ('active', 'paused', 'withdrawn')", name="status"),
        Index("ix_tournament_players_account_id_rank", "account_id", "rank"),
        Index(
            "ix_tournament_players_order",
            "tournament_id",
            text("stage DESC"),
            text("points DESC"),
            text("tie_breaks DESC"),
            "seed",
            "account_id",
        ),
        Index(
            "ix_tournament_players_free",
            "tournament_id",
            postgresql_where=text("status = 'active' AND game_id IS NULL"),
        ),
    )

    @hybrid_property
    def has_taken_part(self) -> bool:
        """Return whether the player has games or points, or is a finalist, whose figures begin again at 0."""
        return (self.games > 0) | (self.points > 0) | (self.stage > 0)


class SeasonAward(Base):
    """The points of an account in a season for its place in a tournament or competition, the `source`."""

    __tablename__ = "season_awards"
    __personal__ = Personal(OWN, KEEP)

    source: Mapped[str] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True, index=True)
    season: Mapped[str] = mapped_column(index=True)
    rank: Mapped[int]
    points: Mapped[int] = mapped_column(SmallInteger)


class SeasonPlace(Base):
    """A row of the final table of a season, which is written once, some time after its end."""

    __tablename__ = "season_places"
    __personal__ = Personal(OWN, KEEP)

    season: Mapped[str] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True, index=True)
    rank: Mapped[int]
    points: Mapped[int]
    events: Mapped[int]

    __table_args__ = (Index("ix_season_places_order", "season", text("points DESC"), "account_id"),)


class TournamentPairing(Base):
    """Two players who meet, in the order of the seats, or a bye without a `second_id`.

    `leg` counts the games of a match. Without a `game_id` the game has not started yet, or there was none.
    `outcome` is null until it is decided (see `engine.tournaments.pairings`).
    """

    __tablename__ = "tournament_pairings"
    __personal__ = Personal(("first_id", "second_id"), KEEP)

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    tournament_id: Mapped[str] = mapped_column(ForeignKey("tournaments.id"))
    round: Mapped[int]
    board: Mapped[int]
    leg: Mapped[int] = mapped_column(SmallInteger, server_default=text("1"))
    group_number: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    first_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    second_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    game_id: Mapped[str | None] = mapped_column(unique=True)
    outcome: Mapped[str | None]
    is_played: Mapped[bool] = mapped_column(server_default=text("true"))
    ended_at: Mapped[datetime | None]

    __table_args__ = (
        CheckConstraint("outcome IN ('first', 'second', 'draw', 'neither')", name="outcome"),
        UniqueConstraint(
            "tournament_id", "round", "group_number", "leg", "board", name="uq_tournament_pairings_board"
        ),
        Index("ix_tournament_pairings_open", "tournament_id", postgresql_where=text("outcome IS NULL")),
    )
