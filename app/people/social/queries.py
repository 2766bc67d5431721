"""Relations between players, read from the database."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, CompoundSelect, Select, and_, exists, func, or_, select, true, union
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from app.core.database.statements import made_once
from app.people.identity.models import Account
from app.people.social.models import RelationRow
from app.people.social.relations import Relation

_IS_BLOCK = RelationRow.relation == Relation.BLOCK
_IS_SEEN = (Account.preferences["online"].astext == "off").is_not(true())
_IS_HIDDEN = RelationRow.relation.in_((Relation.MUTE, Relation.BLOCK))


@dataclass(frozen=True, slots=True)
class Between:
    """The relations of a viewer to another account, and whether that account has blocked the viewer."""

    own: frozenset[Relation]
    is_blocked: bool

    @property
    def has_block(self) -> bool:
        """Return whether either of the two has blocked the other one."""
        return self.is_blocked or Relation.BLOCK in self.own

    @property
    def hides_words(self) -> bool:
        """Return whether the viewer never sees the other account's words; see `hidden_authors`."""
        return self.has_block or Relation.MUTE in self.own


async def blocked_between(session: AsyncSession, a: int, b: int) -> bool:
    """Return whether either of two accounts has blocked the other one."""
    pair = or_(_is_of(a) & _is_to(b), _is_of(b) & _is_to(a))
    return bool(await session.scalar(select(exists().where(_IS_BLOCK, pair))))


async def blocked_with(session: AsyncSession, account_id: int) -> frozenset[int]:
    """Return the accounts that an account has blocked, and those that have blocked it."""
    return frozenset(await session.scalars(*_blocked_with(account_id)))


@made_once
def _blocked_with(account_id: int) -> CompoundSelect[int]:
    return union(
        select(RelationRow.other_id).where(_is_of(account_id), _IS_BLOCK),
        select(RelationRow.account_id).where(_is_to(account_id), _IS_BLOCK),
    )


async def showing(
    session: AsyncSession, account_ids: Collection[int], viewer_id: int | None = None
) -> frozenset[int]:
    """Return those accounts of which a viewer may see whether they are there, and what they do now.

    These let others see it (see `preferences`), and there is no block between them and the viewer, who is
    None for a visitor, or if the blocks of each viewer are looked at elsewhere.
    """
    if not account_ids:
        return frozenset()
    query = _showing(account_ids) if viewer_id is None else _showing_to(account_ids, viewer_id)
    return frozenset(await session.scalars(*query))


@made_once
def _showing(account_ids: Collection[int]) -> Select[int]:
    return select(Account.id).where(Account.id.in_(account_ids), _IS_SEEN)


@made_once
def _showing_to(account_ids: Collection[int], viewer_id: int) -> Select[int]:
    is_unblocked = not_blocked(viewer_id, Account.id)
    return select(Account.id).where(Account.id.in_(account_ids), _IS_SEEN, is_unblocked)


async def playing_on(session: AsyncSession, account_ids: Collection[int]) -> bool:
    """Return whether one of these accounts wants computers to play on in lost games; see `preferences`."""
    plays_on = Account.preferences["resigning"].astext == "off"
    return bool(await session.scalar(select(exists().where(Account.id.in_(account_ids), plays_on))))


async def hidden_authors(session: AsyncSession, account_id: int | None) -> frozenset[int]:
    """Return the accounts whose words a reader never sees: muted ones, and blocks in either direction.

    A visitor (None) sees the words of all.
    """
    if account_id is None:
        return frozenset()
    return frozenset(await session.scalars(*_hidden_authors(account_id)))


@made_once
def _hidden_authors(account_id: int) -> CompoundSelect[int]:
    return union(
        select(RelationRow.other_id).where(_is_of(account_id), _IS_HIDDEN),
        select(RelationRow.account_id).where(_is_to(account_id), _IS_BLOCK),
    )


async def readers_hiding(session: AsyncSession, account_id: int) -> frozenset[int]:
    """Return the accounts that never see an account's words; see `hidden_authors`."""
    readers = union(
        select(RelationRow.account_id).where(_is_to(account_id), _IS_HIDDEN),
        select(RelationRow.other_id).where(_is_of(account_id), _IS_BLOCK),
    )
    return frozenset(await session.scalars(readers))


def not_blocked(account_id: int, other: InstrumentedAttribute[int]) -> ColumnElement[bool]:
    """Return the condition that there is no block between an account and the one in a column."""
    pair = or_(
        and_(_is_of(account_id), RelationRow.other_id == other),
        and_(RelationRow.account_id == other, _is_to(account_id)),
    )
    return ~exists().where(_IS_BLOCK, pair)


def lets_see(account: Account) -> bool:
    """Return whether an account lets others see that it is there; blocks are looked at elsewhere."""
    return account.preferences.get("online") != "off"


async def related(session: AsyncSession, account_id: int, relation: Relation) -> list[Account]:
    """Return the accounts to which an account has a relation, by name, without closed ones."""
    return list(await session.scalars(*_related(account_id, relation)))


@made_once
def _related(account_id: int, relation: Relation) -> Select[Account]:
    return (
        select(Account)
        .join(RelationRow, RelationRow.other_id == Account.id)
        .where(*_is_listed(account_id, relation))
        .order_by(func.lower(Account.username))
    )


async def followed(session: AsyncSession, account_id: int) -> list[Account]:
    """Return the accounts that an account follows, by name, without closed ones and blocks between them."""
    accounts = await related(session, account_id, Relation.FOLLOW)
    hidden = await blocked_with(session, account_id) if accounts else frozenset()
    return [account for account in accounts if account.id not in hidden]


async def relations_to(session: AsyncSession, account_id: int, other_id: int) -> frozenset[Relation]:
    """Return the relations that an account has to another one."""
    return frozenset(map(Relation, await session.scalars(*_relations_to(account_id, other_id))))


async def relations_between(session: AsyncSession, viewer_id: int, other_id: int) -> Between:
    """Return what there is between a viewer and another account."""
    rows = (await session.execute(*_relations_between(viewer_id, other_id))).all()
    return Between(
        frozenset(Relation(relation) for account_id, relation in rows if account_id == viewer_id),
        is_blocked=(other_id, Relation.BLOCK) in rows,
    )


@made_once
def _relations_between(viewer_id: int, other_id: int) -> Select[int, str]:
    pair = or_(_is_of(viewer_id) & _is_to(other_id), _is_of(other_id) & _is_to(viewer_id))
    return select(RelationRow.account_id, RelationRow.relation).where(pair)


@made_once
def _relations_to(account_id: int, other_id: int) -> Select[str]:
    return select(RelationRow.relation).where(_is_of(account_id), _is_to(other_id))


def count_related(account_id: int, relation: Relation) -> Select[int]:
    """Return the query for the number of accounts that `related` returns."""
    return (
        select(func.count())
        .select_from(RelationRow)
        .join(Account, Account.id == RelationRow.other_id)
        .where(*_is_listed(account_id, relation))
    )


def _is_listed(account_id: int, relation: Relation) -> tuple[ColumnElement[bool], ...]:
    return _is_of(account_id), RelationRow.relation == relation, Account.closed_at.is_(None)


def _is_of(account_id: int) -> ColumnElement[bool]:
    return RelationRow.account_id == account_id


def _is_to(account_id: int) -> ColumnElement[bool]:
    return RelationRow.other_id == account_id
