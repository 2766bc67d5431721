"""Dumps: they have what is public and nothing else, and can be loaded into an empty server."""

import asyncio
import hashlib
import json
import subprocess
from datetime import UTC, date, datetime
from itertools import permutations

import pytest

from app.core.database.session import Database
from app.core.jobs.queue import Queue
from app.core.jobs.worker import Job
from app.core.realtime.bus import MemoryBus
from app.core.realtime.hub import Hub
from app.site.dumps import writing
from app.site.dumps.service import FILES, WRITE, Dumps, Next
from app.site.dumps.sheets import SHEETS
from app.site.dumps.work import JOBS
from tests.support.accounts import id_of
from tests.support.commands import gorrion
from tests.support.database import execute, fetch
from tests.support.games import lost_rated_game, post, stand_against_computer
from tests.support.moderation import make_moderator
from tests.support.nugget import commit, new_record, reveal, sealed
from tests.support.players import PASSWORD, Program, Visitor
from tests.support.server import start_server
from tests.support.solitaire import begin, play, random_games, submit
from tests.support.threads import run_coroutine

MOVES = next(iter(random_games("up_and_up", 3).values()))


def enter(program, detours, *, publishes):
    """Submit a record of Golden Nugget and return the id of its entry."""
    entry = post(program, "/nugget/entries", boards=new_record(detours)).json()["id"]
    if publishes:
        assert program.http.post(f"/nugget/entries/{entry}/publish").status_code == 200
    return entry


class Site:
    """A server with something of each kind to dump, and something of each kind to leave out."""

    def __init__(self, url):
        self.url, self.server = url, start_server(url, bus="postgres")
        names = ("here", "there", "gone", "kept", "guest")
        self.players = {name: Program(self.server) for name in names}
        here, there, gone, kept, guest = self.players.values()
        self.public = {lost_rated_game(here, there), lost_rated_game(gone, guest)}
        self.public |= {submit(here, "up_and_up", 3, MOVES), submit(kept, "up_and_up", 3, MOVES)}
        self.entries = {enter(here, 3, publishes=True), enter(kept, 4, publishes=True)}
        self.secret = {enter(there, 5, publishes=False), enter(gone, 6, publishes=True)}
        self.entries.add(self.revealed(here))
        for player, file in ((there, sealed(new_record(9))), (gone, sealed(new_record(9)))):
            commit(player, file)
        self.secret |= {self.withdrawn(there), self.sealed(here)}
        self.secret |= {self.under_way(here, there), self.not_submitted(here), self.voided(here, there)}
        self.secret.add(self.in_race(here))
        self.helped = {
            self.won_with_help(here, "INSERT INTO helped_games (game_id) VALUES ($1)"),
            self.won_with_help(there, "UPDATE games SET taken_back_to = 0 WHERE id = $1"),
        }
        self.public |= self.helped
        for program, members in ((gone, {}), (kept, {"keep_results": True})):
            assert post(program, "/me/close", password=PASSWORD, **members).status_code == 204
        execute(url, "UPDATE accounts SET password_hash = NULL WHERE id = $1", id_of(url, guest))

    def revealed(self, player):
        file = sealed(new_record(9))
        entry = reveal(player, commit(player, file), file).json()["id"]
        assert player.http.post(f"/nugget/entries/{entry}/publish").status_code == 200
        return entry

    def withdrawn(self, player):
        entry = enter(player, 7, publishes=True)
        assert player.http.post(f"/nugget/entries/{entry}/withdraw").status_code == 200
        return entry

    def sealed(self, player):
        entry = enter(player, 8, publishes=True)
        execute(
            self.url,
            "INSERT INTO nugget_competitions"
            " (id, title, text, starts_at, ends_at, min_boards, max_boards, visibility)"
            " VALUES ('cup', 'Cup', '', now() - interval '1 h', now() + interval '1 h', 20, 20, 'sealed')",
        )
        execute(self.url, "UPDATE nugget_entries SET competition_id = 'cup' WHERE id = $1", entry)
        return entry

    def under_way(self, black, white):
        made = black.challenge(opponent=white.username, side="black")
        return white.http.post(f"/challenges/{made.json()['id']}/accept").json()["game_id"]

    def not_submitted(self, player):
        game = begin(player, "up_and_up", 3)
        play(player, game, MOVES)
        return game

    def voided(self, loser, winner):
        game = lost_rated_game(loser, winner)
        order = {"username": winner.username, "action": "void_game", "subject": f"game:{game}", "reason": "x"}
        moderator = make_moderator(self.url, Program(self.server))
        assert post(moderator, "/moderation/actions", **order).is_success
        return game

    def won_with_help(self, player, help_):
        game = stand_against_computer(self.url, player.username, ("c4", "f6"))
        result = "status = 'finished', winner_seat = 0, termination = 'resign', ended_at = now()"
        execute(self.url, f"UPDATE games SET {result}, first_ply = 0 WHERE id = $1", game)
        execute(self.url, help_, game)
        return game

    def in_race(self, player):
        race = post(player, "/races", game="up_and_up", options={"size": 3}, minutes=60).json()["id"]
        game = post(player, f"/races/{race}/join").json()["game_id"]
        columns = "status = 'finished', submitted = true, ended_at = now(), termination = 'no_move'"
        execute(self.url, f"UPDATE games SET {columns} WHERE id = $1", game)
        return game


