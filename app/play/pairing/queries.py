"""Searches, read from the database."""

from collections.abc import Mapping
from datetime import timedelta

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.statements import made_once
from app.core.database.unreadable import readable
from app.people.identity.models import Account
from app.play.games.models import Game
from app.play.lobby import queries as lobby
from app.play.lobby.challenges import CHOICE, ChallengeTerms
from app.play.lobby.models import Challenge
from app.play.pairing.models import Search
from app.play.pairing.searches import GameOffer, SearchInfo
from app.play.pairing.store import is_open
from app.play.ratings import queries as ratings
from engine.clock import control_from_dict
from engine.game import with_defaults
from engine.glicko2 import Rating
from engine.registry import FOR_TWO

_MOST_PAIRED = 200  # searches that are looked at together
_MOST_OFFERED = 1_000  # challenges of the lobby that are looked at with them: more than its page lists

_UNDER_WAY = (
    select(Search, Account)
    .join(Account, Account.id == Search.account_id)
    .where(is_open(), Account.closed_at.is_(None))
    .order_by(Search.began_at)
)


async def of_account(session: AsyncSession, account_id: int) -> SearchInfo | None:
    """Return what an account looks for, or looked for last, or None."""
    rows = await session.execute(select(Search, is_open()).where(Search.account_id == account_id))
    return next(iter(readable(_info, rows)), None)


async def offers(
    session: AsyncSession, *conditions: ColumnElement[bool], most: int = _MOST_PAIRED
) -> list[GameOffer]:
    """Return the searches under way that meet some conditions, those that have lasted longest first."""
    query, values = _first(most)
    rows = (await session.execute(query.where(*conditions) if conditions else query, values)).all()
    known = await ratings.of_accounts(session, [account.id for _, account in rows])
    return readable(_offer, [(search, account, known.get(account.id, {})) for search, account in rows])


@made_once
def _first(most: int) -> Select[Search, Account]:
    return _UNDER_WAY.limit(most)


async def offers_of_lobby(session: AsyncSession) -> list[GameOffer]:
    """Return the open challenges of the lobby in which nobody has to choose a side."""
    challenges = await lobby.listed(session, Challenge.side != CHOICE, most=_MOST_OFFERED)
    return [
        GameOffer(
            challenge.maker,
            {challenge.terms.game: challenge.maker_rating},
            (challenge.terms,),
            challenge.created_at,
            challenge.id,
        )
        for challenge in challenges
    ]


def just_ended(within: timedelta) -> Select[int]:
    """Return the query for accounts whose searches ended, by themselves or by any game, within some time."""
    since, ended_at = func.now() - within, func.coalesce(Game.created_at, Search.until)
    query = select(Search.account_id).outerjoin(Game, Game.id == Search.game_id)
    return query.where(Search.until > since, ended_at.between(since, func.now()))  # the former has an index


def _terms(search: Search) -> tuple[ChallengeTerms, ...]:
    return tuple(
        ChallengeTerms(
            wanted["game"],
            with_defaults(FOR_TWO[wanted["game"]].options, wanted["options"]),
            control=control_from_dict(wanted["time_control"]),
            rated=search.rated,
            rating_min=search.rating_min,
            rating_max=search.rating_max,
            casual_with_guests=search.casual_with_guests,
        )
        for wanted in search.wanted
    )


def _info(search: Search, is_under_way: bool) -> SearchInfo:
    return SearchInfo(_terms(search), search.began_at, is_under_way, search.game_id)


def _offer(search: Search, account: Account, known: Mapping[str, Rating]) -> GameOffer:
    return GameOffer(account, known, _terms(search), search.began_at)
