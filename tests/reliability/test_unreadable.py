"""Stored rows that cannot be read hurt themselves only, whichever column of whichever table is damaged."""

import asyncio
import json
import re
from collections import Counter
from datetime import timedelta

import pytest
from websockets.exceptions import ConnectionClosed

from app.core.database.session import Database
from app.core.moments import utc_now
from app.core.realtime.hub import Hub
from app.core.settings import Settings
from app.core.supervisor import Supervisor
from app.play.games.service import Games
from app.server.backends.choice import choose
from app.server.features import FEATURES
from app.server.lifespan import create_parts, schedules
from engine.clock import control_from_dict
from tests.support import damage, plain_http
from tests.support.answers import code
from tests.support.commands import gorrion
from tests.support.database import execute, fetch
from tests.support.games import BLITZ, lost_rated_game, post, rated_game
from tests.support.nugget import new_record
from tests.support.players import Program, Visitor, fresh_name, make_old
from tests.support.ports import free_port
from tests.support.routes import calls, examples
from tests.support.server import start_server
from tests.support.threads import run_coroutine
from tests.support.waiting import wait_until
from tests.support.web_processes import web_processes

FREE = ("/api/v1/events", "/stream", "/static/", "/health", "/ledger", "openapi", "asyncapi", "/docs")
"""Parts of paths that answer without end, or that read no rows."""


DAYS = {"kind": "correspondence", "days": 3}
AT_RANDOM = ("/next", "/streak")
"""Ends of paths that lead to a row that was chosen at random."""


class World:
    """A server on which something is in every corner, and readers to whom nothing of it belongs."""

    def __init__(self, url, log):
        self.url, self.log = url, log
        self.server = start_server(url, log=log, bus="postgres")
        self.seed()

    def seed(self):
        server, url = self.server, self.url
        self.one, self.two, self.reader = one, two, reader = [Program(server) for _ in range(3)]
        make_old(url, one, two, reader)
        execute(url, "UPDATE accounts SET rights = '{organiser,moderator}' WHERE NOT is_computer")
        for _ in range(3):
            lost_rated_game(one, two, time_control=BLITZ)
        self.healthy = rated_game(one, two, time_control=DAYS)
        run_coroutine(self.begin_games(30))
        for program in (one, two):
            program.challenge(side="black")
            program.challenge(opponent=reader.username)
            post(program, "/ladders/jadejack/join")
            study = {"game": "jadejack", "title": "Study", "visibility": "public"}
            assert program.http.post("/studies", json=study).status_code == 201
            race = {"game": "up_and_up", "options": {"size": 4}, "minutes": 60}
            made = program.http.post("/races", json=race).json()["id"]
            post(two, f"/races/{made}/join")
            assert program.http.post("/nugget/entries", json={"boards": new_record(detours=4)}).is_success
            cup = {"name": fresh_name("Cup"), "kind": "arena", "minutes": 60, "game": "jadejack"}
            starts = {"starts_at": (utc_now() + timedelta(days=5)).isoformat()}
            made = program.http.post("/tournaments", json={**cup, **starts, "time_control": BLITZ})
            assert made.status_code == 201, made.text
            assert (
                program.http.post("/teams", json={"name": fresh_name("Team"), "text": "T"}).status_code == 201
            )
            assert program.http.post(f"/messages/{reader.username}", json={"text": "Hello"}).is_success
            line = {"room": "spectators", "text": "Look"}
            program.http.post(f"/games/{self.healthy}/chat", json=line)
            about = {"username": reader.username, "reason": "spam", "text": "Look there"}
            assert program.http.post("/reports", json=about).status_code == 201
        post(two, "/ladders/jadejack/challenges", opponent=one.username)
        execute(url, "UPDATE games SET ended_at = ended_at - interval '1 minute' WHERE ended_at IS NOT NULL")
        execute(url, "INSERT INTO accounts (username) SELECT 'bystander-' || n FROM generate_series(1, 20) n")
        run_coroutine(damage.copy_rows(url))
        self.page = Visitor(server)
        self.page.log_in(reader.username)

    async def begin_games(self, count):
        async with web_processes(self.url, 1) as (process,):
            rows = await process.database.pool.fetch(
                "SELECT id FROM accounts WHERE username = ANY($1)", [self.one.username, self.two.username]
            )
            for _ in range(count):
                players = [row["id"] for row in rows]
                await process.new_game(control=control_from_dict(DAYS), rated=True, players=players)

    def restart(self):
        """Start the server again, so that it remembers no rows."""
        self.server.stop()
        self.server = start_server(self.url, log=self.log, bus="postgres", port=self.server.port)

    def walk(self):
        """Return the answers of all pages and calls that need no id, and of those of the players."""
        visitor, answers = Visitor(self.server), {}
        names = [each.username for each in (self.one, self.two, self.reader)]
        for path in sorted(set(self.paths(names))):
            api = path.startswith("/api/v1")
            for who in (self.reader.http,) if api else (visitor.http, self.page.http):
                answers[path, who is self.page.http] = who.get(path.removeprefix("/api/v1") if api else path)
        return answers

    def paths(self, names):
        for call in calls():
            if call.method == "GET" and not any(part in call.path for part in FREE):
                path = call.path.replace("{username}", "{name}")
                if not re.search(r"\{\w+:(id|slug|competition|number|serial|square|action|relation)\}", path):
                    words = names if "{name}" in path else ["everybody", "all", "20"]
                    yield from examples(path, words)