@pytest.fixture(scope="module")
def site(new_database):
    site = Site(new_database("dumps"))
    yield site
    site.server.stop()


@pytest.fixture(scope="module")
def dump(site, tmp_path_factory):
    """A dump of the site as files."""
    return dumped(site.url, tmp_path_factory.mktemp("dumps") / "dump")


@pytest.fixture
def empty(empty_database):
    """A database without tables."""
    return empty_database("empty")


@pytest.fixture(scope="module")
def loaded(dump, new_database):
    """A database into which the dump was loaded."""
    url = new_database("loaded")
    done = gorrion("load", dump, database=url)
    assert done.returncode == 0, done.stderr
    return url


def dumped(url, folder):
    done = gorrion("dump", folder, database=url)
    assert done.returncode == 0, done.stderr
    return folder


def rows_of(folder, name):
    text = writing.text_of((folder / f"{name}.jsonl.zst").read_bytes()).decode()
    return [json.loads(line) for line in text.splitlines()]


def everything_in(folder):
    return "".join(writing.text_of(path.read_bytes()).decode() for path in folder.glob("*.zst"))


def test_a_dump_has_what_is_public_and_nothing_else(site, dump):
    assert {row["id"] for row in rows_of(dump, "games")} == site.public
    assert {row["id"] for row in rows_of(dump, "games") if row["helped"]} == site.helped
    assert {row["id"] for row in rows_of(dump, "nugget_entries")} == site.entries
    assert {row["game_id"] for row in rows_of(dump, "scores")} < site.public
    names = {site.players[name].username for name in ("here", "there")}
    assert names <= {row["username"] for row in rows_of(dump, "players")}
    text = everything_in(dump)
    assert all(name in text for name in names)
    for name in ("gone", "kept", "guest"):
        assert site.players[name].username not in text, name
    links = [line for line in text.splitlines() if '"sequence"' in line]
    without_ledger = "".join(line for line in text.splitlines() if line not in links)
    in_ledger = {row["entry"] for row in rows_of(dump, "nugget_ledger")}
    for secret in site.secret:
        assert secret not in without_ledger or secret in in_ledger, secret
    secrets = ("password_hash", "token_hash")
    stored = [
        fetch(site.url, f"SELECT {name} FROM {table} LIMIT 1")[0]
        for name, table in zip(secrets, ("accounts WHERE password_hash LIKE '$%'", "api_tokens"), strict=True)
    ]
    assert all(str(value) not in text for value in stored)


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_the_rows_of_each_sheet_follow_its_schema(dump, sheet):
    told = json.loads((dump / "manifest.json").read_text())
    (shown,) = (each for each in told["sheets"] if each["name"] == sheet.name)
    rows = rows_of(dump, sheet.name)
    assert rows or sheet.name == "puzzles"
    assert len(rows) == shown["rows"]
    for row in rows:
        assert list(row) == list(shown["schema"]["properties"])
        sheet.schema.model_validate_json(json.dumps(row))
    table = writing.text_of((dump / f"{sheet.name}.csv.zst").read_bytes()).decode()
    assert table.splitlines()[0].split(",") == sheet.members


