"""Recovery codes: each stands in once for the second factor, or for a forgotten password.

The functions run in the caller's transaction.
"""

import secrets

from sqlalchemy import delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.people.identity.service import token_hash
from app.site.accounts.models import RecoveryCode

_NUMBER = 10
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # without characters that look alike
_GROUPS, _GROUP_LENGTH = 4, 4  # 79 random bits


async def make(session: AsyncSession, account_id: int) -> list[str]:
    """Return new recovery codes of an account, which replace those that it had."""
    codes = [_new_code() for _ in range(_NUMBER)]
    await session.execute(delete(RecoveryCode).where(RecoveryCode.account_id == account_id))
    await session.execute(
        insert(RecoveryCode), [{"account_id": account_id, "code_hash": _hash(code)} for code in codes]
    )
    return codes


async def use(session: AsyncSession, account_id: int, code: str) -> bool:
    """Return whether an account has a recovery code, which cannot be used again."""
    used = delete(RecoveryCode).where(
        RecoveryCode.account_id == account_id, RecoveryCode.code_hash == _hash(code)
    )
    return await session.scalar(used.returning(RecoveryCode.account_id)) is not None


async def count(session: AsyncSession, account_id: int) -> int:
    """Return how many recovery codes of an account are left."""
    query = select(func.count()).select_from(RecoveryCode).where(RecoveryCode.account_id == account_id)
    return await session.scalar(query) or 0


def _new_code() -> str:
    return "-".join("".join(secrets.choice(_ALPHABET) for _ in range(_GROUP_LENGTH)) for _ in range(_GROUPS))


def _hash(code: str) -> bytes:
    return token_hash("".join(character for character in code.lower() if character in _ALPHABET))
