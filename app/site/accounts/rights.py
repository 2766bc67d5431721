"""Rights that the operator of a server grants to accounts."""

from app.core.database.session import Database
from app.core.errors import InvalidError, OperatorError
from app.core.i18n.text import _
from app.people.identity import audit
from app.people.identity.audit import Action
from app.people.identity.names import find
from app.people.identity.service import MODERATOR, ORGANISER

RIGHTS = (MODERATOR, ORGANISER)
"""What an account may be granted: moderators act on reports, organisers make competitions and tournaments."""


async def grant(database: Database, username: str, right: str) -> list[str]:
    """Grant a right to an account and return all rights that it has. Raise InvalidError, OperatorError."""
    if right not in RIGHTS:
        raise InvalidError(
            "no_such_right",
            _(
                "There is no right %(right)s; choose one of %(rights)s.",
                right=right,
                rights=", ".join(RIGHTS),
            ),
        )
    async with database.transaction() as session:
        account = await find(session, username)
        if account is None or account.is_guest:
            raise OperatorError(f"No player has registered the name {username}.")
        account.rights = sorted({*account.rights, right})
        audit.record(session, Action.RIGHT_GRANTED, account.id, audit.OPERATOR, right)
        return account.rights
