"""What is sent twice is done once: all requests that make something, in turn and at the same time."""

import base64
import json
import os
import re
import secrets
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import cached_property
from http.client import HTTPConnection
from inspect import unwrap
from urllib.parse import urlencode

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from httpx import ASGITransport, AsyncClient
from starlette.responses import Response

from app.core.database.once import Errand, current
from app.core.database.session import Database
from app.core.errors import ConflictError
from app.core.moments import utc_now
from app.core.parts import Parts
from app.core.settings import Settings
from app.core.web import once
from app.core.web.once import delete_old_keys
from app.core.web.throttle import Limit, PostgresCounts, Throttle
from app.learn.lessons.courses import COURSES
from app.learn.puzzles.collection import id_of
from app.people.identity.service import identify_token, use_session
from engine.puzzles.shipped import shipped
from tests.support import plain_http
from tests.support.accounts import grant
from tests.support.answers import code
from tests.support.database import execute, fetch
from tests.support.games import lost_rated_game, post
from tests.support.lessons import solution
from tests.support.nugget import commit, new_record, run_of, sealed, text_of
from tests.support.players import PASSWORD, Program, Visitor, fresh_name, make_old
from tests.support.reach import tables_filled_by
from tests.support.routes import calls
from tests.support.threads import run_coroutine
from tests.support.tournaments import BULLET
from tests.support.waiting import wait_until


class Scene:
    """A server with its players, who make things."""

    def __init__(self, server):
        self.server = server
        self.url = server.database_url
        self.program, self.other = Program(server), Program(server)
        lost_rated_game(self.program, self.other)
        owner = Visitor(server).log_in(self.program.username)
        self.owner = owner  # the pages of `program`
        grant(self.url, self.program, "administrator", "moderator", "organiser")
        make_old(self.url, self.program, self.other)
        self.cup  # noqa: B018 - before any tournament is cancelled

    def number(self, table):
        """Return how many rows a table has."""
        return fetch(self.url, f"SELECT count(*) FROM {table}")[0]

    def game(self):
        """Return a game that is over, between the two programs."""
        game = self.other.begin(self.program, side="black")
        assert self.other.move(game, "c4", 0).status_code == 200
        assert self.program.move(game, "g6", 1).status_code == 200
        return game

    def over(self):
        """Return a game that `program` has resigned."""
        game = self.game()
        assert post(self.program, f"/games/{game}/resign").status_code == 200
        return game

    def run(self, boards=0):
        """Return a run of `program`, with some solved boards."""
        return run_of(self.program, new_record(15)[:boards])

    def reveal(self):
        """Return the path that reveals a commitment of `program`, and the file."""
        file = sealed(new_record(20))
        return f"/nugget/commitments/{commit(self.program, file)['id']}/reveal", file

    def challenge(self):
        """Return an open challenge of `other`."""
        return post(self.other, "/challenges", **JADEJACK, opponent="link").json()["id"]

    def searcher(self):
        """Return the name of `other`, who looks for a game that nobody else wants."""
        assert self.other.http.put("/me/search", json={"wanted": [WANTED]}).is_success
        return self.other.username

    def race(self):
        """Return a race of `other`."""
        return post(self.other, "/races", **ALONE, minutes=10).json()["id"]

    def waiting_race(self):
        """Return a race that waits for its maker, who has joined it."""
        return post(self.program, "/races", **ALONE, minutes=10, starts="later").json()["id"]

    def team(self):
        """Return a team of `program`."""
        return post(self.program, "/teams", name=fresh_name("Team"), join="open").json()["id"]

    def ladder(self, challenger, defender):
        """Put two players on a ladder where nobody else plays, and return the body of a challenge."""
        for table in ("ladder_challenges", "ladder_changes", "ladder_players"):
            execute(self.url, f"DELETE FROM {table}")
        for player in (defender, challenger):
            post(player, "/ladders/jadejack/join")
        return {"opponent": defender.username}

    def ladder_challenge(self):
        """Return a challenge of `other` to `program` on the ladder."""
        body = self.ladder(self.other, self.program)
        return post(self.other, "/ladders/jadejack/challenges", **body).json()["id"]

    def warning(self):
        """Return a moderator's action that `program` may answer."""
        warn = """
            INSERT INTO moderation_actions (moderator_id, account_id, action, reason)
            SELECT other.id, player.id, 'warn', 'Be kind.' FROM accounts other, accounts player
            WHERE other.username = $1 AND player.username = $2 RETURNING id
        """
        return fetch(self.url, warn, self.other.username, self.program.username)[0]

    def appeal(self):
        """Return the path and the form by which a player whose account was closed answers."""
        closed = Program(self.server)
        order = {"username": closed.username, "action": "close", "reason": "Spam."}
        action = post(self.program, "/moderation/actions", **order).json()["id"]
        refused = post(closed, "/tokens", username=closed.username, password=PASSWORD).json()
        return f"/appeal/{action}", {"text": "Not me.", "token": refused["appeal"].partition("=")[2]}

    @cached_property
    def cup(self):
        made = post(self.other, "/tournaments", **tournament())
        assert made.status_code == 201, made.text
        return made.json()["id"]


