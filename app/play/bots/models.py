"""Tables of games with a coach, of games with hints, and of puzzles that players have before them."""

from datetime import datetime

from sqlalchemy import ForeignKey, func
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import OWN, Personal


class CoachedGame(Base):
    """A casual game against the computer with a coach, and the ply at which it has warned last."""

    __tablename__ = "coached_games"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    warned_ply: Mapped[int | None]


class HelpedGame(Base):
    """A casual game against the computer in which its opponent has asked for a hint."""

    __tablename__ = "helped_games"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)


class ShownPuzzle(Base):
    """A puzzle that an account was shown and has not tried; see `app.play.bots.fair_play`."""

    __tablename__ = "shown_puzzles"
    __personal__ = Personal(OWN, exported_by=())

    account_id: Mapped[int] = mapped_column(
        ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    puzzle_id: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str]
    position: Mapped[str]
    shown_at: Mapped[datetime] = mapped_column(server_default=func.now())


class OpenPuzzle(Base):
    """The puzzle that an account was shown last by a server of the version before, which needs the table."""

    __tablename__ = "open_puzzles"
    __personal__ = Personal(OWN, exported_by=())

    account_id: Mapped[int] = mapped_column(
        ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    game: Mapped[str]
    position: Mapped[str]
