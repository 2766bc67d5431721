"""Who may challenge whom: fair play, and how many challenges and games an account may have."""

from dataclasses import replace

from sqlalchemy.ext.asyncio import AsyncSession

from app.core.errors import ForbiddenError, UnauthenticatedError
from app.core.i18n.text import _
from app.core.moments import utc_now
from app.people.identity import sanctions, suspicions
from app.people.identity.locking import Most, lock_open_accounts
from app.people.identity.service import Identity
from app.people.identity.suspicions import Suspicion
from app.play.games.queries import count_against_computers, count_under_way
from app.play.lobby import decisions, queries
from app.play.lobby.challenges import Kind
from app.play.lobby.models import Challenge
from app.play.ratings import queries as ratings
from app.play.ratings.counting import RATED_A_DAY
from engine.clock import TimeControl, is_realtime
from engine.glicko2 import Rating

MOST_GAMES = Most(
    100,
    "too_many_games",
    "You have %(count)s game under way. Finish it before you start another.",
    "You have %(count)s games under way. Finish one before you start another.",
)

MOST_AGAINST_COMPUTERS = Most(
    5,
    "too_many_computer_games",
    "You have %(count)s game against the computer under way. Finish it before you start another.",
    "You have %(count)s games against the computer under way. Finish one before you start another.",
)
_MOST_OF_GUEST = replace(MOST_AGAINST_COMPUTERS, number=2)
MOST_OPEN = Most(
    5,
    "too_many_challenges",
    "You have %(count)s open challenge. Cancel it before making another.",
    "You have %(count)s open challenges. Cancel one before making another.",
)
MOST_IN_LOBBY = Most(
    2,
    "too_many_challenges",
    "You have %(count)s challenge in the lobby. Cancel it before making another.",
    "You have %(count)s challenges in the lobby. Cancel one before making another.",
)


async def check_games(session: AsyncSession, identity: Identity) -> None:
    """Raise ConflictError `too_many_games` if the identity plays in as many games as an account may."""
    await MOST_GAMES.check(session, identity.id, count_under_way(identity.id))


async def check_computer_games(session: AsyncSession, identity: Identity) -> None:
    """Raise ConflictError `too_many_computer_games` if the identity plays enough games against computers."""
    most = _MOST_OF_GUEST if identity.is_guest else MOST_AGAINST_COMPUTERS
    await most.check(session, identity.id, count_against_computers(identity.id))


async def rating_of(session: AsyncSession, game: str, identity: Identity) -> Rating:
    """Return the identity's rating in a game."""
    return (await ratings.current(session, game, [identity.id]))[identity.id]


async def lock_players(
    session: AsyncSession, player_id: int, other_id: int, control: TimeControl | None, *, rated: bool
) -> None:
    """Lock the two between whom a game begins that the first one wants now, and check that both may play.

    Raise UnauthenticatedError if the first account is nobody's any more, what `check_fair_play` raises about
    it, and BarredError if the other one may not play.
    """
    present = await lock_open_accounts(session, (player_id, other_id))
    if player_id not in present:
        raise UnauthenticatedError
    await check_fair_play(session, player_id, control, rated=rated)
    if other_id not in present:
        raise decisions.BarredError(other_id)
    try:
        await check_fair_play(session, other_id, control, rated=rated)
    except ForbiddenError as error:
        raise decisions.BarredError(other_id) from error


async def check_fair_play(
    session: AsyncSession, account_id: int, control: TimeControl | None, *, rated: bool
) -> None:
    """Raise ForbiddenError `aborted_too_often` or `no_rated_play` if an account may not play a person."""
    if rated:
        await sanctions.check_may_play_rated(session, account_id)
    if is_realtime(control):
        aborts = await queries.aborts(session, account_id)
        decisions.check_aborts(aborts, utc_now())
        if aborts.paused_until is not None:
            await suspicions.note(session, account_id, Suspicion.ABORTS, "")


async def check_rated_limit(session: AsyncSession, account_id: int, other_id: int) -> None:
    """Raise ForbiddenError `rated_limit` if another rated game between two accounts would not count today."""
    if other_id in await queries.at_rated_limit(session, account_id):
        raise ForbiddenError(
            "rated_limit",
            _(
                "You two have played %(most)s rated games within 24 hours, the most that count. Play a "
                "casual game, or a rated one with somebody else.",
                most=RATED_A_DAY,
            ),
        )


async def check_open(session: AsyncSession, identity: Identity, kind: Kind) -> None:
    """Raise ConflictError `too_many_challenges` if the identity may not make another one of a kind."""
    await MOST_OPEN.check(session, identity.id, queries.count_open(identity.id))
    if kind == "open":
        listed = queries.count_open(identity.id, Challenge.kind == "open")
        await MOST_IN_LOBBY.check(session, identity.id, listed)
