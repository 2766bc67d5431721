"""The tables of searches and of their samples."""

from datetime import datetime

from sqlalchemy import ForeignKey, SmallInteger, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base


class NuggetSearch(Base):
    """A search for a record of so many boards, within so many seconds, as it has reported last.

    Its `state` is a SearchState, and `reports` counts what it has reported. `path_boards` and `path_moves`
    are those of its best run, the columns of the cycle those of engine.golden_nugget.cycle. `board` is the
    one that is solved or improved, which begins with `blocks`; None while it looks for cycles.
    """

    __tablename__ = "nugget_searches"

    id: Mapped[str] = mapped_column(primary_key=True)
    boards: Mapped[int] = mapped_column(SmallInteger)
    seconds: Mapped[int]
    began_at: Mapped[datetime] = mapped_column(server_default=func.now())
    reported_at: Mapped[datetime] = mapped_column(server_default=func.now())
    reports: Mapped[int] = mapped_column(server_default=text("0"))
    state: Mapped[str] = mapped_column(server_default="running")
    tried: Mapped[int] = mapped_column(server_default=text("0"))
    path_boards: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    path_moves: Mapped[int] = mapped_column(server_default=text("0"))
    cycle_first: Mapped[int | None] = mapped_column(SmallInteger)
    cycle_last: Mapped[int | None] = mapped_column(SmallInteger)
    cycle_boards: Mapped[int | None] = mapped_column(SmallInteger)
    cycle_moves: Mapped[int | None]
    board: Mapped[int | None] = mapped_column(SmallInteger)
    blocks: Mapped[bytes | None]


class NuggetSearchSample(Base):
    """What a search had: `fewest` are the moves over each of LENGTHS boards, as far as it has come."""

    __tablename__ = "nugget_search_samples"

    search_id: Mapped[str] = mapped_column(
        ForeignKey("nugget_searches.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(server_default=func.now())
    nodes: Mapped[int]
    solved: Mapped[int]
    fewest: Mapped[list[int]]