def tournament():
    return {
        "name": fresh_name("Cup"),
        "kind": "swiss",
        "rounds": 3,
        "game": "jadejack",
        "options": {"size": 8},
        "time_control": BULLET,
        "starts_at": (utc_now() + timedelta(hours=1)).isoformat(),
    }


def competition():
    return {
        "title": fresh_name("Spring cup"),
        "starts_at": (utc_now() + timedelta(hours=1)).isoformat(),
        "ends_at": (utc_now() + timedelta(hours=2)).isoformat(),
    }


def device():
    point = generate_private_key(SECP256R1()).public_key()
    keys = {
        "p256dh": point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint),
        "auth": os.urandom(16),
    }
    shown = {name: base64.urlsafe_b64encode(value).rstrip(b"=").decode() for name, value in keys.items()}
    return {"endpoint": f"https://push.example.com/{uuid.uuid4()}", "keys": shown}


def credentials():
    return {"username": fresh_name(), "password": PASSWORD}


def study():
    return {"game": "jadejack", "title": fresh_name("Study"), "options": {"size": 9}, "tree": "c4"}


def lesson():
    course = COURSES["jadejack"]
    step = course.steps[0]
    return f"/learn/jadejack/{step.key}", {"move": solution(course, step)}


def puzzle():
    """Return the path of a puzzle and the form of a try that fails."""
    [first, *_] = shipped("jadejack")
    moves = first.rules.legal_moves(first.rules.parse(first.position))
    return f"/puzzles/{id_of(first)}", {"move": next(move for move in moves if move != first.solution[0])}


JADEJACK = {"game": "jadejack", "options": {"size": 9}}
WANTED = {"game": "jadejack", "options": {"size": 13, "komi": -5}, "time_control": None}
ALONE = {"game": "up_and_up", "options": {"size": 8}}

