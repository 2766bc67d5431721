"""Log-ins that wait for a code: the password was right, and the account has a second factor.

The functions run in the caller's transaction.
"""

from datetime import timedelta

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.errors import AppError
from app.core.i18n.text import _
from app.core.moments import utc_now
from app.people.identity.models import Account
from app.people.identity.service import new_token, token_hash
from app.people.mail import links
from app.people.mail.links import Purpose
from app.site.accounts.models import PendingLogIn

LIFETIME = timedelta(minutes=10)


class PendingEndedError(AppError):
    """The log-in does not wait for a code any longer."""

    def __init__(self) -> None:
        super().__init__("log_in_again", 401, _("This took too long. Log in again."))


async def begin(session: AsyncSession, account_id: int) -> str:
    """Return the token of a new log-in that waits for a code."""
    token = new_token()
    session.add(
        PendingLogIn(token_hash=token_hash(token), account_id=account_id, expires_at=utc_now() + LIFETIME)
    )
    return token


async def account_of(session: AsyncSession, token: str) -> Account:
    """Return the account of a log-in that waits for a code. Raise PendingEndedError."""
    account = await session.scalar(
        select(Account)
        .join(PendingLogIn, PendingLogIn.account_id == Account.id)
        .where(PendingLogIn.token_hash == token_hash(token), PendingLogIn.expires_at > func.now())
    )
    if account is None:
        raise PendingEndedError
    return account


async def end_all(session: AsyncSession, account_id: int) -> None:
    """End all log-ins of an account that wait for a code, and its links to choose a new password."""
    await session.execute(delete(PendingLogIn).where(PendingLogIn.account_id == account_id))
    await links.revoke(session, account_id, Purpose.RESET)
