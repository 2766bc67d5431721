"""Tables of what else proves who is logging in, besides the password, and of accounts that leave."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import OWN, Personal

_HANDLE_LENGTH = 16  # hexadecimal digits of a credential's id


class Passkey(Base):
    """A passkey of an account: its public key, and how often its authenticator says that it was used."""

    __tablename__ = "passkeys"
    __personal__ = Personal(OWN, secret=("public_key",))

    credential_id: Mapped[bytes] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    public_key: Mapped[bytes]
    sign_count: Mapped[int]
    name: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    used_at: Mapped[datetime | None]

    @property
    def handle(self) -> str:
        """Return what identifies the passkey among those of its account, in addresses."""
        return self.credential_id.hex()[:_HANDLE_LENGTH]


class PasskeyChallenge(Base):
    """A challenge that a passkey has to sign, of an account that is logged in or of a visitor (null)."""

    __tablename__ = "passkey_challenges"
    __personal__ = Personal(OWN, exported_by=())

    challenge: Mapped[bytes] = mapped_column(primary_key=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    expires_at: Mapped[datetime]


class SecondFactor(Base):
    """The secret of an account's authenticator app (TOTP), in effect once `confirmed_at` is set.

    `last_step` is the time step of the last code that was accepted: no code is accepted twice.
    """

    __tablename__ = "second_factors"
    __personal__ = Personal(OWN, secret=("secret",))

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True)
    secret: Mapped[str]
    last_step: Mapped[int] = mapped_column(server_default=text("0"))
    confirmed_at: Mapped[datetime | None]


class RecoveryCode(Base):
    """A recovery code that has not been used. Only its SHA-256 is stored."""

    __tablename__ = "recovery_codes"
    __personal__ = Personal(OWN, exported_by=())

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True)
    code_hash: Mapped[bytes] = mapped_column(primary_key=True)


class PendingLogIn(Base):
    """A log-in whose password was right, and which waits for a code, by the SHA-256 of its token."""

    __tablename__ = "pending_log_ins"
    __personal__ = Personal(OWN, exported_by=())

    token_hash: Mapped[bytes] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    expires_at: Mapped[datetime]


class Departure(Base):
    """An account that leaves what it may not take part in any more, since it was closed or excluded."""

    __tablename__ = "departures"
    __personal__ = Personal(OWN, exported_by=())

    account_id: Mapped[int] = mapped_column(
        ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    since: Mapped[datetime] = mapped_column(server_default=func.now())


class RegistrationMode(Base):
    """A single row: who may register. Without it, everybody may."""

    __tablename__ = "registration_modes"

    single: Mapped[bool] = mapped_column(primary_key=True, server_default=text("true"))
    mode: Mapped[str]

    __table_args__ = (CheckConstraint("single", name="one_row"),)


class Invitation(Base):
    """A link with which `most` people may register until it ends; `used` have."""

    __tablename__ = "invitations"

    code: Mapped[str] = mapped_column(primary_key=True)
    most: Mapped[int]
    used: Mapped[int] = mapped_column(server_default=text("0"))
    ends_at: Mapped[datetime]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
