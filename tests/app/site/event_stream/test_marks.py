"""What streams and pages find out with their heartbeats: whether something happened to an account."""

import asyncio
from uuid import uuid4

import pytest

from app.core.events import account_topic
from app.core.moments import now
from app.live.connections import Stream
from app.live.pushing import push
from app.play.games.decisions import Command
from app.site.event_stream.service import Marks, look_with_heartbeats
from tests.support.waiting import WITHIN
from tests.support.web_processes import web_processes


@pytest.fixture
async def process(database_url):
    async with web_processes(database_url, 1) as [process]:
        yield process


async def test_a_mark_changes_with_each_step_of_a_game_and_not_without(process):
    marks = process.parts.get(Marks)
    state = await process.new_game()
    player, other = (player.id for player in state.players)
    seen = [await marks.of(player)]
    await process.new_game(players=[other, player])
    seen.append(await marks.of(player))
    await process.games.play_move(state.id, player, "c4", 0, uuid4(), at=now())
    seen.append(await marks.of(player))
    await process.games.command(Command.RESIGN, state.id, other, at=now())
    seen.append(await marks.of(player))
    assert len(set(seen)) == len(seen)
    assert await asyncio.gather(marks.of(player), marks.of(player)) == [seen[-1]] * 2


async def test_a_stream_that_missed_an_event_looks_with_its_heartbeat(process):
    state = await process.new_game()
    player = state.players[0].id
    stream, rendered = Stream(process.hub, None), asyncio.Queue()

    async def render(event, _subscription):
        rendered.put_nowait(event)
        return ""

    async def looks():
        stream.check()
        async with asyncio.timeout(WITHIN):
            return await rendered.get()

    subscription = push(stream, render, account_topic(player))
    look_with_heartbeats(stream, subscription, process.parts.get(Marks), player)
    await rendered.get()  # the start
    await looks()  # the first heartbeat has nothing to compare with
    await process.database.pool.execute("UPDATE games SET version = version + 1 WHERE id = $1", state.id)
    await looks()
    for _ in range(3):
        stream.check()
        await asyncio.sleep(0.1)
    assert rendered.empty()
    await stream.release()
