"""Standings: each player's best entry in every ranking, in the exact order of the rules."""

import contextlib
import csv
import io
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, ClassVar

from sqlalchemy import BigInteger, SmallInteger, Text, bindparam, case, column, delete, exists, func, select
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, aggregate_order_by, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased, defer

from app.core.database.rank_order import RankOrder
from app.core.database.ranking import Ranking
from app.core.database.session import Database
from app.core.database.statements import with_constants
from app.core.database.unreadable import UnreadableError, read, read_row, readable
from app.core.errors import InvalidError
from app.core.events import Event, Topic
from app.core.i18n.text import _
from app.core.moments import utc_now
from app.core.web.shown import Hidden, Id, Username
from app.nugget.means import ShownMean
from app.nugget.models import Competition, Credit, Entry, Standing
from app.nugget.records import keeping
from app.nugget.records.events import RecordBeaten
from app.people.identity.models import Account
from app.people.identity.ranked import SHOWN_COUNTRY, SHOWN_NAME, is_open, is_ranked
from app.people.inbox.events import InboxChanged
from app.people.inbox.kinds import NewsKind
from app.people.inbox.service import News, notify
from engine.golden_nugget.ranking import LENGTHS, mean_of, tie_break

RANKING = Topic("nugget:ranking")
"""Golden Nugget entries are accepted, published or withdrawn."""


class RankingChanged(Event, frozen=True):
    """The Golden Nugget rankings changed."""

    topics: ClassVar = (RANKING,)


PLAYERS = ("everybody", "people", "computers", "assisted", "common")
PERIODS = rf"^(all|[0-9]{{4}}|{'|'.join(map(str, LENGTHS))})$"
"""The regular expression of `periods`."""
_FIRST_YEAR = 2026
"""The year of the first entries anywhere."""
WORLD = "everybody:all"
PEOPLE = "people:all"
COMPUTERS = "computers:all"
ASSISTED = "assisted:all"
COMMON = "common:all"
_COMPETITION = "competition:"

_EXPORTED = 10_000
_PART = 500  # rows of an export that are read at a time

_ORDER = RankOrder(
    Standing.mean_key,
    Standing.fewer_boards,
    Standing.last_boards,
    Standing.submitted_at,
    Standing.account_id,
    ties=3,
)
_credited = aliased(Account)
_CREDITS = (
    select(
        func.jsonb_agg(
            aggregate_order_by(
                func.jsonb_build_array(
                    case((_credited.closed_at.is_(None), _credited.username)), Credit.boards
                ),
                Credit.boards.desc(),
                Credit.account_id,
            )
        )
    )
    .join(_credited, _credited.id == Credit.account_id)
    .where(Credit.entry_id == Standing.entry_id)
    .scalar_subquery()
)
_ROWS = (
    select(
        Standing.entry_id,
        Standing.account_id,
        Standing.submitted_at,
        Entry.counts,
        Entry.is_readable.label("is_readable"),
        SHOWN_NAME,
        SHOWN_COUNTRY,
        Account.is_computer,
        _CREDITS.label("credits"),
    )
    .join(Entry, Entry.id == Standing.entry_id)
    .join(Account, Account.id == Standing.account_id)
)
_KEYS = (
    func.jsonb_to_recordset(bindparam("entries", type_=JSONB))
    .table_valued(
        column("entry_id", Text),
        column("account_id", BigInteger),
        column("ranking", Text),
        column("mean_key", BigInteger),
        column("fewer_boards", SmallInteger),
        column("last_boards", ARRAY(SmallInteger)),
        name="keys",
    )
    .render_derived(with_types=True)
)
_KEY_NAMES = ("mean_key", "fewer_boards", "last_boards")
_RANKS = with_constants(
    select(
        _KEYS.c.entry_id,
        _ORDER.rank(
            tuple(_KEYS.c[name] for name in _KEY_NAMES),
            (Standing.ranking == _KEYS.c.ranking, is_ranked(Standing.account_id)),
            _KEYS.c.ranking,
        ),
    ).where(is_ranked(_KEYS.c.account_id))
)
"""The ranks of `entries`, each an object with its id, its account, the name of a ranking and its key."""


@dataclass(frozen=True, slots=True)
class BoardsOf:
    """How many boards of a common entry come from another player, whose account may be closed."""

    username: Username | None
    boards: int