# Each request that makes something, by the path of its route: its own path and its body.
BY_PROGRAMS = {
    "/accounts": lambda _: ("/accounts", credentials()),
    "/tokens": lambda scene: ("/tokens", {"username": scene.program.username, "password": PASSWORD}),
    "/teams": lambda _: ("/teams", {"name": fresh_name("Team"), "join": "open"}),
    "/challenges": lambda _: ("/challenges", {**JADEJACK, "opponent": "link"}),
    "/games/{game_id:id}/play-on": lambda scene: (f"/games/{scene.over()}/play-on", {"ply": 2, "level": 1}),
    "/reports": lambda scene: ("/reports", {"username": Program(scene.server).username, "reason": "spam"}),
    "/moderation/actions": lambda scene: (
        "/moderation/actions",
        {"username": scene.other.username, "action": "warn", "reason": "Be kind."},
    ),
    "/nugget/entries": lambda _: ("/nugget/entries", {"boards": new_record(20)}),
    "/nugget/commitments": lambda _: ("/nugget/commitments", {"sha256": secrets.token_hex(32)}),
    "/nugget/commitments/{commitment_id:id}/reveal": lambda scene: scene.reveal(),
    "/nugget/runs": lambda _: ("/nugget/runs", {"name": "Evening run"}),
    "/nugget/tree/{node:node}/runs": lambda _: ("/nugget/tree/start/runs", {}),
    "/nugget/runs/{run_id:id}/fork": lambda scene: (f"/nugget/runs/{scene.run()}/fork", {"board": 1}),
    "/nugget/runs/{run_id:id}/submit": lambda scene: (f"/nugget/runs/{scene.run(20)}/submit", {"boards": 20}),
    "/nugget/competitions": lambda _: ("/nugget/competitions", competition()),
    "/tournaments": lambda _: ("/tournaments", tournament()),
    "/tournaments/{tournament_id:id}/chat": lambda scene: (
        f"/tournaments/{scene.cup}/chat",
        {"text": "Hello"},
    ),
    "/games/{game_id:id}/chat": lambda scene: (
        f"/games/{scene.game()}/chat",
        {"room": "players", "greeting": "hello"},
    ),
    "/ladders/{game:game}/challenges": lambda scene: (
        "/ladders/jadejack/challenges",
        scene.ladder(scene.program, scene.other),
    ),
    "/ladders/{game:game}/challenges/{challenge_id:id}/accept": lambda scene: (
        f"/ladders/jadejack/challenges/{scene.ladder_challenge()}/accept",
        {},
    ),
    "/challenges/pair": lambda _: ("/challenges/pair", JADEJACK),
    "/challenges/{challenge_id:id}/accept": lambda scene: (f"/challenges/{scene.challenge()}/accept", {}),
    "/searches/{username}/accept": lambda scene: (f"/searches/{scene.searcher()}/accept", WANTED),
    "/games/{game_id:id}/rematch": lambda scene: (f"/games/{scene.over()}/rematch", {}),
    "/races/{race_id:id}/join": lambda scene: (f"/races/{scene.race()}/join", {}),
    "/races/{race_id:id}/start": lambda scene: (f"/races/{scene.waiting_race()}/start", {}),
    "/teams/{team_id:id}/chat": lambda scene: (f"/teams/{scene.team()}/chat", {"text": "Hello"}),
    "/me/moderation/{action_id:serial}/answer": lambda scene: (
        f"/me/moderation/{scene.warning()}/answer",
        {"text": "Sorry."},
    ),
    "/studies": lambda _: ("/studies", study()),
    "/games": lambda _: ("/games", ALONE),
    "/races": lambda _: ("/races", {**ALONE, "minutes": 10}),
    "/me/devices": lambda _: ("/me/devices", device()),
    "/messages/{username}": lambda scene: (f"/messages/{scene.other.username}", {"text": "Another game?"}),
}
# The same puzzle again, if a worker finds one; the one board of a game; and the one try of a day.
_ALWAYS_ONCE = {
    "/games/{game_id:id}/together",
    "/games/{game_id:id}/puzzle",
    "/nugget/daily/tries",
    "/solitaire/daily/{game:solo}/play",
}
_SAME_BODY = (
    "/challenges/{challenge_id:id}/accept",
    "/games/{game_id:id}/rematch",
    "/ladders/{game:game}/challenges",
    "/ladders/{game:game}/challenges/{challenge_id:id}/accept",
    "/nugget/commitments",
    "/nugget/commitments/{commitment_id:id}/reveal",
    "/nugget/competitions",
    "/races/{race_id:id}/join",
    "/races/{race_id:id}/start",
    "/teams/{team_id:id}/chat",
)
BY_FORMS = {
    "/challenges": lambda _: ("/challenges", {"size": "9", "side": "black", "opponent_kind": "link"}),
    "/challenges/computer": lambda _: ("/challenges/computer", {"game": "jadejack", "level": "1"}),
    "/games/{game_id:id}/play-on": lambda scene: (
        f"/games/{scene.over()}/play-on",
        {"ply": "2", "level": "1"},
    ),
    "/games/{game_id:id}/chat": lambda scene: (
        f"/games/{scene.game()}/chat",
        {"room": "players", "text": "Hi"},
    ),
    "/games/{game_id:id}/together": lambda scene: (f"/games/{scene.over()}/together", {}),
    "/challenges/pair": lambda _: ("/challenges/pair", {"time": "5+5"}),
    "/solitaire": lambda _: ("/solitaire", {"game": "up_and_up"}),
    "/races": lambda _: ("/races", {"game": "up_and_up"}),
    "/studies": lambda _: ("/studies", {"game": "up_and_up", "title": "Sent by a form"}),
    "/messages/{username}": lambda scene: (f"/messages/{scene.other.username}", {"text": "Another game?"}),
    "/nugget/runs": lambda _: ("/nugget/runs", {}),
    "/nugget/tree/{node:node}/runs": lambda _: ("/nugget/tree/start/runs", {}),
    "/nugget/runs/{run_id:id}/fork": lambda scene: (f"/nugget/runs/{scene.run()}/fork", {"board": "1"}),
    "/nugget/runs/{run_id:id}/submit": lambda scene: (
        f"/nugget/runs/{scene.run(20)}/submit",
        {"boards": "20", "version": "20"},
    ),
    "/nugget/submit": lambda _: ("/nugget/submit", {"intent": "submit", "record": text_of(new_record(20))}),
    "/notifications/devices": lambda _: ("/notifications/devices", {"subscription": json.dumps(device())}),
    "/moderation/players/{username}": lambda scene: (
        f"/moderation/players/{scene.other.username}",
        {"action": "warn", "reason": "Be kind."},
    ),
    "/account/moderation/{action_id:serial}": lambda scene: (
        f"/account/moderation/{scene.warning()}",
        {"text": "Sorry."},
    ),
    "/report": lambda scene: ("/report", {"username": Program(scene.server).username, "reason": "spam"}),
    "/teams/new": lambda _: ("/teams/new", {"name": fresh_name("Team"), "join": "open"}),
    "/tournaments/new": lambda _: (
        "/tournaments/new",
        {
            "name": fresh_name("Cup"),
            "kind": "swiss",
            "swiss_rounds": "3",
            "game": "jadejack",
            "size": "8",
            "clock": "realtime",
            "minutes": "3",
            "increment": "2",
            "starts_at": (utc_now() + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M"),
        },
    ),
    "/tournaments/{tournament_id:id}/chat": lambda scene: (
        f"/tournaments/{scene.cup}/chat",
        {"text": "Hello"},
    ),
    "/admin/invitations": lambda _: (
        "/admin/invitations",
        {"most": "5", "invited_until": (utc_now() + timedelta(days=7)).strftime("%Y-%m-%dT%H:%M")},
    ),
    "/admin/names": lambda _: ("/admin/names", {"name": fresh_name("kept")}),
    "/account/tokens": lambda _: ("/account/tokens", {"name": "Bot", "scope": "play"}),
    "/pairing/{username}/accept": lambda scene: (
        f"/pairing/{scene.searcher()}/accept",
        {"wanted": json.dumps(WANTED)},
    ),
    **{path: BY_PROGRAMS[path] for path in _SAME_BODY},
}
BY_VISITORS = {
    "/challenges/computer": lambda _: ("/challenges/computer", {"game": "jadejack", "level": "1"}),
    "/races": lambda _: ("/races", {"game": "up_and_up"}),
    "/solitaire": lambda _: ("/solitaire", {"game": "up_and_up"}),
    "/nugget/runs": lambda _: ("/nugget/runs", {}),
    "/nugget/tree/{node:node}/runs": lambda _: ("/nugget/tree/start/runs", {}),
    "/nugget/daily/begin": lambda _: ("/nugget/daily/begin", {}),
    "/solitaire/daily/{game:solo}/play": lambda _: ("/solitaire/daily/up_and_up/play", {}),
    "/pairing": lambda _: ("/pairing", {"clock 5+3": "yes", "board jadejack 12": "yes"}),
    "/register": lambda _: ("/register", credentials()),
    "/guest": lambda _: ("/guest", {}),
    "/learn/{game:course}/{step:slug}": lambda _: lesson(),
    "/puzzles/{puzzle_id:id}": lambda _: puzzle(),
    "/appeal/{action_id:serial}": lambda scene: scene.appeal(),
}
# Where they make it, by the last fixed words of their paths.
TABLES = {
    "accounts": "accounts",
    "learn": "accounts",
    "puzzles": "accounts",
    "register": "accounts",
    "guest": "accounts",
    "tokens": "api_tokens",
    "invitations": "invitations",
    "names": "reserved_names",
    "games": "games",
    "accept": "games",
    "join": "games",
    "start": "games",
    "play-on": "games",
    "play": "games",
    "computer": "games",
    "solitaire": "games",
    "races": "races",
    "challenges": "challenges",
    "pair": "challenges",
    "pairing": "accounts",
    "rematch": "challenges",
    "teams": "teams",
    "tournaments": "tournaments",
    "reports": "reports",
    "report": "reports",
    "answer": "reports",
    "appeal": "reports",
    "moderation": "reports",
    "actions": "moderation_actions",
    "players": "moderation_actions",
    "devices": "push_devices",
    "entries": "nugget_entries",
    "submit": "nugget_entries",
    "runs": "nugget_runs",
    "fork": "nugget_runs",
    "commitments": "nugget_commitments",
    "reveal": "nugget_entries",
    "begin": "accounts",
    "competitions": "nugget_competitions",
    "chat": "chat_messages",
    "studies": "studies",
    "together": "studies",
    "messages": "messages",
}


def table_of(path):
    if path == "/ladders/{game:game}/challenges":
        return "ladder_challenges"
    return TABLES[[word for word in path.removesuffix("/new").split("/") if "{" not in word][-1]]


MAKERS = [
    pytest.param(sender, make, table_of(path), id=f"{sender} {path}")
    for sender, makers in (("program", BY_PROGRAMS), ("owner", BY_FORMS), ("visitor", BY_VISITORS))
    for path, make in makers.items()
]


@pytest.fixture
def scene(two_workers):
    return Scene(two_workers)


def with_file(key, file):
    """Return the type and the content of a form with a key and a file."""
    named = 'Content-Disposition: form-data; name="{}"'
    once = f"--end\r\n{named.format('once')}\r\n\r\n{key}\r\n"
    head = f'--end\r\n{named.format("file")}; filename="file"\r\n\r\n'
    return "multipart/form-data; boundary=end", (once + head).encode() + file + b"\r\n--end--\r\n"


def sender_of(scene, sender, path, body):
    """Return a function that sends a request with a key as often as it is called."""
    key = uuid.uuid4().hex

    def send(_=0):
        if sender == "program":
            headers = {"Authorization": f"Bearer {scene.program.token}", "Idempotency-Key": key}
            sent = {"content": body} if isinstance(body, bytes) else {"json": body}
            return plain_http.post(f"{scene.server.url}/api/v1{path}", headers=headers, **sent)
        cookies = scene.owner.http.cookies if sender == "owner" else None
        form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": scene.server.url}
        if isinstance(body, bytes):
            form["Content-Type"], content = with_file(key, body)
        else:
            content = urlencode({"once": key, **body})
        return plain_http.post(f"{scene.server.url}{path}", content=content, headers=form, cookies=cookies)

    return send


def assert_same(first, second):
    assert first.is_success or first.is_redirect, first.text
    assert (second.status_code, second.content) == (first.status_code, first.content)
    assert second.headers.get("location") == first.headers.get("location")
    assert second.headers.get_list("set-cookie") == first.headers.get_list("set-cookie")


def make_room(scene):
    """End what has a limit of how much of it an account may have at a time."""
    execute(scene.url, "UPDATE games SET status = 'aborted' WHERE status = 'started'")
    execute(scene.url, "UPDATE challenges SET status = 'cancelled' WHERE status = 'open'")
    execute(scene.url, "UPDATE tournaments SET status = 'cancelled' WHERE id <> $1", scene.cup)
    execute(scene.url, "UPDATE teams SET closed_at = now()")
    execute(scene.url, "DELETE FROM team_members")
    execute(scene.url, "DELETE FROM push_devices")


def test_every_route_that_makes_something_is_tried():
    """These are the routes that come to add a row to one of the tables of things."""
    things = {*TABLES.values(), "ladder_challenges"}
    posts = {
        call.path: getattr(call.route, "original_route", call.route)
        for call in calls()
        if call.method == "POST"
    }
    makers = {path for path, route in posts.items() if things & tables_filled_by(unwrap(route.endpoint))}
    by_programs = {path.removeprefix("/api/v1") for path in makers if path.startswith("/api/")}
    assert by_programs >= set(BY_PROGRAMS)
    assert {path for path in makers if not path.startswith("/api/")} == {*BY_FORMS, *BY_VISITORS}
    created = {path.removeprefix("/api/v1") for path, route in posts.items() if route.status_code == 201}
    assert (created | by_programs) - set(BY_PROGRAMS) == _ALWAYS_ONCE


@pytest.mark.parametrize(("sender", "make", "table"), MAKERS)
def test_what_is_sent_twice_is_made_once(scene, sender, make, table):
    make_room(scene)
    send = sender_of(scene, sender, *make(scene))
    before = scene.number(table)
    first = send()
    assert scene.number(table) == before + 1, first.text
    second = send()
    assert scene.number(table) == before + 1
    assert_same(first, second)
    assert second.headers["idempotency-replayed"] == "true"

    make_room(scene)
    send = sender_of(scene, sender, *make(scene))
    before = scene.number(table)
    with ThreadPoolExecutor(4) as threads:
        first, *others = threads.map(send, range(4))
    assert scene.number(table) == before + 1
    for other in others:
        assert_same(first, other)


def test_who_hangs_up_before_the_answer_gets_it_when_asking_again(program, database_url):
    body = {**study(), "title": fresh_name("Lost")}
    content = json.dumps(body)
    headers = {
        "Authorization": f"Bearer {program.token}",
        "Content-Type": "application/json",
        "Idempotency-Key": str(uuid.uuid4()),
    }
    connection = HTTPConnection("localhost", program.server.port)
    connection.request("POST", "/api/v1/studies", content, headers)
    connection.close()
    made = "SELECT array_agg(id) FROM studies WHERE title = $1"
    [study_id] = wait_until(lambda: fetch(database_url, made, body["title"])[0])
    again = program.http.post("/studies", content=content, headers=headers)
    assert (again.status_code, again.json()["id"]) == (201, study_id)
    assert fetch(database_url, made, body["title"])[0] == [study_id]


def test_a_key_belongs_to_one_request_of_one_sender(program, other):
    key = {"Idempotency-Key": str(uuid.uuid4())}
    first = program.http.post("/studies", json=study(), headers=key)
    assert first.status_code == 201
    assert code(program.http.post("/studies", json=study(), headers=key)) == (422, "idempotency_key_reused")
    second = other.http.post("/studies", json=study(), headers=key)
    assert second.status_code == 201
    assert second.json()["id"] != first.json()["id"]
    for bad in ("", "x" * 256, "two words"):
        answer = program.http.post("/studies", json=study(), headers={"Idempotency-Key": bad})
        assert code(answer) == (422, "bad_idempotency_key")


def test_a_form_that_was_changed_is_another_request(visitor):
    visitor.register()
    texts = [{"once": "k" * 22, "game": "up_and_up", "title": title} for title in ("One", "Two", "One")]
    made = [visitor.http.post("/studies", data=text).url.path for text in texts]
    assert made[0] == made[2] != made[1]


def test_what_was_refused_may_be_sent_again(program, other):
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    assert program.http.put(f"/players/{other.username}/block").is_success
    text = {"text": "Hello"}
    assert other.http.post(f"/messages/{program.username}", json=text, headers=headers).status_code == 403
    assert program.http.delete(f"/players/{other.username}/block").is_success
    assert other.http.post(f"/messages/{program.username}", json=text, headers=headers).status_code == 201


@pytest.mark.parametrize("status", [200, 201, 204, 303, 400, 401, 403, 404, 409, 413, 422, 429, 500, 503])
def test_only_a_refusal_releases_the_key_of_what_was_committed(database_url, monkeypatch, status):
    monkeypatch.setattr(once, "_WAIT", 0)
    second = {2: (status, 1), 3: (status, 1), 4: (status, 2), 5: ("answer_lost", 1)}
    assert run_coroutine(sent_twice(database_url, status)) == second[status // 100]


async def sent_twice(database_url, status, content=b""):
    """Return the second answer to a request that commits something, and how often that was done."""
    database = await Database.open(database_url, pool_size=1)
    parts, done = Parts(), []
    parts.add(Database, database)
    parts.add(Settings, Settings(database_url=database_url))
    parts.add(Throttle, Throttle(PostgresCounts(database.pool), enabled=True))

    async def command(scope, receive, send):
        async with database.transaction():
            done.append(scope["path"])
        await Response(content, status_code=status)(scope, receive, send)

    async def server(scope, receive, send):
        await once.Once(command)({**scope, "state": {"parts": parts}}, receive, send)

    key = {"Authorization": "Bearer gor_any", "Idempotency-Key": str(uuid.uuid4())}
    try:
        async with AsyncClient(transport=ASGITransport(server), base_url="http://test") as sender:
            assert (await sender.post("/", headers=key)).status_code == status
            return (await sender.post("/", headers=key)).status_code, len(done)
    except ConflictError as error:
        return error.code, len(done)
    finally:
        await database.close()


@pytest.mark.parametrize("size", [once._LARGEST, 512 * 1024])
def test_a_large_answer_is_not_kept_and_its_request_not_carried_out_again(database_url, monkeypatch, size):
    monkeypatch.setattr(once, "_WAIT", 0)
    assert run_coroutine(sent_twice(database_url, 200, secrets.token_bytes(size))) == ("answer_lost", 1)


@pytest.mark.parametrize(("size", "second"), [(once._SMALL, "answer_lost"), (once._SMALL // 2, 200)])
def test_only_some_answers_of_a_sender_are_kept_unless_they_are_small(
    database_url, monkeypatch, size, second
):
    monkeypatch.setattr(once, "_WAIT", 0)
    monkeypatch.setattr(Limit.KEPT_ANSWER, "most", 0)
    assert run_coroutine(sent_twice(database_url, 200, secrets.token_bytes(size))) == (second, 1)


def test_noting_that_a_token_or_session_is_used_claims_no_key(program, visitor, database_url):
    visitor.register()
    session = visitor.http.cookies["gorrion"]
    for table in ("api_tokens", "sessions"):
        execute(database_url, f"UPDATE {table} SET used_at = now() - interval '1 hour'")

    async def identify():
        database = await Database.open(database_url, pool_size=1)
        current.set(errand := Errand(b"key", b"request"))
        try:
            await identify_token(database, program.token)
            await use_session(database, session)
        finally:
            await database.close()
        return errand.is_claimed

    assert not run_coroutine(identify())
    noted = "SELECT count(*) FROM {} WHERE used_at > now() - interval '1 minute'"
    assert [fetch(database_url, noted.format(table))[0] for table in ("api_tokens", "sessions")] == [1, 1]


def test_an_answer_cannot_be_read_in_the_database(program, database_url):
    key, body = str(uuid.uuid4()), {"username": program.username, "password": PASSWORD}
    token = program.http.post("/tokens", json=body, headers={"Idempotency-Key": key}).json()["token"]
    stored = fetch(database_url, "SELECT string_agg(digest || request || answer, '') FROM idempotency_keys")[
        0
    ]
    assert token.encode() not in stored
    assert key.encode() not in stored


def test_an_answer_that_was_lost_on_the_server_is_not_made_up(program, database_url, clock):
    headers, body = {"Idempotency-Key": str(uuid.uuid4())}, study()
    assert program.http.post("/studies", json=body, headers=headers).status_code == 201
    execute(database_url, "UPDATE idempotency_keys SET answer = NULL")
    assert code(program.http.post("/studies", json=body, headers=headers)) == (409, "answer_lost")


def test_keys_are_kept_for_a_day(program, database_url):
    headers, body = {"Idempotency-Key": str(uuid.uuid4())}, study()

    def send_after(hours):
        execute(
            database_url, "UPDATE idempotency_keys SET created_at = now() - make_interval(hours => $1)", hours
        )
        run_coroutine(delete())
        return program.http.post("/studies", json=body, headers=headers).json()["id"]

    async def delete():
        database = await Database.open(database_url, pool_size=1)
        await delete_old_keys(database)
        await database.close()

    first = program.http.post("/studies", json=body, headers=headers).json()["id"]
    assert send_after(23) == first
    assert send_after(25) != first


@pytest.mark.parametrize(
    "path", ["/", "/lobby", "/nugget", "/solitaire", "/tournaments/new", "/studies", "/account"]
)
def test_each_form_of_a_page_has_a_key_and_each_page_another(visitor, path):
    visitor.register()
    pages = [visitor.http.get(path).text for _ in range(2)]
    keys = [
        set(
            re.findall(
                r'<form\b[^>]*method="post"[^>]*><input type="hidden" name="once" value="([^"]+)"', page
            )
        )
        for page in pages
    ]
    assert [len(each) for each in keys] == [1, 1]
    assert keys[0] != keys[1]
    for page in pages:
        assert len(re.findall(r'<form\b[^>]*method="post"', page)) == page.count('name="once"')
