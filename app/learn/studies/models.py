"""The table of saved studies."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import OWN, Handover, Personal
from app.core.database.written import Written
from app.core.i18n.text import _
from app.learn.studies.events import StudyChanged


class StudyRow(Base):
    """A tree of variations that somebody saved, or that both players of a finished game look at together.

    `position` is the position string at its start, "" for the start of a game; `moves` is the text of the
    tree (`engine.variations`), `shown` the key of the node that was shown last. `game_id` is set for the
    shared board of a game, of which there is one; its `title` is "", as its players are its title. It is
    stored with one of them, and passes on to the other if that account is erased. `version` grows with every
    change.
    """

    __tablename__ = "studies"
    __personal__ = Personal(OWN, handover=Handover.WITH_GAMES)
    __written__ = Written(
        kind="study",
        noun=_("Study"),
        empty={"title": "", "moves": ""},
        readable=lambda studies, _account_id: studies.visibility != "private",
        page="/studies/{}",
        removed=lambda study: [StudyChanged(study.id)],
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), unique=True)
    visibility: Mapped[str]
    title: Mapped[str]
    game: Mapped[str]
    players: Mapped[int]
    options: Mapped[dict[str, int]]
    position: Mapped[str]
    moves: Mapped[str]
    shown: Mapped[str] = mapped_column(server_default=text("''"))
    version: Mapped[int] = mapped_column(server_default=text("1"))
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (
        CheckConstraint("visibility IN ('private', 'link', 'public')", name="visibility"),
        Index("ix_studies_of_account", "account_id", "updated_at"),
        Index("ix_studies_public", "updated_at", postgresql_where=text("visibility = 'public'")),
    )
