"""The rankings: each player's best entry, in the exact order of the rules."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import SmallInteger, cast, delete, func, literal, select, tuple_
from sqlalchemy.dialects.postgresql import ARRAY, insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import InvalidError
from app.identity.models import Account
from app.nugget.models import Entry, Standing
from engine.golden_nugget.ranking import Mean, mean_of, ranking_key, tie_break

PLAYERS = ("everybody", "people", "computers", "assisted")
LENGTHS = (20, 50, 100, 200)
WORLD = "everybody:all"
ASSISTED = "assisted:all"


@dataclass(frozen=True, slots=True)
class RankedEntry:
    """A row of a ranking; equal entries share the rank, the earlier one first."""

    rank: int
    entry_id: str
    account_id: int
    username: str
    is_computer: bool
    counts: tuple[int, ...]
    submitted_at: datetime
    published: bool

    @property
    def mean(self) -> Mean:
        """Give the exact mean of moves per board."""
        return Mean(sum(self.counts), len(self.counts))

    def as_dict(self) -> dict[str, Any]:
        """Give the row as the API and the exports tell it."""
        return {
            "rank": self.rank,
            "username": self.username,
            "boards": len(self.counts),
            "moves": self.mean.moves,
            "mean": self.mean.as_json(),
            "submitted_at": self.submitted_at.isoformat(),
            "entry_id": self.entry_id,
        }


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a ranking, and where the next one starts (None: this is the last)."""

    rows: tuple[RankedEntry, ...]
    next: str | None


def as_csv(rows: Sequence[RankedEntry]) -> str:
    """Give rows of a ranking as comma-separated values, with a line of titles."""
    sheet = io.StringIO()
    writer = csv.writer(sheet)
    writer.writerow(["rank", "username", "boards", "moves", "mean", "submitted_at", "entry_id"])
    for row in rows:
        told = row.as_dict() | {"mean": row.mean.text}
        writer.writerow(told.values())
    return sheet.getvalue()


def periods() -> list[str]:
    """Give what a ranking may run over: all time, this year, or entries of one length."""
    return ["all", str(datetime.now(UTC).year), *map(str, LENGTHS)]


def name_of(players: str, period: str) -> str:
    """Give the name of a ranking: of some PLAYERS, over `all`, this year or a length.

    Everybody is people and computers; what people did with a computer's help is `assisted`. Raises
    InvalidError for one that does not exist.
    """
    if players not in PLAYERS or period not in periods():
        raise InvalidError("no_such_ranking", "There is no such ranking. Choose one from the list.")
    return f"{players}:{period}"


def world_of(entry: Entry) -> str:
    """Give the ranking of all time that an entry belongs to."""
    return ASSISTED if entry.assisted else WORLD


def competition(competition_id: str) -> str:
    """Give the name of a competition's ranking."""
    return f"competition:{competition_id}"


async def place(session: AsyncSession, entry: Entry, account: Account) -> None:
    """Put an entry into each ranking in which it is its player's best."""
    names = []
    if entry.competition_id is not None:
        names.append(competition(entry.competition_id))
    if entry.sealed_until is None or entry.sealed_until <= datetime.now(UTC):
        periods = ["all", str(entry.submitted_at.year)]
        periods += [str(length) for length in LENGTHS if length == len(entry.counts)]
        kinds: tuple[str, ...] = ("everybody", "computers" if account.is_computer else "people")
        if entry.assisted:
            kinds = ("assisted",)
        names += [f"{players}:{period}" for players in kinds for period in periods]
    values = {
        "entry_id": entry.id,
        "mean_key": entry.mean_key,
        "fewer_boards": -len(entry.counts),
        "last_boards": list(tie_break(entry.counts)),
        "submitted_at": entry.submitted_at,
    }
    for name in names:
        statement = insert(Standing).values(ranking=name, account_id=account.id, **values)
        await session.execute(
            statement.on_conflict_do_update(
                index_elements=["ranking", "account_id"],
                set_=values,
                where=_order(statement.excluded) < _order(Standing),
            )
        )


async def displace(session: AsyncSession, entry: Entry, account: Account) -> None:
    """Take a withdrawn entry out of the rankings; the player's next best one takes its place."""
    removed = delete(Standing).where(Standing.entry_id == entry.id).returning(Standing.ranking)
    if not list(await session.scalars(removed)):
        return
    others = select(Entry).where(Entry.account_id == entry.account_id, Entry.withdrawn_at.is_(None))
    for other in await session.scalars(others):
        await place(session, other, account)


