"""Tables of games with a coach, and of puzzles that players have before them."""

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import Base


class CoachedGame(Base):
    """A casual game against the computer with a coach, and the ply at which it has warned last."""

    __tablename__ = "coached_games"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    warned_ply: Mapped[int | None]


class OpenPuzzle(Base):
    """The puzzle of a game for two that an account was shown last and has not tried: its position."""

    __tablename__ = "open_puzzles"

    account_id: Mapped[int] = mapped_column(
        ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    game: Mapped[str]
    position: Mapped[str]
