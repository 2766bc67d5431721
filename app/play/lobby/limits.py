"""How many games an account may have under way."""

from sqlalchemy.ext.asyncio import AsyncSession

from app.core.errors import ConflictError
from app.core.i18n.text import ngettext
from app.people.identity.locking import check_limit
from app.people.identity.service import Identity
from app.play.games.queries import count_against_computers, count_under_way

MOST_GAMES = 100

MOST_AGAINST_COMPUTERS = 5
_MOST_OF_GUEST = 2  # games against computers


async def check_games(session: AsyncSession, identity: Identity) -> None:
    """Raise ConflictError `too_many_games` if the identity plays in as many games as an account may."""
    error = ConflictError(
        "too_many_games",
        ngettext(
            "You have %(count)s game under way. Finish it before you start another.",
            "You have %(count)s games under way. Finish one before you start another.",
            MOST_GAMES,
        ),
    )
    await check_limit(session, identity.id, count_under_way(identity.id), MOST_GAMES, error)


async def check_computer_games(session: AsyncSession, identity: Identity) -> None:
    """Raise ConflictError `too_many_computer_games` if the identity plays enough games against computers."""
    most = _MOST_OF_GUEST if identity.is_guest else MOST_AGAINST_COMPUTERS
    error = ConflictError(
        "too_many_computer_games",
        ngettext(
            "You have %(count)s game against the computer under way. Finish it before you start another.",
            "You have %(count)s games against the computer under way. Finish one before you start another.",
            most,
        ),
    )
    await check_limit(session, identity.id, count_against_computers(identity.id), most, error)
