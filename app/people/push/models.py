"""Tables of devices that get notifications, and of the server's key."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Identity, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import OWN, Personal


class PushDevice(Base):
    """A browser or program that gets an account's notifications through a push service.

    `endpoint` is its address there, and messages are encrypted for it with `p256dh` and `auth`. It ends with
    the session or token that added it or that took the place of that one, whose hash is `proof`. `language`
    is the one that its pages had then, for accounts that are set to none.
    """

    __tablename__ = "push_devices"
    __personal__ = Personal(OWN, secret=("proof", "endpoint", "p256dh", "auth"))

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    proof: Mapped[bytes]
    endpoint: Mapped[str] = mapped_column(unique=True)
    p256dh: Mapped[str]
    auth: Mapped[str]
    name: Mapped[str]
    language: Mapped[str]
    since: Mapped[datetime] = mapped_column("created_at", server_default=func.now())


class PushKey(Base):
    """A single row: the private key by which push services know this server."""

    __tablename__ = "push_keys"

    single: Mapped[bool] = mapped_column(primary_key=True, server_default=text("true"))
    private_key: Mapped[str]

    __table_args__ = (CheckConstraint("single", name="one_row"),)
