"""Tables of what else proves who is logging in, besides the password."""

from datetime import datetime

from sqlalchemy import ForeignKey, func
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import Base


class Passkey(Base):
    """A passkey of an account: its public key, and how often its authenticator says that it was used."""

    __tablename__ = "passkeys"

    credential_id: Mapped[bytes] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    public_key: Mapped[bytes]
    sign_count: Mapped[int]
    name: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    used_at: Mapped[datetime | None]


class PasskeyChallenge(Base):
    """A challenge that a passkey has to sign, of an account that is logged in or of a visitor (null)."""

    __tablename__ = "passkey_challenges"

    challenge: Mapped[bytes] = mapped_column(primary_key=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    expires_at: Mapped[datetime]
