"""A dump of a site that is in use can be loaded, whatever happens between the parts that are written."""

import itertools
import json
from datetime import date

from app.core.database.session import Database
from app.site.dumps import writing
from app.site.dumps.service import FILES, Dumps, Next
from tests.support.accounts import id_of
from tests.support.commands import gorrion
from tests.support.database import execute, fetch
from tests.support.games import lost_rated_game, post
from tests.support.nugget import new_record
from tests.support.players import PASSWORD, Program, fresh_name
from tests.support.server import start_server
from tests.support.solitaire import random_games, submit
from tests.support.threads import run_coroutine

MOVES = next(iter(random_games("up_and_up", 3).values()))
DAY = date(2030, 1, 1)
ADD_PUZZLE = """
INSERT INTO puzzles (id, game, position, solution, themes, rating, deviation, volatility, game_id, ply)
VALUES ($1, 'jadejack', $1, '{}', '{}', 1500, 200, 0.06, $2, 1)
"""


class BusySite:
    """A server on which something happens whenever it is told to."""

    def __init__(self, url):
        self.url, self.server, self.former = url, start_server(url, bus="postgres"), set()
        self.busy, self.rival = self.player(), self.player()
        self.leaving = [self.player() for _ in range(2)]
        self.guests = [self.player() for _ in range(2)]
        for player in (*self.leaving, *self.guests):
            lost_rated_game(player, self.rival)
        for guest in self.guests:
            execute(url, "UPDATE accounts SET password_hash = NULL WHERE id = $1", id_of(url, guest))
        self.detours = itertools.count(3)
        self.entries = [self.enter() for _ in range(6)]
        for _ in range(4):
            self.submit()
        self.acts = 2 * [
            *(self.register, self.become_account, self.submit, self.find, self.rename),
            *(self.publish, self.withdraw, self.close),
        ]

    def player(self):
        return Program(self.server)

    def enter(self):
        player = self.player()
        entry = post(player, "/nugget/entries", boards=new_record(next(self.detours))).json()["id"]
        assert post(player, f"/nugget/entries/{entry}/publish").status_code == 200
        return player, entry

    def register(self):
        lost_rated_game(self.player(), self.rival)

    def become_account(self):
        account_id = id_of(self.url, self.guests.pop())
        execute(self.url, "UPDATE accounts SET password_hash = 'x' WHERE id = $1", account_id)

    def submit(self):
        submit(self.busy, "up_and_up", 3, MOVES)

    def find(self):
        execute(self.url, ADD_PUZZLE, fresh_name(), lost_rated_game(self.player(), self.player()))

    def rename(self):
        account_id, name = id_of(self.url, self.rival), fresh_name()
        execute(self.url, "UPDATE accounts SET username = $2 WHERE id = $1", account_id, name)
        self.former.add(self.rival.username)
        self.rival.username = name

    def publish(self):
        self.entries.append(self.enter())

    def withdraw(self):
        player, entry = self.entries.pop(0)
        assert post(player, f"/nugget/entries/{entry}/withdraw").status_code == 200

    def close(self):
        player = self.leaving.pop()
        assert post(player, "/me/close", password=PASSWORD).status_code == 204
        self.former.add(player.username)


def write_dump(site, folder):
    """Write a dump of a site, before each part of which something happens."""

    async def write():
        database = await Database.open(site.url, pool_size=2)
        dumps, following = Dumps(database), Next(DAY)
        await database.pool.execute("INSERT INTO dumps (day) VALUES ($1)", DAY)
        while following is not None:
            if site.acts:
                site.acts.pop(0)()
            following = await dumps.write(following)
        for name in FILES:
            _size, content = await dumps.file(DAY, name)
            (folder / name).write_bytes(b"".join([part async for part in content]))
        await database.close()

    run_coroutine(write())


def test_a_dump_of_a_busy_site_can_be_loaded(new_database, tmp_path, monkeypatch):
    site = BusySite(new_database("busy"))
    monkeypatch.setattr(writing, "ROWS", 3)
    try:
        write_dump(site, tmp_path)
    finally:
        site.server.stop()

    def rows(sheet):
        text = writing.text_of((tmp_path / f"{sheet}.jsonl.zst").read_bytes()).decode()
        return [json.loads(line) for line in text.splitlines()]

    assert not site.acts  # all has happened
    games = {game["id"] for game in rows("games")}
    assert games
    assert {score["game_id"] for score in rows("scores")} <= games
    assert {puzzle["game_id"] for puzzle in rows("puzzles")} <= games | {None}
    named = {row[side] for row in rows("games") for side in ("first", "second")}
    named |= {row["username"] for sheet in ("scores", "nugget_entries") for row in rows(sheet)}
    assert named - {row["username"] for row in rows("players")} <= site.former | {None}
    loaded = new_database("loaded")
    done = gorrion("load", tmp_path, database=loaded)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rows"] == {
        sheet: len(rows(sheet))
        for sheet in ("games", "scores", "nugget_entries", "nugget_ledger", "puzzles", "players")
    }
    assert fetch(loaded, "SELECT count(*) FROM scores WHERE is_best")[0] == 1
