"""Conditional moves that their player deletes are not played any more."""

import asyncio
import uuid

from app.core.events import game_topic
from app.core.moments import now
from app.play.conditions.service import Conditions
from app.play.games.events import Played
from tests.support.web_processes import web_processes


async def test_an_answer_that_is_about_to_be_played_is_not_played_once_its_line_is_deleted(
    database_url, monkeypatch
):
    async with web_processes(database_url, 2) as [here, there]:
        playing, deleting = (Conditions(each.database, each.bus, each.games) for each in (here, there))
        await playing.begin()
        state = await here.new_game()
        black, white = (player.id for player in state.players)
        await playing.save(state.id, white, state.version, [["c4", "f6"]], at=now())
        is_decided, go_on, over = asyncio.Event(), asyncio.Event(), asyncio.Event()
        commit = here.games.journal.commit

        async def hold(decision):
            if decision.before.ply == 0:
                return await commit(decision)
            is_decided.set()
            await go_on.wait()
            try:
                return await commit(decision)
            finally:
                over.set()

        monkeypatch.setattr(here.games.journal, "commit", hold)
        await here.games.play_move(state.id, black, "c4", 0, uuid.uuid4(), at=now())
        await is_decided.wait()
        await deleting.delete(state.id, white, at=now())
        go_on.set()
        await over.wait()
        assert [played.move for played in (await there.games.store.load(state.id)).moves] == ["c4"]
        assert (await deleting.own(state.id, white, at=now())).lines == ()


async def test_deleting_lines_on_the_turn_of_the_opponent_changes_nothing_for_anybody_else(database_url):
    async with web_processes(database_url, 1) as [process]:
        conditions = Conditions(process.database, process.bus, process.games)
        state = await process.new_game()
        white = state.players[1].id
        await conditions.save(state.id, white, state.version, [["c4", "f6"]], at=now())
        async with process.hub.subscribe(game_topic(state.id)) as followers:
            await conditions.delete(state.id, white, at=now())
            assert (await conditions.own(state.id, white, at=now())).lines == ()
            assert (await process.games.store.load(state.id)).version == state.version
            await process.games.play_move(state.id, state.players[0].id, "c4", 0, uuid.uuid4(), at=now())
            assert isinstance((await followers.get()).step, Played)
