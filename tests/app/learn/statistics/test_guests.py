"""What was counted of a guest's games follows those that come along into an account."""

import asyncio
import re
import uuid

from app.learn.statistics.digest import digest_all, forget
from tests.support.clock import CLOCK
from tests.support.database import connected, fetch, on_database
from tests.support.players import PASSWORD, Program, Visitor
from tests.support.threads import run_coroutine
from tests.support.waiting import WITHIN, wait_until

TALLIES = """
SELECT array_agg((measure, bucket, count, total)::text ORDER BY measure, bucket)
FROM tallies JOIN accounts ON accounts.id = account_id WHERE username = $1
"""
GAMES = """
SELECT sum(count)::int FROM tallies JOIN accounts ON accounts.id = account_id
WHERE username = $1 AND measure = 'length'
"""


_HELD_UP = "SELECT count(*) FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))"


def begin(guest, other):
    """Begin a game of a guest, in which it is the other player's turn after two plies."""
    made = other.challenge(opponent="link", side="black").json()["id"]
    game = guest.http.post(f"/challenges/{made}/accept").url.path.rpartition("/")[2]
    assert other.move(game, "c4", 0).status_code == 200
    moved = {"move": "g6", "ply": "1", "move_id": str(uuid.uuid4())}
    assert guest.http.post(f"/games/{game}/moves", data=moved).status_code == 200
    return game


def play(guest, other):
    """Play a short game of a guest, who resigns."""
    game = begin(guest, other)
    assert guest.http.post(f"/games/{game}/resign").status_code == 200


def test_what_was_counted_for_a_guest_follows_the_games_that_come_along(server, database_url):
    account, friend, guest = Program(server), Program(server), Visitor(server)
    guest.http.post("/guest")
    name = re.search(r"<h1>([^<]+)</h1>", guest.http.get("/account").text)[1]

    def games(whose):
        return fetch(database_url, GAMES, whose)[0] or 0

    def tallies():
        return [fetch(database_url, TALLIES, whose)[0] for whose in (name, account.username)]

    def count_all():
        CLOCK.advance(minutes=1)
        on_database(database_url, digest_all)

    play(guest, friend)
    play(guest, account)  # stays with the guest
    count_all()
    wait_until(lambda: games(name) == 2)
    play(guest, friend)  # is not counted yet
    guest.http.post("/login", data={"username": account.username, "password": PASSWORD})
    guest.http.post("/login/guest", data={"choice": "bring", "next": "/"})
    assert (games(name), games(account.username)) == (1, 2)
    count_all()
    wait_until(lambda: games(account.username) == 3)
    counted = tallies()
    on_database(database_url, forget)
    count_all()
    wait_until(lambda: tallies() == counted)


def test_a_guest_who_waits_for_what_is_being_counted_holds_up_no_move(server, database_url):
    account, friend, guest = Program(server), Program(server), Visitor(server)
    guest.http.post("/guest")
    play(guest, friend)
    game = begin(guest, friend)
    guest.http.post("/login", data={"username": account.username, "password": PASSWORD})

    async def move_while_it_waits():
        bring = {"choice": "bring", "next": "/"}
        async with connected(database_url) as counting, connected(database_url) as watching:
            async with counting.transaction(), asyncio.timeout(WITHIN):
                await counting.execute("SELECT FROM digested FOR UPDATE")
                brought = asyncio.create_task(asyncio.to_thread(guest.http.post, "/login/guest", data=bring))
                holder = counting.get_server_pid()
                while not await watching.fetchval(_HELD_UP, holder):  # noqa: ASYNC110 - there is no event
                    await asyncio.sleep(0.01)
                moved = await asyncio.to_thread(friend.move, game, "d4", 2)
            await brought
        return moved.status_code

    assert run_coroutine(move_while_it_waits()) == 200
    assert {player["username"] for player in friend.snapshot(game)["players"].values()} == {
        friend.username,
        account.username,
    }
