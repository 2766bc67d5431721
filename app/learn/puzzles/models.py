"""Tables of puzzles, attempts, and what players have reached."""

from datetime import date, datetime

from sqlalchemy import Date, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import OWN, Handover, Personal


class StoredPuzzle(Base):
    """A puzzle with its rating. `game_id` and `ply` say in which stored game its position occurred, if any.

    `attempts` and `solved` count the first attempts of players.
    """

    __tablename__ = "puzzles"

    id: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str]
    position: Mapped[str]
    solution: Mapped[list[str]]
    themes: Mapped[list[str]]
    rating: Mapped[float]
    deviation: Mapped[float]
    volatility: Mapped[float]
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    solved: Mapped[int] = mapped_column(server_default=text("0"))
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id", ondelete="SET NULL"))
    ply: Mapped[int | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (
        Index("ix_puzzles_rating", "game", "rating"),
        Index("ix_puzzles_source", "game_id", "ply", postgresql_where=text("game_id IS NOT NULL")),
    )


class PuzzleAttempt(Base):
    """The first attempt of an account at a puzzle, and by how much it changed the account's rating.

    `is_open` after a slip: the next try ends the attempt, or another puzzle of the game.
    """

    __tablename__ = "puzzle_attempts"
    __personal__ = Personal(OWN, handover=Handover.UNLESS_KNOWN)

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True)
    puzzle_id: Mapped[str] = mapped_column(ForeignKey("puzzles.id"), primary_key=True)
    solved: Mapped[bool]
    rating_change: Mapped[float]
    is_open: Mapped[bool] = mapped_column(server_default=text("false"))
    attempted_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (Index("ix_puzzle_attempts_history", "account_id", "attempted_at"),)


class KnownPuzzle(Base):
    """A puzzle whose solution an account may know without trying it; see `queries.note_known`."""

    __tablename__ = "known_puzzles"
    __personal__ = Personal(OWN, handover=Handover.ONCE)

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True)
    puzzle_id: Mapped[str] = mapped_column(ForeignKey("puzzles.id"), primary_key=True)


class PuzzleRating(Base):
    """What an account has reached in the puzzles of a game: a rating, counts, and puzzles solved in a row."""

    __tablename__ = "puzzle_ratings"
    __personal__ = Personal(OWN, handover=Handover.UNLESS_KNOWN)

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True)
    game: Mapped[str] = mapped_column(primary_key=True)
    rating: Mapped[float]
    deviation: Mapped[float]
    volatility: Mapped[float]
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    solved: Mapped[int] = mapped_column(server_default=text("0"))
    streak: Mapped[int] = mapped_column(server_default=text("0"))
    best_streak: Mapped[int] = mapped_column(server_default=text("0"))
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class PuzzleDay(Base):
    """The puzzle of a game for a day, in UTC."""

    __tablename__ = "puzzle_days"

    day: Mapped[date] = mapped_column(Date, primary_key=True)
    game: Mapped[str] = mapped_column(primary_key=True)
    puzzle_id: Mapped[str] = mapped_column(ForeignKey("puzzles.id"))


class PuzzleSearch(Base):
    """A finished game in which puzzles were looked for; games are searched in the order of their ends."""

    __tablename__ = "puzzle_searches"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    ended_at: Mapped[datetime] = mapped_column(index=True)
