"""The table of bounds."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, SmallInteger, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base


class BoardBound(Base):
    """What is proven about the boards that begin at a node of the tree: none is solved in less than `bound`.

    The `certificate` is about `position`, an image of all of them. Until it is complete, `bound` is None, and
    `heights` are those that were found so far, by layouts and as a certificate has them. `runs` counts how
    often a worker has gone on with it.
    """

    __tablename__ = "nugget_bounds"

    node: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    position: Mapped[str]
    bound: Mapped[int | None] = mapped_column(SmallInteger)
    certificate: Mapped[str | None] = mapped_column()
    heights: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'"))
    runs: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    added_at: Mapped[datetime] = mapped_column(server_default=func.now())
