"""Tables of what has been played, kept by a schedule from the games that are over (`digest`)."""

from datetime import datetime

from sqlalchemy import ARRAY, BigInteger, CheckConstraint, ForeignKey, Integer, SmallInteger, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import KEEP, OWN, Personal


class ExploredMove(Base):
    """How often a move was played in a position, by the band of the players' ratings, and how that ended.

    `position` is the key of its fold (`engine.symmetry`), `move` is as in that fold. Only the first plies of
    games are counted (`counting.EXPLORED_PLIES`).
    """

    __tablename__ = "explored_moves"

    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    move: Mapped[str] = mapped_column(primary_key=True)
    band: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    games: Mapped[int] = mapped_column(Integer)
    first_won: Mapped[int] = mapped_column(Integer)
    second_won: Mapped[int] = mapped_column(Integer)


class ExploredGame(Base):
    """The positions of a game's first plies and the moves there, separated by spaces, as in the folds."""

    __tablename__ = "explored_games"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    positions: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    moves: Mapped[str]


class Tally(Base):
    """How often something was so in the games of an account, or of everybody (account 0), and the sum of it.

    `measure` says what is counted (`counting.Measure`), `bucket` for which value.
    """

    __tablename__ = "tallies"
    __personal__ = Personal(OWN, KEEP)

    account_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    game: Mapped[str] = mapped_column(primary_key=True)
    size: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    measure: Mapped[str] = mapped_column(primary_key=True)
    bucket: Mapped[str] = mapped_column(primary_key=True)
    count: Mapped[int]
    total: Mapped[int] = mapped_column(server_default=text("0"))


class Digested(Base):
    """How far the games that are over have been read: one row, the end and the id of the last game."""

    __tablename__ = "digested"

    single: Mapped[bool] = mapped_column(primary_key=True)
    ended_at: Mapped[datetime]
    game_id: Mapped[str]

    __table_args__ = (CheckConstraint("single", name="single"),)
