"""The heads of the server's own ledger: signed, kept and published."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.nugget import ledger
from app.nugget.heads.models import LedgerHead, LedgerKey
from app.nugget.heads.signing import HeadShown, encoded, key_id_of, public_key_of, sign
from app.nugget.models import LedgerLink
from engine.golden_nugget.ledger import NO_LINK

_LISTED = 50  # heads of the feed


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicKey:
    """A public key of the server (RFC 7517); `kid` is the `key_id` of what it signs, from `since` on."""

    kty: str = "OKP"
    crv: str = "Ed25519"
    use: str = "sig"
    kid: str
    x: str
    since: datetime


class Heads:
    """The signed heads of the ledger."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def current(self) -> HeadShown:
        """Return the head of the ledger as it is now, signed; the first time for a number is kept."""
        async with self._database.reading_now() as session:
            last = await _last_link(session)
            kept = await session.get(LedgerHead, last[0])
        if kept is None:
            await sign_head(self._database)
            return await self.current()
        return _shown(kept)

    async def latest(self) -> Sequence[HeadShown]:
        """Return the latest heads that were signed, the last one first."""
        heads = select(LedgerHead).order_by(LedgerHead.number.desc()).limit(_LISTED)
        async with self._database.reading_now() as session:
            return [_shown(head) for head in await session.scalars(heads)]

    async def keys(self) -> list[PublicKey]:
        """Return the public keys with which signatures are checked, the one that signs now first."""
        async with self._database.reading_now() as session:
            keys = (await session.scalars(select(LedgerKey).order_by(LedgerKey.made_at.desc()))).all()
        if not keys:
            await sign_head(self._database)
            return await self.keys()
        return [
            PublicKey(kid=key.key_id, x=encoded(public_key_of(key.private_key)), since=key.made_at)
            for key in keys
        ]


async def sign_head(database: Database) -> None:
    """Sign the head of the ledger and keep it, unless that was done. Make the key if there is none."""
    async with database.transaction() as session:
        moment = await ledger.lock(session)
        key = await session.scalar(select(LedgerKey).order_by(LedgerKey.made_at.desc()).limit(1))
        if key is None:
            private = Ed25519PrivateKey.generate().private_bytes_raw()
            key = LedgerKey(key_id=key_id_of(public_key_of(private)), private_key=private)
            session.add(key)
        head = sign(key.private_key, *await _last_link(session), ledger.text_of(moment))
        await session.execute(
            insert(LedgerHead).values({**asdict(head), "signed_at": moment}).on_conflict_do_nothing()
        )


async def _last_link(session: AsyncSession) -> tuple[int, str]:
    """Return the number of links, and the hash of the last one."""
    last = select(LedgerLink.sequence, LedgerLink.hash).order_by(LedgerLink.sequence.desc()).limit(1)
    row = (await session.execute(last)).first()
    return (row.sequence, row.hash) if row else (0, NO_LINK)


def _shown(head: LedgerHead) -> HeadShown:
    return HeadShown(head.number, head.hash, ledger.text_of(head.signed_at), head.key_id, head.signature)