@pytest.fixture(scope="module")
def world(new_database, tmp_path_factory):
    world = World(new_database("unreadable"), tmp_path_factory.mktemp("unreadable") / "log")
    yield world
    world.server.stop()


def test_what_is_damaged_is_left_out_and_everything_else_is_there(world):
    before = world.walk()
    assert max(answer.status_code for answer in before.values()) < 500
    damaged = run_coroutine(damage.damage(world.url))
    assert {"games", "moves", "puzzles", "tournaments", "notifications", "studies"} <= set(damaged)
    world.restart()
    after = world.walk()
    broken = {key: answer.status_code for key, answer in after.items() if answer.status_code >= 500}
    assert broken == {}
    gone = {}
    whole = whole_ids(world.url, damaged)
    for key, answer in before.items():
        if key[0].endswith(AT_RANDOM):
            continue
        lost = whole & set(re.findall(r"\w+", answer.text)) - set(re.findall(r"\w+", after[key].text))
        if lost:
            gone[key] = lost
    assert gone == {}
    for path in own_pages(damaged):
        for http in (world.page.http, world.reader.http):
            assert http.get(path).status_code in (200, 303, 403, 404, 405, 409), (path, http.base_url)
    assert run_coroutine(failed_schedules(world.url)) == []
    check_register(world)


def whole_ids(url, damaged):
    """Return the ids of rows that are not damaged."""
    return {
        row
        for name in (
            "games",
            "puzzles",
            "tournaments",
            "studies",
            "challenges",
            "races",
            "nugget_entries",
            "teams",
        )
        for row in fetch(url, f"SELECT coalesce(array_agg(id), '{{}}') FROM {name}")[0]
        if row not in damaged.get(name, ())
    }


def own_pages(damaged):
    pages = {
        "games": "/games/{}",
        "tournaments": "/tournaments/{}",
        "studies": "/studies/{}",
        "challenges": "/challenges/{}",
        "races": "/races/{}",
        "puzzles": "/puzzles/{}",
        "nugget_entries": "/nugget/entries/{}",
        "teams": "/teams/{}",
    }
    return [page.format(id_) for name, page in pages.items() for id_ in damaged.get(name, ())]


async def failed_schedules(url):
    """Run each schedule once, and return the names of those that fail."""
    settings = Settings(
        database_url=url,
        throttle="off",
        mail_host="127.0.0.1",
        mail_port=1,
        mail_sender="a@example.com",
        public_url="http://localhost",
    )
    database, hub = await Database.open(url, pool_size=4), Hub()
    backends = choose(settings, database, hub)
    supervisor = Supervisor(database.answers, list)
    parts = create_parts(settings, FEATURES, database, hub, backends, supervisor)
    journal = asyncio.create_task(parts.get(Games).journal.run())
    failed = []
    for schedule in schedules(FEATURES, parts):
        try:
            await schedule.function()
        except Exception as error:  # noqa: BLE001 - whatever it is, the test fails
            failed.append((schedule.name, repr(error)))
    journal.cancel()
    await database.close()
    return failed


