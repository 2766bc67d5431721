"""Who has not revealed a commitment is reminded a day before it expires, once."""

from datetime import timedelta

import pytest
from sqlalchemy import select, text

from app.core.moments import utc_now
from app.nugget.commitments.news import remind_of_commitments
from app.nugget.commitments.queries import AFTER_COMPETITION, WITHOUT_COMPETITION
from app.people.inbox import queries as inbox
from app.people.inbox.models import Notification
from engine.golden_nugget import sealing
from tests.support.nugget import new_record, sealed


async def commit(site, player, competition=None):
    """Return a commitment, and its file."""
    file = sealed(new_record(detours=3))
    return await site.commitments.commit(player, sealing.hash_of(file), competition), file


async def let_expire(site, left):
    """Move all commitments and competitions so that commitments expire after so much time."""
    now = utc_now()
    async with site.database.transaction() as session:
        await session.execute(
            text("UPDATE nugget_commitments SET committed_at = :at"),
            {"at": now - WITHOUT_COMPETITION + left},
        )
        ends = now - AFTER_COMPETITION + left
        await session.execute(
            text("UPDATE nugget_competitions SET starts_at = :starts, ends_at = :ends"),
            {"starts": ends - timedelta(days=1), "ends": ends},
        )


async def reminders(site, player):
    """Remind of commitments, and return what a player has been told in all: pages, and until when."""
    await remind_of_commitments(site.database, site.bus)
    async with site.database.reading_now() as session:
        listed = await inbox.latest(session, player.id, limit=9)
    assert {each.kind for each in listed} <= {"commitment_expires"}
    return [(each.path, each.data["expires_at"]) for each in listed]


@pytest.mark.parametrize("in_competition", [False, True])
async def test_a_player_is_reminded_once_a_day_before(site, in_competition):
    player = await site.player()
    cup = await site.competition(await site.player()) if in_competition else None
    commitment, _file = await commit(site, player, cup)
    await let_expire(site, timedelta(hours=25))
    assert await reminders(site, player) == []
    await let_expire(site, timedelta(hours=23))
    commitment = await site.commitments.get(commitment.id)
    told = [(f"/nugget/commitments/{commitment.id}", commitment.expires_at.isoformat())]
    assert await reminders(site, player) == told
    async with site.database.transaction() as session:
        await session.execute(text("UPDATE notifications SET read_at = now()"))
    assert await reminders(site, player) == told
    async with site.database.reading_now() as session:
        rows = select(Notification.read_at).where(Notification.account_id == player.id)
        assert (await session.scalars(rows)).one() is not None, "it was told again"


async def test_who_has_revealed_is_not_reminded(site):
    player = await site.player()
    commitment, file = await commit(site, player)
    await site.commitments.reveal(player, commitment.id, file)
    await let_expire(site, timedelta(hours=23))
    assert await reminders(site, player) == []


async def test_a_reveal_takes_the_reminder_back(site):
    player = await site.player()
    commitment, file = await commit(site, player)
    await let_expire(site, timedelta(hours=23))
    assert len(await reminders(site, player)) == 1
    await site.commitments.reveal(player, commitment.id, file)
    async with site.database.reading_now() as session:
        rows = select(Notification.id).where(Notification.account_id == player.id)
        assert (await session.scalars(rows)).all() == []


async def test_nobody_is_reminded_of_what_has_expired(site):
    player = await site.player()
    await commit(site, player)
    await let_expire(site, timedelta(hours=-1))
    assert await reminders(site, player) == []
