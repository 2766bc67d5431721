"""Who may challenge whom: fair play, blocks, and how many challenges and games an account may have."""

from sqlalchemy import ColumnElement
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.errors import ConflictError
from app.core.i18n.text import Text, ngettext
from app.core.moments import utc_now
from app.people.identity import sanctions, suspicions
from app.people.identity.locking import check_limit
from app.people.identity.models import Account
from app.people.identity.service import Identity
from app.people.identity.suspicions import Suspicion
from app.people.social.queries import blocked_between
from app.play.games.queries import count_against_computers, count_under_way
from app.play.lobby import decisions, queries
from app.play.lobby.challenges import ChallengeTerms, Kind
from app.play.lobby.models import Challenge
from app.play.ratings import queries as ratings
from engine.clock import is_realtime
from engine.glicko2 import Rating

MOST_GAMES = 100

MOST_AGAINST_COMPUTERS = 5
_MOST_OF_GUEST = 2  # games against computers

MOST_OPEN = 5
MOST_IN_LOBBY = 2
_TOO_MANY_OPEN = ngettext(
    "You have %(count)s open challenge. Cancel it before making another.",
    "You have %(count)s open challenges. Cancel one before making another.",
    MOST_OPEN,
)

_TOO_MANY_LISTED = ngettext(
    "You have %(count)s challenge in the lobby. Cancel it before making another.",
    "You have %(count)s challenges in the lobby. Cancel one before making another.",
    MOST_IN_LOBBY,
)


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


async def rating_of(session: AsyncSession, game: str, identity: Identity) -> Rating:
    """Return the identity's rating in a game."""
    return (await ratings.current(session, game, [identity.id]))[identity.id]


async def check_fair_play(
    session: AsyncSession, identity: Identity, terms: ChallengeTerms, opponent: Account | None
) -> None:
    """Raise ForbiddenError `aborted_too_often`, `rated_limit` or `no_rated_play`."""
    if terms.rated:
        await sanctions.check_may_play_rated(session, identity.id)
    is_against_computer = opponent is not None and opponent.computer_level is not None
    if is_realtime(terms.control) and not is_against_computer:
        aborts = await queries.aborts(session, identity.id)
        decisions.check_aborts(aborts, utc_now())
        if aborts.paused_until is not None:
            await suspicions.note(session, identity.id, Suspicion.ABORTS, "")
    if terms.rated and opponent is not None:
        decisions.check_pair(opponent.id, await queries.at_rated_limit(session, identity.id))


async def check_open(session: AsyncSession, identity: Identity, kind: Kind) -> None:
    """Raise ConflictError `too_many_challenges` if the identity may not make another one of a kind."""
    await _check_open(session, identity, MOST_OPEN, _TOO_MANY_OPEN)
    if kind == "open":
        is_listed = Challenge.kind == "open"
        await _check_open(session, identity, MOST_IN_LOBBY, _TOO_MANY_LISTED, is_listed)


async def _check_open(
    session: AsyncSession, identity: Identity, most: int, message: Text, *conditions: ColumnElement[bool]
) -> None:
    count = queries.count_open(identity.id, *conditions)
    error = ConflictError("too_many_challenges", message)
    await check_limit(session, identity.id, count, most, error)


async def check_not_blocked(session: AsyncSession, identity: Identity, opponent: Account) -> None:
    """Raise FieldError `unavailable_opponent` if one of the two has blocked the other."""
    if await blocked_between(session, identity.id, opponent.id):
        raise decisions.unavailable_opponent()