@dataclass(frozen=True, slots=True)
class RankingRow:
    """A row of a ranking; equal entries share a rank. A closed account that stays has no `username`.

    `credits` are the other players whose boards a common entry has, those with most boards first.
    """

    rank: int
    username: Username | None
    boards: int
    moves: int
    mean: ShownMean
    submitted_at: datetime
    entry_id: Id
    credits: tuple[BoardsOf, ...]
    account_id: Hidden[int]
    is_computer: Hidden[bool]
    counts: Hidden[tuple[int, ...]]
    published: Hidden[bool]
    country: Hidden[str | None]

    def as_dict(self) -> dict[str, Any]:
        """Return the row as the exports show it."""
        return {
            "rank": self.rank,
            "username": self.username,
            "boards": self.boards,
            "moves": self.moves,
            "mean": self.mean.as_json(),
            "submitted_at": self.submitted_at.isoformat(),
            "entry_id": self.entry_id,
        }


CSV_HEADER = "rank,username,boards,moves,mean,submitted_at,entry_id\r\n"
"""The first line of a ranking as comma-separated values."""


def as_csv(rows: Sequence[RankingRow]) -> str:
    """Return rows of a ranking as comma-separated values, without the header."""
    sheet = io.StringIO()
    writer = csv.writer(sheet)
    writer.writerows((row.as_dict() | {"mean": row.mean.text}).values() for row in rows)
    return sheet.getvalue()


def periods() -> list[str]:
    """Return the periods of rankings: all time, each year down to the first, and the lengths of entries.

    A ranking of a year still changes after it: entries of sealed competitions and commitments follow.
    """
    years = range(utc_now().year, _FIRST_YEAR - 1, -1)
    return ["all", *map(str, (*years, *LENGTHS))]


def name_of(players: str, period: str) -> str:
    """Return the name of the ranking of some PLAYERS over one of the `periods`.

    `everybody` is people and computers; entries that the computer helped with are in `assisted` only, those
    with boards of other players in `common` only. Raise InvalidError if there is no such ranking.
    """
    if players not in PLAYERS or period not in periods():
        raise InvalidError("no_such_ranking", _("There is no such ranking. Choose one from the list."))
    return f"{players}:{period}"


def world_of(*, assisted: bool, common: bool) -> str:
    """Return the name of the ranking of all time, of assisted entries, of common ones or of all others."""
    if assisted:
        return ASSISTED
    return COMMON if common else WORLD


def of_competition(competition_id: str) -> str:
    """Return the name of a competition's ranking."""
    return _COMPETITION + competition_id


@lru_cache(maxsize=256)  # a competition has one of its own
def ranking(name: str) -> Ranking[RankingRow]:
    """Return a ranking by its name."""
    return Ranking(
        _ORDER,
        _ROWS,
        (Standing.ranking == name,),
        Standing.account_id,
        is_ranked,
        _ranked,
        name,
        is_of_site=not name.startswith(_COMPETITION),
    )


async def in_parts(database: Database, ranking: Ranking[RankingRow]) -> AsyncIterator[tuple[RankingRow, ...]]:
    """Yield the first rows of a ranking in parts; no connection is kept while a reader is slow."""
    cursor: str | None = ""
    left = _EXPORTED
    while cursor is not None and left > 0:
        async with database.reading() as session:
            part = await ranking.page(session, cursor, min(left, _PART))
        yield part.rows
        cursor = part.next
        left -= len(part.rows)


async def rank_of(session: AsyncSession, counts: Sequence[int], name: str = WORLD) -> int:
    """Return the rank that an entry with these moves on its boards has in a ranking, or would have."""
    return await ranking(name).rank_of(session, _key(counts))


async def ranks_of(session: AsyncSession, entries: Sequence[Entry]) -> dict[str, int]:
    """Return the ranks of entries, by their ids, among all entries or all assisted ones; in one query.

    Those of accounts that are not ranked have none.
    """
    if not entries:
        return {}
    rows = readable(_ranked_as, entries)
    return dict((await session.execute(_RANKS, {"entries": rows})).all())


async def place_new(
    session: AsyncSession, entry: Entry, account: Account, at: datetime
) -> tuple[RankingRow | None, Sequence[Event]]:
    """Add an entry that is new, or no longer sealed, to its rankings, and give it the records that it sets.

    Notify those who lose a place or a record. Return the row that its player had in the ranking of all time,
    and the events to publish after the commit. Raise UnreadableError.
    """
    world = world_of(assisted=entry.assisted, common=entry.common)
    before = await ranking(world).row_of(session, account.id)
    await place(session, entry, account, at)
    overtaken = await _overtaken(session, entry, account.id, world, before)
    beaten = await keeping.take(session, entry, account, at)
    return before, (InboxChanged(tuple(overtaken)), RecordBeaten(tuple(beaten)))


