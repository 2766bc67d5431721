"""The table of conditional moves."""

from typing import Any

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import OWN, Handover, Personal


class ConditionalMoves(Base):
    """The conditional moves of one player of a game.

    The lines begin after `ply` plies, in `position`. `revision` counts how often the player has changed them.
    What is left of them is known for the game's version `followed`. Since the last change, `dropped` lines
    did not fit any more after the move `dropped_by` (null: after a takeback).
    """

    __tablename__ = "conditional_moves"
    __personal__ = Personal(OWN, handover=Handover.UNLESS_KNOWN)

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True, index=True)
    revision: Mapped[int]
    lines: Mapped[list[Any]] = mapped_column(JSONB)
    ply: Mapped[int]
    position: Mapped[str]
    followed: Mapped[int]
    dropped: Mapped[int] = mapped_column(server_default=text("0"))
    dropped_by: Mapped[str | None]

    __table_args__ = (Index("ix_conditional_moves_lines", "game_id", postgresql_where=text("lines <> '[]'")),)
