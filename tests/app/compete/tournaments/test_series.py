"""The arenas that the server makes by itself have the name in the language of the reader everywhere."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from app.compete.tournaments import standings
from app.compete.tournaments.models import Tournament, TournamentPlayer
from app.compete.tournaments.news import tell
from app.compete.tournaments.queries import terms_of
from app.core.i18n.languages import reading
from app.people.identity.models import Account
from app.people.inbox.kinds import Listed, NewsKind, kinds
from app.people.inbox.models import Notification
from tests.support.players import fresh_name

_START = datetime(2026, 1, 1, tzinfo=UTC)
_NAMES = [  # of an arena, with that of a German reader
    ("Daily arena", "daily", "Tägliche Arena"),
    ("Friday 50% arena", "friday", "Friday 50% arena"),
    ("Daily arena", None, "Daily arena"),
]
_KINDS = [name for name, kind in kinds().items() if "tournament" in name or "{place}" in str(kind.path)]


def arena(name, series):
    return Tournament(
        id="arena", kind="arena", status="finished", name=name, series=series, game="jadejack", options={},
        rated=True, time_control={"kind": "realtime", "limit": 60, "increment": 1}, max_players=100, size=1,
        plan={"minutes": 20}, starts_at=_START, ended_at=_START, min_games=0, computers=False, chat=True,
        description="",
    )  # fmt: skip


@pytest.mark.parametrize(("name", "series", "shown"), _NAMES)
async def test_notifications_name_it(session, name, series, shown):
    account = Account(username=fresh_name())
    session.add(account)
    await session.flush()
    for kind in _KINDS:
        await tell(session, arena(name, series), kind, [account.id])
    rows = (await session.scalars(select(Notification))).all()
    lines = [Listed(1, row.kind, row.subject, None, row.data, _START, is_read=False) for row in rows]
    assert len(lines) == len(_KINDS)
    with reading("de"):
        assert {line.detail for line in lines} == {shown}


def test_all_kinds_about_tournaments_are_tried():
    assert {NewsKind.TOURNAMENT_SOON, NewsKind.TOURNAMENT_CANCELLED, NewsKind.LEFT_OUT} <= set(_KINDS)


@pytest.mark.parametrize(("name", "series", "shown"), _NAMES)
async def test_pages_and_trophies_name_it(session, name, series, shown):
    tournament, account = arena(name, series), Account(username=fresh_name())
    session.add_all([tournament, account])
    await session.flush()
    session.add(TournamentPlayer(tournament_id="arena", account_id=account.id, rating=1500, rank=1))
    await session.flush()
    (trophy,) = await standings.trophies(session, account.id)
    with reading("de"):
        for each in (trophy.name, terms_of(tournament).name):
            assert getattr(each, "translated", lambda each=each: each)() == shown