async def _overtaken(
    session: AsyncSession, entry: Entry, account_id: int, world: str, before: RankingRow | None
) -> Sequence[int]:
    """Notify those whose place in the ranking of all time an entry takes, and return their accounts."""
    is_best = exists().where(Standing.ranking == world, Standing.entry_id == entry.id)
    if not await session.scalar(select(is_best)):  # it is not the best one of its player, or is sealed
        return ()
    query = ranking(world).overtaken(
        account_id, _key(entry.counts), _key(before.counts) if before else None, is_open(Standing.account_id)
    )
    overtaken = (await session.scalars(query)).all()
    data = {"name": "Golden Nugget", "page": _page_of(world)}
    news = [News(each, NewsKind.PLACE_LOST, world, account_id, data) for each in overtaken]
    await notify(session, *news)
    return overtaken


def _page_of(name: str) -> str:
    """Return the path of a ranking by its name, of some players over a period, at the reader's row."""
    players, period = name.split(":")
    return f"/leaderboards/golden_nugget?players={players}&period={period}&at=me"


async def place(session: AsyncSession, entry: Entry, account: Account, at: datetime) -> None:
    """Add an entry to its rankings, wherever it is its player's best; see `_rankings_of` for `at`.

    Raise UnreadableError.
    """
    columns = {"entry_id": entry.id, **read_row(_key_columns, entry), "submitted_at": entry.submitted_at}
    names = await _rankings_of(session, entry, account, at)
    if not names:
        return
    statement = insert(Standing).values(
        [{"ranking": name, "account_id": account.id, **columns} for name in names]
    )
    new = statement.excluded
    await session.execute(
        statement.on_conflict_do_update(
            index_elements=["ranking", "account_id"],
            set_={name: new[name] for name in columns},
            where=_ORDER.after([new[column.name] for column in _ORDER.expressions]),
        )
    )


async def displace(session: AsyncSession, entry: Entry, account: Account, at: datetime) -> None:
    """Remove an entry that was withdrawn, or is not own, from its rankings and records.

    Its player's next best entry takes its place. The points of its competition are decided again.
    """
    await keeping.give_up(session, entry, account)
    removed = delete(Standing).where(Standing.entry_id == entry.id).returning(Standing.ranking)
    rankings = (await session.scalars(removed)).all()
    if not rankings:
        return
    if entry.competition_id is not None and of_competition(entry.competition_id) in rankings:
        (await session.get_one(Competition, entry.competition_id)).awarded_at = None
    others = (
        select(Entry)
        .where(Entry.account_id == entry.account_id, Entry.withdrawn_at.is_(None))
        .options(defer(Entry.record, raiseload=True))  # long, and not needed
    )
    for other in (await session.scalars(others)).all():
        with contextlib.suppress(UnreadableError):
            await place(session, other, account, at)


async def _rankings_of(session: AsyncSession, entry: Entry, account: Account, at: datetime) -> list[str]:
    """Return the names of the rankings of an entry; while it is sealed, only its competition's.

    A competition ranks only those that are own.
    """
    names = []
    if entry.competition_id is not None:
        if entry.is_own:
            names.append(of_competition(entry.competition_id))
        if (await session.get_one(Competition, entry.competition_id)).is_sealed(at):
            return names
    among: tuple[str, ...] = ("everybody", "computers" if account.is_computer else "people")
    if not entry.is_own:
        among = ("assisted" if entry.assisted else "common",)
    lengths = [str(length) for length in LENGTHS if length == len(entry.counts)]
    return names + [
        f"{players}:{period}"
        for players in among
        for period in ("all", str(entry.submitted_at.year), *lengths)
    ]


def _ranked_as(entry: Entry) -> dict[str, Any]:
    return {
        "entry_id": entry.id,
        "account_id": entry.account_id,
        "ranking": world_of(assisted=entry.assisted, common=entry.common),
        **_key_columns(entry),
    }


def _key(counts: Sequence[int]) -> tuple[int, int, list[int]]:
    """Return what decides the rank of an entry: the first columns of the order."""
    return mean_of(counts).key, -len(counts), list(tie_break(counts))


def _key_columns(entry: Entry) -> dict[str, Any]:
    """Return the key of an entry by the names of its columns."""
    return dict(zip(_KEY_NAMES, _key(entry.counts), strict=True))


def _ranked(rank: int, row: Any) -> RankingRow:
    mean = read(Entry.__tablename__, row.entry_id, mean_of, row.counts)
    return RankingRow(
        rank=rank,
        username=row.username,
        boards=mean.boards,
        moves=mean.moves,
        mean=mean,
        submitted_at=row.submitted_at,
        entry_id=row.entry_id,
        credits=tuple(BoardsOf(*credit) for credit in row.credits or ()),
        account_id=row.account_id,
        is_computer=row.is_computer,
        counts=tuple(row.counts),
        published=row.is_readable,
        country=row.country,
    )