def test_a_dump_tells_its_checksums_and_its_licence(dump):
    assert {path.name for path in dump.iterdir()} == set(FILES)
    assert json.loads((dump / "manifest.json").read_text())["licence"] == "CC0-1.0"
    checked = subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=dump, check=False)
    assert checked.returncode == 0


def test_a_loaded_dump_dumps_the_same(dump, empty, tmp_path):
    done = gorrion("load", dump, database=empty)
    assert done.returncode == 0, done.stderr
    again = dumped(empty, tmp_path / "again")
    for sheet in SHEETS:
        before, after = rows_of(dump, sheet.name), rows_of(again, sheet.name)
        if sheet.name == "scores":  # results without a name are not ranked
            before = [{**row, "is_best": row["is_best"] and row["username"] is not None} for row in before]
        assert after == before, sheet.name
    checked = gorrion("check-games", database=empty)
    assert checked.returncode == 0, checked.stderr
    server = start_server(empty)
    try:
        shown = Program(server).http.get("/leaderboards/golden_nugget").json()
        assert len(shown["rows"]) == 1
    finally:
        server.stop()


@pytest.mark.parametrize(
    ("table", "columns"),
    [
        ("ratings", "game, rating, deviation, volatility, games, opponents, updated_at"),
        ("rating_changes", "game_id, before, after, deviation, volatility, changed_at, counted, counted_in"),
        ("awards", "achievement, proof, earned_at"),
    ],
)
def test_what_follows_from_the_games_is_computed_after_loading(site, dump, loaded, table, columns):
    names = [site.players[name].username for name in ("here", "there")]
    query = (
        f"SELECT array_agg(row(username, {columns})::text ORDER BY username, row({columns})::text)"
        f" FROM {table} JOIN accounts ON accounts.id = account_id WHERE username = ANY($1)"
        # What only secret games and entries prove is not in a dump.
        + (" AND proof = ANY($2)" if table == "awards" else "")
    )
    public = {f"game:{each}" for each in site.public} | {f"entry:{each}" for each in site.entries}
    values = (names, list(public)) if table == "awards" else (names,)
    execute(site.url, "UPDATE award_marks SET judged_until = now()")  # some time later
    assert gorrion("achievements", database=site.url).returncode == 0
    (expected,) = fetch(site.url, query, *values)
    assert expected
    assert fetch(loaded, query, *values)[0] == expected


def test_a_dump_is_loaded_into_an_empty_server_only(site, dump):
    refused = gorrion("load", dump, database=site.url)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "already" in refused.stderr


@pytest.mark.parametrize("name", ["games.jsonl.zst", "nugget_ledger.jsonl.zst"])
def test_a_damaged_dump_is_not_loaded(dump, empty, tmp_path, name):
    for path in dump.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    damaged = bytearray((tmp_path / name).read_bytes())
    damaged[-1] ^= 1
    (tmp_path / name).write_bytes(damaged)
    refused = gorrion("load", tmp_path, database=empty)
    assert refused.returncode == 1
    assert f"{name} is damaged" in refused.stderr


def test_a_dump_is_not_written_into_a_folder_with_files(site, dump):
    assert "not empty" in gorrion("dump", dump, database=site.url).stderr


