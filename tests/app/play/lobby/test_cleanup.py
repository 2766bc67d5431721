"""Old challenges are deleted, but none that anybody still needs."""

from itertools import product

import pytest

from app.play.lobby.store import delete_old_challenges
from tests.support.database import execute, fetch, on_database
from tests.support.web_processes import web_processes

STATUSES = ["open", "accepted", "declined", "cancelled", "expired"]


@pytest.mark.parametrize("is_under_way", [True, False])
async def test_only_challenges_that_are_over_and_old_are_deleted(new_database, is_under_way):
    url = new_database("challenges")
    async with web_processes(url, 1) as [process]:
        game = await process.new_game()
        if not is_under_way:
            execute(url, "UPDATE games SET status = 'aborted'")
    execute(url, "DELETE FROM challenges")
    for status, days in product(STATUSES, (1, 29, 31, 400)):
        execute(
            url,
            "INSERT INTO challenges (id, game, options, kind, maker_id, side, status, created_at, game_id) "
            "VALUES ($1, 'jadejack', '{}', 'link', $2, 'random', $3, now() - make_interval(days => $4), $5)",
            f"{status}{days}",
            game.players[0].id,
            status,
            days,
            game.id if status == "accepted" else None,
        )

    on_database(url, delete_old_challenges)
    left = set(fetch(url, "SELECT array_agg(id) FROM challenges")[0])
    assert left == {
        f"{status}{days}"
        for status, days in product(STATUSES, (1, 29, 31, 400))
        if days < 30 or status == "open" or (status == "accepted" and is_under_way)
    }
