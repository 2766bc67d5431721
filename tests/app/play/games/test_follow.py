"""Readers of a game catch up with what they missed."""

import asyncio
import uuid

from app.core.moments import now
from app.live.connections import Stream
from app.play.games.follow import GameFeed
from tests.support.waiting import WITHIN
from tests.support.web_processes import web_processes


async def test_readers_who_missed_a_step_of_the_same_game_are_shown_one_reading_of_it(
    database_url, monkeypatch
):
    async with web_processes(database_url, 2) as [here, there]:
        old, other = await here.new_game(), await here.new_game()
        for state in (old, other):
            player = state.player_to_move.id
            await there.games.play_move(state.id, player, "c4", state.ply, uuid.uuid4(), at=now())
        read, shown, done = [], [], asyncio.Event()
        get = here.games.get

        async def reading(game_id):
            read.append(game_id)
            return await get(game_id)

        def show(_before, step, after):
            shown.append((after.id, after.ply, step))
            if len(shown) == 5:
                done.set()

        monkeypatch.setattr(here.games, "get", reading)
        feed, stream = GameFeed(here.games), Stream(here.hub, None)
        for state in (old, old, other, old, old):
            feed.follow(stream, state, show)
        async with asyncio.timeout(WITHIN):
            await done.wait()
        await stream.release()
    assert sorted(read) == sorted((old.id, other.id))
    assert shown.count((old.id, 1, None)) == 4
    assert shown.count((other.id, 1, None)) == 1
