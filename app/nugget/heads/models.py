"""The key with which the server signs heads of its ledger, and the heads that it has published."""

from datetime import datetime

from sqlalchemy import func
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base


class LedgerKey(Base):
    """A private key (Ed25519, 32 bytes). The latest one signs; heads that others have signed stay valid."""

    __tablename__ = "nugget_ledger_keys"

    key_id: Mapped[str] = mapped_column(primary_key=True)
    private_key: Mapped[bytes]
    made_at: Mapped[datetime] = mapped_column(server_default=func.now())


class LedgerHead(Base):
    """A signed head: `number` links, of which the last has this hash."""

    __tablename__ = "nugget_ledger_heads"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    hash: Mapped[str]
    signed_at: Mapped[datetime]
    key_id: Mapped[str]
    signature: Mapped[str]
