"""The key pair by which push services know this server (VAPID). It is made once and kept in the database."""

from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from py_vapid.utils import b64urlencode, num_to_bytes
from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.people.push.models import PushKey


@dataclass(frozen=True, slots=True)
class ServerKey:
    """The server's key pair; its public part in base64url, as browsers take it."""

    vapid: Vapid02
    public: str


async def server_key(session: AsyncSession) -> ServerKey:
    """Return the server's key pair, which the first process makes."""
    await session.execute(insert(PushKey).values(private_key=_new_key()).on_conflict_do_nothing())
    private_key = await session.scalar(select(PushKey.private_key))
    assert private_key is not None
    vapid = Vapid02.from_raw(private_key.encode())
    vapid.conf["no-strict"] = True  # otherwise it refuses subjects with a path or a port, which are allowed
    point = vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return ServerKey(vapid, b64urlencode(point))


def _new_key() -> str:
    number = generate_private_key(SECP256R1()).private_numbers().private_value
    return str(b64urlencode(num_to_bytes(number, 32)))