async def release(session: AsyncSession) -> bool:
    """Place the entries of sealed competitions that have ended; return whether there were any."""
    due = (
        select(Entry, Account)
        .join(Account, Account.id == Entry.account_id)
        .where(Entry.sealed_until <= func.now(), Entry.withdrawn_at.is_(None))
        .with_for_update(of=Entry, skip_locked=True)
    )
    released = (await session.execute(due)).all()
    for entry, account in released:
        entry.sealed_until = None
        await place(session, entry, account)
    return bool(released)


async def rank_of(session: AsyncSession, counts: Sequence[int], ranking: str = WORLD) -> int:
    """Give the rank that an entry with these moves on its boards has, or would have."""
    mean_key = mean_of(counts).key
    key = tuple_(literal(-len(counts)), _array(list(tie_break(counts))))
    ties = select(func.count()).where(
        Standing.ranking == ranking, Standing.mean_key == mean_key, _key(Standing) < key
    )
    return 1 + await _smaller_means(session, ranking, mean_key) + (await session.scalar(ties) or 0)


async def row_of(session: AsyncSession, account_id: int, ranking: str = WORLD) -> RankedEntry | None:
    """Give a player's row in a ranking, or None."""
    rows = await _rows(session, _standings(ranking).where(Standing.account_id == account_id))
    return rows[0] if rows else None


async def page(session: AsyncSession, ranking: str, cursor: str | None, limit: int) -> Page:
    """Give a page of a ranking, from the row after `cursor` on. Raises InvalidError for a bad cursor."""
    rows = _standings(ranking)
    if cursor is not None:
        start = await session.scalar(
            select(Standing).where(Standing.ranking == ranking, Standing.entry_id == cursor)
        )
        if start is None:
            raise InvalidError("bad_cursor", "That place in the ranking is gone. Start at the first page.")
        rows = rows.where(_order(Standing) > _order(start))
    found = await _rows(session, rows.order_by(*_order(Standing).clauses).limit(limit + 1))
    more = len(found) > limit
    return Page(tuple(found[:limit]), found[limit - 1].entry_id if more else None)


async def _smaller_means(session: AsyncSession, ranking: str, mean_key: int) -> int:
    """Count the entries with a smaller mean: most of the better ones, and an index has just their means."""
    smaller = select(func.count()).where(Standing.ranking == ranking, Standing.mean_key < mean_key)
    return await session.scalar(smaller) or 0


def _key(row: Any) -> Any:
    """Give what decides the rank among equal means, of the table or of one of its rows."""
    return tuple_(row.fewer_boards, _array(row.last_boards))


def _order(row: Any) -> Any:
    """Give what decides the place in the list: those that share a rank stand as they were submitted."""
    return tuple_(row.mean_key, row.fewer_boards, _array(row.last_boards), row.submitted_at, row.account_id)


def _array(value: Any) -> Any:
    return cast(value, ARRAY(SmallInteger)) if isinstance(value, list) else value


def _standings(ranking: str) -> Any:
    return (
        select(Standing, Entry.counts, Entry.published_at, Account.username, Account.is_computer)
        .join(Entry, Entry.id == Standing.entry_id)
        .join(Account, Account.id == Standing.account_id)
        .where(Standing.ranking == ranking)
    )


async def _rows(session: AsyncSession, rows: Any) -> list[RankedEntry]:
    """Read rows that follow each other in a ranking, and count their ranks."""
    found = (await session.execute(rows)).all()
    if not found:
        return []
    first = found[0][0]
    smaller = await _smaller_means(session, first.ranking, first.mean_key)
    better = func.count().filter(_key(Standing) < _key(first))
    ties = select(better, func.count()).where(
        Standing.ranking == first.ranking,
        Standing.mean_key == first.mean_key,
        _order(Standing) < _order(first),
    )
    better_ties, earlier_ties = (await session.execute(ties)).one()
    rank, before = 1 + smaller + better_ties, smaller + earlier_ties
    ranked: list[RankedEntry] = []
    for place_in_list, (standing, entry_counts, published_at, username, is_computer) in enumerate(
        found, before + 1
    ):
        if ranked and ranking_key(ranked[-1].counts) != ranking_key(entry_counts):
            rank = place_in_list
        ranked.append(
            RankedEntry(
                rank,
                standing.entry_id,
                standing.account_id,
                username,
                is_computer,
                tuple(entry_counts),
                standing.submitted_at,
                published_at is not None,
            )
        )
    return ranked
