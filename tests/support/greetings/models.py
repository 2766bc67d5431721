"""The table of greetings."""

from datetime import datetime

from sqlalchemy import ForeignKey, Identity, func
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import OWN, Personal
from app.core.database.written import Written
from app.core.i18n.text import _


class Greeting(Base):
    """What a player has said to everybody."""

    __tablename__ = "greetings"
    __personal__ = Personal(OWN)
    __written__ = Written(kind="greeting", noun=_("Greeting"), empty={"text": ""}, page="/greetings")

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    text: Mapped[str]
    said_at: Mapped[datetime] = mapped_column(server_default=func.now())