def test_a_row_that_cannot_be_read_is_left_out(site, dump, tmp_path):
    last = "UPDATE nugget_ledger SET line = $1 WHERE sequence = (SELECT max(sequence) FROM nugget_ledger)"
    line = fetch(site.url, "SELECT line FROM nugget_ledger ORDER BY sequence DESC LIMIT 1")[0]
    execute(site.url, last, "damaged")
    try:
        without = dumped(site.url, tmp_path / "dump")
    finally:
        execute(site.url, last, line)
    assert rows_of(without, "nugget_ledger") == rows_of(dump, "nugget_ledger")[:-1]
    counts = json.loads((without / writing.MANIFEST).read_text())["sheets"]
    assert {each["name"]: each["rows"] for each in counts} == {
        sheet.name: len(rows_of(without, sheet.name)) for sheet in SHEETS
    }


def test_workers_write_the_dump_of_the_night_part_by_part(site, dump, monkeypatch):
    monkeypatch.setattr(writing, "ROWS", 2)

    async def write():
        database = await Database.open(site.url, pool_size=2)
        queue = Queue(database, MemoryBus(Hub()), Hub())
        await Dumps(database).begin(queue)
        await Dumps(database).begin(queue)  # once a day
        parts = 0
        claim = "DELETE FROM pgqueuer WHERE entrypoint = $1 RETURNING payload"
        while waiting := await database.pool.fetch(claim, WRITE):
            (row,) = waiting
            await JOBS[WRITE](Job(json.loads(row["payload"]), attempts=1), database, queue)
            parts += 1
        await database.close()
        return parts

    assert run_coroutine(write()) > len(SHEETS)
    reader = Program(site.server)
    (shown,) = reader.http.get("/dumps").json()["dumps"]
    assert shown["day"] == f"{datetime.now(UTC):%Y-%m-%d}"
    for sheet in shown["sheets"]:
        for file in sheet["files"]:
            answer = reader.http.get(file["url"].removeprefix("/api/v1"))
            assert hashlib.sha256(answer.content).hexdigest() == file["sha256"]
            assert len(answer.content) == file["bytes"]
            if ".jsonl" in file["name"] and sheet["name"] != "players":  # who has registered since
                lines = writing.text_of(answer.content).splitlines()
                assert [json.loads(line) for line in lines] == rows_of(dump, sheet["name"])
                assert len(lines) == sheet["rows"]
    page = Visitor(site.server).http.get("/dumps").text
    assert shown["manifest"] in page
    assert reader.http.get("/dumps/2001-01-01/SHA256SUMS").status_code == 404
    assert reader.http.get("/dumps/2001-99-99/SHA256SUMS").status_code == 404


DAYS = [date(2030, 1, number) for number in range(1, 5)]


def test_the_last_two_complete_dumps_are_kept_in_whatever_order_they_are_completed(site):
    async def complete(dumps, day):
        following = Next(day, SHEETS[-1].name)
        while following is not None:
            following = await dumps.write(following)
        return [dump.day for dump in await dumps.done()]

    async def complete_in_all_orders():
        database = await Database.open(site.url, pool_size=2)
        dumps = Dumps(database)
        for order in permutations(DAYS):
            await database.pool.execute("DELETE FROM dumps")
            await database.pool.executemany("INSERT INTO dumps (day) VALUES ($1)", [(day,) for day in DAYS])
            kept = []
            for day in order:
                # One that is late has been deleted.
                expected = kept if kept and day < kept[0] else [day, *kept][:2]
                kept = await complete(dumps, day)
                assert kept == expected, order
        await database.close()

    run_coroutine(complete_in_all_orders())


def test_a_complete_dump_is_not_written_again(site):
    async def write_twice():
        database = await Database.open(site.url, pool_size=2)
        dumps, last = Dumps(database), Next(DAYS[0], SHEETS[-1].name)
        await database.pool.execute("DELETE FROM dumps")
        await database.pool.execute("INSERT INTO dumps (day) VALUES ($1)", DAYS[0])
        following = last
        while following is not None:
            following = await dumps.write(following)
        read = "SELECT file, number, data FROM dump_parts ORDER BY file, number"
        before = await database.pool.fetch(read)
        await asyncio.to_thread(Program, site.server)  # somebody registers
        assert await dumps.write(last) is None
        assert await database.pool.fetch(read) == before
        await database.close()

    run_coroutine(write_twice())
