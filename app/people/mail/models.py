"""Tables of e-mail addresses and of the links in mails."""

from datetime import datetime

from sqlalchemy import ForeignKey, Identity, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import OWN, Personal


class EmailAddress(Base):
    """The e-mail address of an account: the confirmed one, and one that waits to be confirmed.

    `language` is the one in which the owner entered it. `unsubscribe_key` is in the address of each mail's
    unsubscribe page. A mail server has refused an address with `undeliverable_at`.
    """

    __tablename__ = "email_addresses"
    __personal__ = Personal(OWN, secret=("unsubscribe_key",))

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True)
    address: Mapped[str | None]
    unconfirmed: Mapped[str | None]
    language: Mapped[str]
    unsubscribe_key: Mapped[str] = mapped_column(unique=True)
    undeliverable_at: Mapped[datetime | None]

    __table_args__ = (Index("ix_email_addresses_address_lower", text("lower(address)")),)


class AddressUndo(Base):
    """An address that an account lost at `changed_at`, and the SHA-256 of the link that gives it back.

    There is no link before its mail is drawn.
    """

    __tablename__ = "address_undos"
    __personal__ = Personal(OWN, secret=("token_hash",))

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    address: Mapped[str]
    language: Mapped[str]
    token_hash: Mapped[bytes | None] = mapped_column(unique=True)
    changed_at: Mapped[datetime] = mapped_column(server_default=func.now())
    expires_at: Mapped[datetime]


class MailLink(Base):
    """A link in a mail, which proves that its reader has the address; an account has one for each purpose.

    Only the SHA-256 of its token is stored.
    """

    __tablename__ = "mail_links"
    __personal__ = Personal(OWN, exported_by=())

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True)
    purpose: Mapped[str] = mapped_column(primary_key=True)
    token_hash: Mapped[bytes] = mapped_column(unique=True)
    address: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    expires_at: Mapped[datetime]
