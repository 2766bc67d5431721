"""What moderators have forbidden to accounts for a time: to write to others, or to play rated.

The functions run in the caller's transaction.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from sqlalchemy import Select, and_, delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.statements import made_once
from app.core.errors import ForbiddenError
from app.core.i18n.text import Text, _
from app.people.identity.models import Sanction


class SanctionKind(StrEnum):
    """What may be forbidden."""

    MUTE = "mute"  # chat and messages
    NO_RATED = "no_rated"  # rated games and competitions


_IS_IN_FORCE = Sanction.until > func.now()
IS_EXCLUDED = and_(Sanction.kind == SanctionKind.NO_RATED, _IS_IN_FORCE)
"""The condition that a sanction excludes its account from rated games and competitions now."""


async def of_account(session: AsyncSession, account_id: int) -> Mapping[SanctionKind, datetime]:
    """Return what is forbidden to an account now, each with the moment at which it ends."""
    rows = await session.execute(*_of_account(account_id))
    return {SanctionKind(kind): until for kind, until in rows}


@made_once
def _of_account(account_id: int) -> Select[str, datetime]:
    return select(Sanction.kind, Sanction.until).where(Sanction.account_id == account_id, _IS_IN_FORCE)


async def is_muted(session: AsyncSession, account_id: int) -> bool:
    """Return whether an account may not write to others."""
    return SanctionKind.MUTE in await of_account(session, account_id)


async def unless_muted(session: AsyncSession, account_id: int, text: str) -> str:
    """Return what an account has written, or "" if it may not write to others."""
    return "" if await is_muted(session, account_id) else text


async def check_not_muted(session: AsyncSession, account_id: int) -> None:
    """Raise ForbiddenError `muted` if an account may not write to others."""
    message = _("A moderator has muted you until %(until)s.")
    await _check(session, account_id, SanctionKind.MUTE, "muted", message)


async def check_may_play_rated(session: AsyncSession, account_id: int) -> None:
    """Raise ForbiddenError `no_rated_play` if an account may not play rated games or competitions."""
    message = _(
        "A moderator has excluded you from rated games and competitions until %(until)s. "
        "You can play casual games."
    )
    await _check(session, account_id, SanctionKind.NO_RATED, "no_rated_play", message)


async def _check(session: AsyncSession, account_id: int, kind: SanctionKind, code: str, words: Text) -> None:
    until = (await of_account(session, account_id)).get(kind)
    if until is not None:
        message = _(words.message, until=until.date())
        raise ForbiddenError(code, message, extra={"until": until.isoformat()})


async def impose(session: AsyncSession, account_id: int, kind: SanctionKind, until: datetime) -> None:
    """Forbid something to an account until a moment, which replaces an earlier one."""
    statement = insert(Sanction).values(account_id=account_id, kind=kind, until=until)
    await session.execute(
        statement.on_conflict_do_update(
            index_elements=["account_id", "kind"], set_={"until": statement.excluded.until}
        )
    )


async def lift(session: AsyncSession, account_id: int) -> bool:
    """Allow everything to an account again, and return whether anything was forbidden."""
    lifted = await session.scalars(
        delete(Sanction).where(Sanction.account_id == account_id, _IS_IN_FORCE).returning(Sanction.kind)
    )
    return bool(lifted.all())