def check_register(world):
    """Check that operators are told of each row, once."""
    count = "SELECT count(*) FROM unreadable_rows WHERE kind = 'games'"
    wait_until(lambda: fetch(world.url, count)[0] > 3)
    lines = [json.loads(line) for line in world.log.read_text().splitlines() if '"row_unreadable"' in line]
    assert set(Counter((line["kind"], line["id"]) for line in lines).values()) == {1}
    assert '"schedule_failed"' not in world.log.read_text()
    assert "What cannot be read" in world.page.http.get("/moderation").text


@pytest.fixture
def site(new_database, tmp_path):
    """Return a server with its metrics, and two players."""
    port = free_port()
    log = tmp_path / "log"
    server = start_server(new_database("site"), log=log, bus="postgres", metrics_port=str(port))
    server.metrics = f"http://127.0.0.1:{port}/metrics"
    yield server, Program(server), Program(server)
    server.stop()


def set_position(server, game, position):
    change = "UPDATE games SET position = $2, version = version + 1 WHERE id = $1"
    execute(server.database_url, change, game, position)


def test_only_the_readers_of_an_unreadable_game_are_sent_away(site):
    server, one, two = site
    games = [rated_game(one, two, time_control=BLITZ) for _ in range(4)]
    sockets = {game: [player.socket(game) for player in (one, two, one)] for game in games}
    damaged, *others = games
    set_position(server, damaged, "damaged")
    execute(
        server.database_url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ILIKE 'LISTEN%' "
        "AND datname = current_database() AND pid <> pg_backend_pid()",
    )
    for socket in sockets[damaged]:
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                socket.receive()
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4409, "")
    with pytest.raises(ConnectionClosed) as closed:
        one.socket(damaged).receive()
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4409, "unreadable")
    for game in others:
        assert one.move(game, "c4", 0).status_code == 200
        for socket in sockets[game]:
            socket.receive_ply(1)
    assert code(one.move(damaged, "c4", 0)) == (409, "unreadable")
    log = server.log.read_text()
    assert "feed_failed" not in log
    assert "Traceback" not in log


def test_operators_are_told_of_a_row_until_it_is_read_again(site):
    server, one, two = site
    game = rated_game(one, two, time_control=BLITZ)
    position = fetch(server.database_url, "SELECT position FROM games WHERE id = $1", game)[0]

    def told():
        return fetch(server.database_url, "SELECT kind, id FROM unreadable_rows")

    for repaired_by in ("its reader", "check-games"):
        set_position(server, game, "damaged")
        assert code(one.http.get(f"/games/{game}")) == (409, "unreadable")
        assert tuple(wait_until(told)) == ("games", game)
        wait_until(lambda: 'gorrion_unreadable_rows{kind="games"} 1.0' in plain_http.get(server.metrics).text)
        examined = gorrion("doctor", database=server.database_url)
        assert examined.returncode == 1
        assert f"fail  stored rows: cannot be read: games {game} (MoveSyntaxError" in examined.stdout
        set_position(server, game, position)
        if repaired_by == "check-games":
            assert gorrion("check-games", "--processes", 1, database=server.database_url).returncode == 0
            assert told() is None
        else:
            assert one.http.get(f"/games/{game}").status_code == 200
            wait_until(lambda: one.http.get(f"/games/{game}").status_code == 200 and told() is None)
        wait_until(lambda: "gorrion_unreadable_rows{" not in plain_http.get(server.metrics).text)
    lines = [line for line in server.log.read_text().splitlines() if "row_unreadable" in line]
    assert len(lines) == 2  # once for each time that it was damaged


def test_a_clock_that_cannot_be_read_rests_and_holds_up_no_other(site, clock):
    server, one, two = site
    games = [rated_game(one, two, time_control=BLITZ) for _ in range(3)]
    set_position(server, games[0], "damaged")
    clock.advance(minutes=2)  # nobody has made the first move
    for game in games[1:]:
        wait_until(lambda game=game: one.snapshot(game)["result"])
    assert "flag_failed" not in server.log.read_text()
