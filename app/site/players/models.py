"""The table of what players tell about themselves."""

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import OWN, Personal
from app.core.database.written import Written


class ProfileRow(Base):
    """What a player tells about themselves; see `app.site.players.queries.About`."""

    __tablename__ = "profiles"
    __personal__ = Personal(OWN)
    __written__ = Written(kind="profile", empty={"text": "", "links": []}, form=".+", page="/players/{}")

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True)
    text: Mapped[str]
    country: Mapped[str]
    languages: Mapped[list[str]]
    links: Mapped[list[str]]
