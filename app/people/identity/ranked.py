"""Who is ranked: the one rule of every ranking, table and record, and the name that stands there.

A closed account is not ranked, and the next one has its place, unless its owner closed it and chose that
its results stay: then they stand there without the name. Nobody is ranked by rating while excluded from
rated play.
"""

from collections.abc import Callable
from typing import Any, Literal

from sqlalchemy import ColumnElement, SQLColumnExpression, and_, case, func, literal_column, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.core.database.base import Base
from app.people.identity.models import Account, ProfileRow, Sanction
from app.people.identity.sanctions import IS_EXCLUDED

_ACCOUNTS = Base.metadata.tables[Account.__tablename__]
_gone = _ACCOUNTS.alias()
Rule = Callable[[SQLColumnExpression[int]], ColumnElement[bool]]
"""A condition that the account in a column meets."""

HAS_LEFT = and_(Account.closed_at.is_not(None), ~_ACCOUNTS.c.keeps_results)
"""The condition that an account is closed and not ranked any more; `ix_accounts_left` finds those."""

SHOWN_NAME = case((Account.closed_at.is_(None), Account.username)).label("username")
"""The name of an account in a ranking, NULL for a closed one whose results stay."""

SHOWN_COUNTRY = case(
    (
        Account.closed_at.is_(None),
        select(ProfileRow.country).where(ProfileRow.account_id == Account.id).scalar_subquery(),
    )
).label("country")
"""The code of the country that an account tells, "" or NULL for none."""

Players = Literal["people", "computers", "everybody"]
"""Who is in a ranking: people, computers, or both together."""


def ranked_among(players: Players, is_ranked: Rule) -> Rule:
    """Return a rule about accounts, for some players only."""
    if players == "everybody":
        return is_ranked
    is_computer = players == "computers"
    return lambda account: and_(
        is_ranked(account), _any(_gone.c.id == account, _gone.c.is_computer == is_computer)
    )


def name_among(players: Players, name: str) -> str:
    """Return the name of a ranking of some players only, for its marks."""
    return name if players == "everybody" else f"{name}:{players}"


def is_ranked(account: SQLColumnExpression[int]) -> ColumnElement[bool]:
    """Return the condition that the account in a column is ranked."""
    return ~_any(_gone.c.id == account, _gone.c.closed_at.is_not(None), ~_gone.c.keeps_results)


def is_listed(account: SQLColumnExpression[int]) -> ColumnElement[bool]:
    """Return the condition that the account in a column is ranked, and no guest."""
    return and_(is_ranked(account), _any(_gone.c.id == account, _gone.c.password_hash.is_not(None)))


def is_ranked_by_rating(account: SQLColumnExpression[int]) -> ColumnElement[bool]:
    """Return the condition that the account in a column is ranked where ratings or rated games decide."""
    return and_(is_ranked(account), ~_any(Sanction.account_id == account, IS_EXCLUDED))


def _any(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return the condition that some row meets conditions, which is looked up for each row of a ranking.

    Most queries read few rows of a ranking. Without an OFFSET, PostgreSQL would read all accounts that have
    left, or are excluded, for each of them.
    """
    return select(literal_column("1")).where(*conditions).offset(literal_column("0")).exists()


def is_open(account: SQLColumnExpression[int]) -> ColumnElement[bool]:
    """Return the condition that the account in a column is not closed."""
    return ~_any(_gone.c.id == account, _gone.c.closed_at.is_not(None))


def rank_now(results: Any, event: str) -> ColumnElement[int]:
    """Return a stored rank without those before it who are not ranked any more.

    `results` is a table with `rank` and `account_id`, `event` its column with what the rank is in.
    """
    other = aliased(results)
    gone = select(func.count()).where(
        getattr(other, event) == getattr(results, event),
        other.rank < results.rank,
        ~is_ranked(other.account_id),
    )
    rank: ColumnElement[int] = results.rank - gone.scalar_subquery()
    return rank


async def keeps_results(session: AsyncSession, account_id: int) -> bool:
    """Return whether the owner of an account, who closed it, chose that its results stay in rankings."""
    chosen = select(_ACCOUNTS.c.keeps_results).where(_ACCOUNTS.c.id == account_id)
    return bool(await session.scalar(chosen))


async def keep_results(session: AsyncSession, account_id: int, *, keep: bool) -> None:
    """Store whether the results of an account that is being closed stay in rankings."""
    await session.execute(update(_ACCOUNTS).where(_ACCOUNTS.c.id == account_id).values(keeps_results=keep))
