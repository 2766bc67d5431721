"""Codes besides the password: of an authenticator app (TOTP, RFC 6238), and recovery codes.

A recovery code stands in once for the second factor, or for a forgotten password. Log-ins whose password was
right wait for a code. The functions run in the caller's transaction.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from pyotp import HOTP, TOTP, random_base32
from pyotp.utils import strings_equal
from sqlalchemy import delete, exists, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.errors import AppError, ConflictError
from app.core.i18n.text import _
from app.core.moments import utc_now
from app.people.identity.audit import Change
from app.people.identity.models import Account, SecurityEvent
from app.people.identity.service import Identity, new_token, token_hash
from app.people.mail import links
from app.people.mail.links import Purpose
from app.site.accounts.models import Passkey, PendingLogIn, RecoveryCode, SecondFactor

_STEP = 30  # seconds
_TOLERATED = 1  # steps by which the clock of the app may be off

_CODES_MADE = 10
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # without characters that look alike
_GROUPS, _GROUP_LENGTH = 4, 4  # 79 random bits

_WAITS_FOR = timedelta(minutes=10)

_MAKES_CODES = (Change.RECOVERY_CODES_MADE, Change.SECOND_FACTOR_ADDED)


@dataclass(frozen=True, slots=True)
class Setup:
    """What an authenticator app needs: the secret, by itself and in an address, which a QR code shows."""

    secret: str
    address: str


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


async def remove(session: AsyncSession, account_id: int) -> bool:
    """Remove the second factor of an account, and return whether it had one."""
    removed = delete(SecondFactor).where(SecondFactor.account_id == account_id)
    return await session.scalar(removed.returning(SecondFactor.account_id)) is not None


def _setup(secret: str, identity: Identity) -> Setup:
    return Setup(secret, TOTP(secret).provisioning_uri(name=identity.username, issuer_name="Gorrion"))


def _plain(code: str) -> str:
    return "".join(code.split())


async def make_recovery_codes(session: AsyncSession, account_id: int) -> list[str]:
    """Return new recovery codes of an account, which replace those that it had."""
    codes = [_new_code() for _ in range(_CODES_MADE)]
    await session.execute(delete(RecoveryCode).where(RecoveryCode.account_id == account_id))
    await session.execute(
        insert(RecoveryCode), [{"account_id": account_id, "code_hash": _hash_of_code(code)} for code in codes]
    )
    return codes


async def use_recovery_code(session: AsyncSession, account_id: int, code: str) -> bool:
    """Return whether an account has a recovery code, which cannot be used again."""
    used = delete(RecoveryCode).where(
        RecoveryCode.account_id == account_id, RecoveryCode.code_hash == _hash_of_code(code)
    )
    return await session.scalar(used.returning(RecoveryCode.account_id)) is not None


async def count_recovery_codes(session: AsyncSession, account_id: int) -> int:
    """Return how many recovery codes of an account are left."""
    query = select(func.count()).select_from(RecoveryCode).where(RecoveryCode.account_id == account_id)
    return await session.scalar(query) or 0


def _new_code() -> str:
    return "-".join("".join(secrets.choice(_ALPHABET) for _ in range(_GROUP_LENGTH)) for _ in range(_GROUPS))


def _hash_of_code(code: str) -> bytes:
    return token_hash("".join(character for character in code.lower() if character in _ALPHABET))


class PendingEndedError(AppError):
    """The log-in does not wait for a code any longer."""

    def __init__(self) -> None:
        super().__init__("log_in_again", 401, _("This took too long. Log in again."))


async def wait_for_code(session: AsyncSession, account_id: int) -> str:
    """Return the token of a new log-in that waits for a code."""
    token = new_token()
    session.add(
        PendingLogIn(token_hash=token_hash(token), account_id=account_id, expires_at=utc_now() + _WAITS_FOR)
    )
    return token


async def account_that_waits(session: AsyncSession, token: str) -> Account:
    """Return the account of a log-in that waits for a code. Raise PendingEndedError."""
    account = await session.scalar(
        select(Account)
        .join(PendingLogIn, PendingLogIn.account_id == Account.id)
        .where(PendingLogIn.token_hash == token_hash(token), PendingLogIn.expires_at > func.now())
    )
    if account is None:
        raise PendingEndedError
    return account


async def end_waiting(session: AsyncSession, account_id: int) -> None:
    """End all log-ins of an account that wait for a code, and its links to choose a new password."""
    await session.execute(delete(PendingLogIn).where(PendingLogIn.account_id == account_id))
    await links.revoke(session, account_id, Purpose.RESET)


async def remove_proofs_since(session: AsyncSession, account_id: int, since: datetime) -> None:
    """Remove the passkeys, the second factor and the recovery codes that an account got since a moment."""
    await session.execute(
        delete(Passkey).where(Passkey.account_id == account_id, Passkey.created_at >= since)
    )
    is_new = or_(SecondFactor.confirmed_at.is_(None), SecondFactor.confirmed_at >= since)
    await session.execute(delete(SecondFactor).where(SecondFactor.account_id == account_id, is_new))
    made = exists().where(
        SecurityEvent.account_id == account_id,
        SecurityEvent.action.in_(_MAKES_CODES),
        SecurityEvent.at >= since,
    )
    if await session.scalar(select(made)):
        await session.execute(delete(RecoveryCode).where(RecoveryCode.account_id == account_id))
