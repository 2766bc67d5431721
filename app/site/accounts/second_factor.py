"""The second factor: codes of an authenticator app (TOTP, RFC 6238).

The functions run in the caller's transaction.
"""

from dataclasses import dataclass

import segno
from markupsafe import Markup
from pyotp import HOTP, TOTP, random_base32
from pyotp.utils import strings_equal
from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.errors import ConflictError
from app.core.i18n.text import _
from app.core.moments import utc_now
from app.people.identity.service import Identity
from app.site.accounts.models import SecondFactor

_STEP = 30  # seconds
_TOLERATED = 1  # steps by which the clock of the app may be off


@dataclass(frozen=True, slots=True)
class Setup:
    """What an authenticator app needs: the secret, and as a QR code (SVG) its address with the secret."""

    secret: str
    picture: Markup


async def is_on(session: AsyncSession, account_id: int) -> bool:
    """Return whether an account has a second factor."""
    factor = await session.get(SecondFactor, account_id)
    return factor is not None and factor.confirmed_at is not None


async def begin(session: AsyncSession, identity: Identity) -> Setup:
    """Return a new secret, in effect after its first code. Raise ConflictError `has_second_factor`."""
    secret = random_base32()
    statement = insert(SecondFactor).values(account_id=identity.id, secret=secret)
    stored = await session.scalar(
        statement.on_conflict_do_update(
            index_elements=[SecondFactor.account_id],
            set_={SecondFactor.secret: secret},
            where=SecondFactor.confirmed_at.is_(None),
        ).returning(SecondFactor.secret)
    )
    if stored is None:
        raise ConflictError("has_second_factor", _("This account has a second factor already."))
    return _setup(secret, identity)


async def setup_of(session: AsyncSession, identity: Identity) -> Setup:
    """Return the secret that waits for its first code. Raise ConflictError `no_setup`."""
    factor = await session.get(SecondFactor, identity.id)
    if factor is None or factor.confirmed_at is not None:
        raise ConflictError("no_setup", _("Begin again with the setup of the second factor."))
    return _setup(factor.secret, identity)


async def accept(session: AsyncSession, account_id: int, code: str) -> bool:
    """Return whether a code is right now and was not used before; it cannot be used again."""
    secret = await session.scalar(select(SecondFactor.secret).where(SecondFactor.account_id == account_id))
    now = int(utc_now().timestamp()) // _STEP
    for step in range(now - _TOLERATED, now + _TOLERATED + 1):
        if secret is not None and strings_equal(_plain(code), HOTP(secret).at(step)):
            used = (
                update(SecondFactor)
                .where(SecondFactor.account_id == account_id, SecondFactor.last_step < step)
                .values(last_step=step)
                .returning(SecondFactor.account_id)
            )
            return await session.scalar(used) is not None
    return False


async def confirm(session: AsyncSession, account_id: int, code: str) -> bool:
    """Put the secret into effect if a code shows that the app has it, and return whether it does."""
    if not await accept(session, account_id, code):
        return False
    confirmed = update(SecondFactor).where(SecondFactor.account_id == account_id)
    await session.execute(confirmed.values(confirmed_at=func.now()))
    return True


async def remove(session: AsyncSession, account_id: int) -> None:
    """Remove the second factor of an account."""
    await session.execute(delete(SecondFactor).where(SecondFactor.account_id == account_id))


def _setup(secret: str, identity: Identity) -> Setup:
    address = TOTP(secret).provisioning_uri(name=identity.username, issuer_name="Gorrion")
    picture = segno.make(address, micro=False).svg_inline(scale=4, light="#fff", omitsize=True)
    return Setup(secret, Markup(picture))  # noqa: S704 - drawn by segno


def _plain(code: str) -> str:
    return "".join(code.split())
