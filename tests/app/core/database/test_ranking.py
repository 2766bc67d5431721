"""Rankings on PostgreSQL against a naive sort in Python: any directions, ties, pages, cursors."""

import base64
import json
import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cmp_to_key

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sqlalchemy import (
    ARRAY,
    BigInteger,
    Column,
    DateTime,
    Double,
    Float,
    MetaData,
    SmallInteger,
    Table,
    Text,
    cast,
    func,
    select,
)

from app.core.database import marks
from app.core.database.rank_order import RankOrder
from app.core.database.ranking import Ranking
from app.core.database.session import Database
from app.core.errors import InvalidError
from tests.support.effort import cases

TABLE = Table(
    "ranked",
    MetaData(),
    Column("points", SmallInteger),
    Column("rating", Double),
    Column("counts", ARRAY(SmallInteger)),
    Column("name", Text),
    Column("at", DateTime(timezone=True)),
    Column("account_id", BigInteger, primary_key=True),
    Column("is_member", SmallInteger),
    prefixes=["TEMPORARY"],
)
SORTED = ("points", "rating", "counts", "name", "at", "account_id")
START = datetime(2026, 1, 1, tzinfo=UTC)
FEW = settings(
    max_examples=cases(50), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

rows = st.lists(
    st.fixed_dictionaries(
        {
            "points": st.integers(-1, 1),
            "rating": st.sampled_from([-0.5, 0.1, 1500.123456789]),
            "counts": st.lists(st.integers(1, 2), max_size=3),
            "name": st.sampled_from("abc"),
            "at": st.integers(0, 2).map(lambda number: START + timedelta(microseconds=number)),
            "is_member": st.sampled_from([1, 1, 1, 0]),
        }
    ),
    max_size=15,
)
orders = st.permutations(SORTED[:-1]).flatmap(
    lambda names: st.tuples(
        st.lists(st.booleans(), min_size=len(SORTED), max_size=len(SORTED)).map(
            lambda directions: list(zip([*names, "account_id"], directions, strict=True))
        ),
        st.integers(1, len(SORTED)),
    )
)


def order_of(columns, ties, measure=None):
    clauses = (TABLE.c[name].desc() if down else TABLE.c[name] for name, down in columns)
    return RankOrder(*clauses, ties=ties, measure=measure)


def ranking_of(order):
    return Ranking(
        order,
        select(TABLE.c.account_id),
        (),
        TABLE.c.account_id,
        lambda _account: TABLE.c.is_member == 1,
        lambda rank, row: (rank, row.account_id),
    )


def compared(columns, one, other):
    """Compare two rows as the order does: negative if `one` comes first."""
    for name, down in columns:
        if one[name] != other[name]:
            return (1 if one[name] > other[name] else -1) * (-1 if down else 1)
    return 0


def naive(members, columns, ties):
    """Return (rank, account) of all members in order: one more than there are better members."""
    in_order = sorted(members, key=cmp_to_key(lambda one, other: compared(columns, one, other)))
    return [
        (1 + sum(compared(columns[:ties], other, row) < 0 for other in members), row["account_id"])
        for row in in_order
    ]


@pytest.fixture
async def session(database_url):
    database = await Database.open(database_url, pool_size=1)
    async with database._sessions() as session:
        await (await session.connection()).run_sync(TABLE.metadata.create_all)
        yield session
        await session.rollback()
    await database.close()


async def fill(session, made):
    everyone = [{**row, "account_id": number} for number, row in enumerate(made)]
    await session.execute(TABLE.delete())
    if everyone:
        await session.execute(TABLE.insert(), everyone)
    others = [row for row in everyone if not row["is_member"]]
    return [row for row in everyone if row["is_member"]], others


@FEW
@given(made=rows, order=orders, limit=st.integers(1, 7), of_site=st.booleans())
async def test_pages_follow_each_other_in_the_order_of_a_naive_sort(
    session, monkeypatch, made, order, limit, of_site
):
    monkeypatch.setattr("app.core.database.ranking._PLANNED", (2, 5))
    members, _ = await fill(session, made)
    ranking = replace(ranking_of(order_of(*order)), is_of_site=of_site)
    expected = naive(members, *order)
    whole = await ranking.page(session, "", 100)
    assert (list(whole.rows), whole.next) == (expected, None)
    paged, cursor = [], ""
    while cursor is not None:
        page = await ranking.page(session, cursor, limit)
        assert len(page.rows) == limit or page.next is None
        paged += page.rows
        cursor = page.next
    assert paged == expected


@FEW
@given(made=rows, order=orders)
async def test_every_row_has_the_rank_of_a_naive_count(session, made, order):
    members, others = await fill(session, made)
    ranking = ranking_of(order_of(*order))
    expected = naive(members, *order)
    for place, (rank, account_id) in enumerate(expected):
        assert await ranking.row_of(session, account_id) == (rank, account_id)
        cursor = await ranking.cursor_to(session, account_id)
        page = await ranking.page(session, cursor, 100)
        assert list(page.rows) == expected[max(0, place - 5) :]
    columns, ties = order
    for row in others:  # they have the rank that they would have
        assert await ranking.row_of(session, row["account_id"]) is None
        rank = 1 + sum(compared(columns[:ties], other, row) < 0 for other in members)
        assert await ranking.rank_of(session, [row[name] for name, _ in columns[:ties]]) == rank


ROW = {"points": 0, "rating": 0.1, "counts": [], "name": "a", "at": START, "is_member": 1}


@FEW
@given(made=rows, first=st.sampled_from(["rating", "points", "account_id"]), down=st.booleans())
@example(made=[ROW] * 9, first="account_id", down=True)
async def test_ranks_that_are_counted_from_marks_are_the_same(session, monkeypatch, made, first, down):
    monkeypatch.setattr(marks, "EVERY", 2)
    monkeypatch.setattr("app.core.database.ranking._MARKS_AT_ONCE", 2)
    members, _ = await fill(session, made)
    second = "rating" if first == "points" else "points"
    columns = [(first, down), (second, True), ("account_id", False)]
    ranking = replace(ranking_of(order_of(columns, 2)), name="made up")
    await ranking.set_marks(session)
    count = select(func.count()).where(marks.RankingMark.ranking == "made up")
    assert ((await session.execute(count)).scalar_one() > 0) == (len(members) >= 2)
    expected = naive(members, columns, 2)
    assert [await ranking.row_of(session, account_id) for _, account_id in expected] == expected
    own = TABLE.alias()
    key = tuple(own.c[name] for name, _ in columns[:2])
    rank = ranking.order.rank(key, (TABLE.c.is_member == 1,), "made up")
    at_once = await session.execute(select(rank, own.c.account_id).where(own.c.is_member == 1))
    assert sorted(map(tuple, at_once)) == sorted(expected)
    end = {"points": 2**14, "rating": math.inf, "account_id": 2**62}[first] * (-1 if down else 1)
    assert (await session.execute(select(ranking.better(end)))).scalar_one() == len(members)


@FEW
@given(made=rows, down=st.booleans(), steps=st.sampled_from([1, 2, 10_000]))
async def test_ranks_are_the_same_by_marks_of_a_measure(session, monkeypatch, made, down, steps):
    """Where many rows are equal in the first column, marks of it would be of little use.

    A measure may be coarse: rows that differ in the second column have the same number then.
    """

    def measure(points, rating):
        part = func.floor((rating + 1) / 10_000 * steps) / steps
        return cast(points, Float) * (-1 if down else 1) + part

    monkeypatch.setattr(marks, "EVERY", 2)
    monkeypatch.setattr("app.core.database.ranking._MARKS_AT_ONCE", 2)
    members, _ = await fill(session, made)
    columns = [("points", down), ("rating", False), ("account_id", False)]
    ranking = replace(ranking_of(order_of(columns, 2, measure)), name="made up")
    await ranking.set_marks(session)
    expected = naive(members, columns, 2)
    assert [await ranking.row_of(session, account_id) for _, account_id in expected] == expected
    for row in made:
        rank = 1 + sum(compared(columns[:2], other, row) < 0 for other in members)
        assert await ranking.rank_of(session, [row[name] for name, _ in columns[:2]]) == rank


async def test_a_cursor_works_after_its_row_was_deleted(session):
    made = [
        {"points": n, "rating": 0.0, "counts": [], "name": "", "at": START, "is_member": 1} for n in range(5)
    ]
    await fill(session, made)
    ranking = ranking_of(RankOrder(TABLE.c.points, TABLE.c.account_id, ties=1))
    first = await ranking.page(session, "", 2)
    await session.execute(TABLE.delete().where(TABLE.c.account_id == 1))
    assert (await ranking.page(session, first.next, 2)).rows == ((2, 2), (3, 3))


EVERY_TYPE = RankOrder(*(TABLE.c[name] for name in SORTED), ties=1)
GOOD = [1, 0.5, [1, 2], "a", "2026-01-01T00:00:00.000001Z", 7]
ABSURD = [
    *([10**400, *GOOD[1:]], [2**15, *GOOD[1:]], [True, *GOOD[1:]], ["1", *GOOD[1:]], [None, *GOOD[1:]]),
    *(
        [1, 10**400, *GOOD[2:]],
        [1, "NaN", *GOOD[2:]],
        [1, 0.5, [None], *GOOD[3:]],
        [1, 0.5, [[1]], *GOOD[3:]],
    ),
    *([1, 0.5, [2**15], *GOOD[3:]], [*GOOD[:3], "\0", *GOOD[4:]], [*GOOD[:3], "\ud800", *GOOD[4:]]),
    *([*GOOD[:4], "2026-01-01T00:00:00", 7], [*GOOD[:4], "0001-01-01T00:00:00+14:00", 7]),
    *([*GOOD[:4], "9999-12-31T23:59:59-14:00", 7], [*GOOD[:4], 0, 7], [*GOOD[:5], 2**63], [*GOOD[:5], 7.5]),
    *(GOOD[:5], [*GOOD, 1], [], {}, None, "text", [GOOD]),
]


def encoded(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


async def test_invalid_cursors_are_refused(session):
    ranking = ranking_of(EVERY_TYPE)
    assert (await ranking.page(session, encoded(GOOD), 5)).rows == ()
    garbage = ["x", "\0", "🐦", "====", "AAAA", "a" * 100_000, "%00", " ", "1500.0_7"]
    garbage.append(base64.urlsafe_b64encode(b"[" * 50_000).decode())
    garbage.append(base64.urlsafe_b64encode(b"[1e999,1,1,1,1,1]").decode())
    for cursor in [*garbage, *map(encoded, ABSURD)]:
        with pytest.raises(InvalidError) as refused:
            await ranking.page(session, cursor, 5)
        assert refused.value.code == "bad_cursor", cursor


@given(st.text() | st.binary().map(lambda data: base64.urlsafe_b64encode(data).decode()))
def test_any_text_is_a_valid_cursor_or_is_refused(text):
    try:
        key = EVERY_TYPE.from_cursor(text)
    except InvalidError:
        return
    assert EVERY_TYPE.from_cursor(EVERY_TYPE.to_cursor(key)) == key


def test_a_ranking_cannot_be_ordered_by_an_unordered_type():
    from sqlalchemy.dialects.postgresql import JSONB

    with pytest.raises(TypeError):
        RankOrder(Column("options", JSONB), ties=1).to_cursor([{}])
