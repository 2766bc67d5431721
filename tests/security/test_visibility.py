"""Who sees which stored text: every page, call and socket, read as every kind of viewer.

Each column that players write has a word of its own in it. Pages and the API must show it to the same
viewers.
"""

import re
import secrets
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from itertools import product

import httpx
import pytest
from sqlalchemy import Text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from app.core.database.base import personal_tables, table
from app.core.importing import import_all
from app.core.moments import utc_now
from app.site.moderation.places import written_texts
from tests.support import plain_http
from tests.support.accounts import grant, id_of
from tests.support.database import execute
from tests.support.games import BLITZ, lost_rated_game, post
from tests.support.moderation import make_moderator
from tests.support.nugget import new_record
from tests.support.players import PASSWORD, Program, Visitor, client, keep_clients, make_old
from tests.support.routes import calls
from tests.support.server import start_server
from tests.support.tournaments import member

import_all("models")

VIEWERS = (
    "visitor",
    "stranger",
    "follower",
    "followed",
    "muter",
    "blocker",
    "blocked",
    "partner",
    "teammate",
    "moderator",
    "author",
)
EVERYBODY = frozenset(VIEWERS)
HEARING = EVERYBODY - {"muter", "blocker", "blocked"}
"""All from whom the author is not hidden."""

SEEN_BY = {
    "profiles.text": HEARING,
    "profiles.links": HEARING,
    "chat_messages.text": HEARING,
    "chat_messages.text of a tournament": HEARING,
    "chat_messages.text of a team": {"author", "teammate"},
    "chat_messages.text of players": {"author", "partner"},
    "chat_messages.text of spectators": EVERYBODY - {"author", "partner"},  # a stranger has written it
    "messages.text": {"author", "partner"},
    "game_notes.text": {"author"},
    "nugget_runs.name": {"author"},
    "nugget_competitions.title": EVERYBODY,
    "nugget_competitions.text": EVERYBODY,
    "nugget_competitions.reason": EVERYBODY,
    "nugget_methods.text": EVERYBODY,
    "studies.title, private": {"author"},
    "studies.moves, private": {"author"},
    "studies.title, link": EVERYBODY,  # all know its address here
    "studies.moves, link": EVERYBODY,
    "studies.title, public": EVERYBODY,
    "studies.moves, public": EVERYBODY,
    "teams.name": EVERYBODY,
    "teams.text": EVERYBODY,
    "team_requests.text": {"author"},  # the leader
    "tournaments.name": EVERYBODY,
    "tournaments.description": EVERYBODY,
    "tournaments.reason": EVERYBODY,
    "reports.text": {"moderator"},
    "reports.quote": {"moderator"},
    "moderation_actions.reason": {"author", "moderator"},
    "api_tokens.name": {"author"},
    "passkeys.name": {"author"},
    "email_addresses.address": {"author"},
    "email_addresses.unconfirmed": {"author"},
}
"""Who sees the text in a column: that of conversations is for those from whom its author is not hidden, what
is published for all who may see the thing that it belongs to."""

ONE_SIDED = {
    "api_tokens.name",
    "passkeys.name",
    "moderation_actions.reason",  # the API has no log of moderators
    "email_addresses.address",  # the page asks for the password first
    "email_addresses.unconfirmed",
}
"""What only pages or only the API show to somebody who may see it."""

REMOVED = ("profiles.", "chat_messages.text of players", "messages.", "studies.title, public", "teams.")
REMOVED += ("studies.moves, public", "tournaments.", "nugget_competitions.", "nugget_methods.")

WORDS_OF_OURS = frozenset(
    re.findall(
        r"\w+",
        """achievement action auth browser bucket change channel competition counted_in country data
        decline_reason detail details dropped_by endpoint forces game game_id greeting id key
        kind language languages last_refusal measure moves network options outcome p256dh password_hash pause
        place plan players position preferences proof purpose ranking rating_changes record
        record_sha256 relation result rights role room scopes season secret series sha256 shown side
        solution source speed status step subject switches takeback termination themes time_control
        token_hash tournament_id undone unsubscribe_key visibility""",
    )
)
"""Names of columns that hold only words of ours, keys, moves, or secrets."""


def text_columns():
    """Yield the columns that may hold what somebody wrote, as `table.column`."""
    for name in personal_tables():
        for column in table(name).columns:
            kind = column.type.item_type if isinstance(column.type, ARRAY) else column.type
            if isinstance(kind, Text | JSONB) and not column.foreign_keys:
                yield f"{name}.{column.name}"


def test_every_column_that_players_write_is_looked_for():
    known = {re.match(r"[\w.]+", key)[0] for key in SEEN_BY}
    ours = {
        "conditional_moves.lines",
        "searches.wanted",
        "address_undos.address",
        "mail_links.address",
        "reports.reason",
    }
    ours |= {"shown_puzzles.puzzle_id", "push_devices.name"}  # shown to the browser alone whose device it is
    ours |= {"teams.skeleton", "tournaments.skeleton", "games.clock_marks"}  # never shown
    others = {key for key in text_columns() if key.split(".")[1] not in WORDS_OF_OURS}
    assert others - ours == known - {"studies.moves"}, f"say in SEEN_BY or WORDS_OF_OURS: {others ^ known}"


def test_what_others_read_may_be_reported_and_removed():
    declared = {
        f"{text.table.name}.{column}" for text in written_texts().values() for column in text.written.empty
    }
    of_moderation = {"reports.text", "reports.quote", "moderation_actions.reason"}
    read = {re.match(r"[\w.]+", key)[0] for key, viewers in SEEN_BY.items() if viewers != {"author"}}
    assert {*read, "team_requests.text"} - of_moderation <= declared, "their models declare __written__"


class World:
    """A server on which an author has written into every column, and viewers of every kind."""

    def __init__(self, url, log):
        self.url = url
        self.server = start_server(url, log=log, bus="postgres")
        self.words = {key: f"zq{number}x{secrets.token_hex(4)}" for number, key in enumerate(SEEN_BY)}
        self.programs = {name: Program(self.server) for name in VIEWERS if name != "visitor"}
        self.author, self.partner = self.programs["author"], self.programs["partner"]
        self.stranger, self.moderator = self.programs["stranger"], self.programs["moderator"]
        make_moderator(url, self.moderator)
        for _ in range(2):
            lost_rated_game(self.author, self.partner)
        lost_rated_game(self.stranger, self.programs["teammate"])
        make_old(url, *self.programs.values())
        grant(url, self.author, "organiser")
        self.values = defaultdict(list)
        self.write()
        self.relate()
        self.pages = {name: member(self.server, program.username) for name, program in self.programs.items()}
        self.pages["visitor"] = Visitor(self.server)

    def ok(self, answer):
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def put(self, path, **body):
        return self.ok(self.author.http.put(path, json=body))

    def post(self, path, by=None, **body):
        return self.ok(post(by or self.author, path, **body))

    def write(self):
        word, values = self.words.get, self.values
        values["username"] = [self.author.username, self.partner.username]
        link = f"https://{word('profiles.links')}.example"
        self.put("/me/profile", text=word("profiles.text"), country="pl", languages=[], links=[link])
        over = self.game()
        said = partial(self.post, room="players")
        values["serial"] += [said(f"/games/{over}/chat", text=word("chat_messages.text"))["id"]]
        self.post(f"/games/{over}/resign")
        running = self.game()
        self.players_line = said(f"/games/{running}/chat", text=word("chat_messages.text of players"))["id"]
        self.post(
            f"/games/{running}/chat",
            by=self.stranger,
            room="spectators",
            text=word("chat_messages.text of spectators"),
        )
        self.put(f"/games/{running}/note", text=word("game_notes.text"))
        values["game_id"] = [over, running]
        self.letter = self.post(f"/messages/{self.partner.username}", text=word("messages.text"))["id"]
        values["serial"] += [self.players_line, self.letter]
        values["run_id"] = [self.post("/nugget/runs", name=word("nugget_runs.name"))["id"]]
        self.write_studies()
        self.write_events()
        self.write_about_the_author()

    def game(self):
        made = self.author.challenge(opponent=self.partner.username, side="black").json()["id"]
        game = self.post(f"/challenges/{made}/accept", by=self.partner)["game_id"]
        self.author.move(game, "d4", 0)
        self.partner.move(game, "e5", 1)
        return game

    def write_studies(self):
        for visibility in ("private", "link", "public"):
            title = self.words[f"studies.title, {visibility}"]
            tree = f"c4 {{{self.words[f'studies.moves, {visibility}']}}} pass"
            body = {"game": "jadejack", "title": title, "visibility": visibility, "tree": tree}
            self.values["study_id"].append(self.post("/studies", options={"size": 9}, **body)["id"])

    def write_events(self):
        word, values = self.words.get, self.values
        team = self.post("/teams", name=word("teams.name"), text=word("teams.text"), join="request")["id"]
        values["team_id"] = [team]
        for name, text in (("teammate", "Hello"), ("partner", word("team_requests.text"))):
            self.post(f"/teams/{team}/join", by=self.programs[name], text=text)
        self.ok(post(self.author, f"/teams/{team}/requests/{self.programs['teammate'].username}/accept"))
        self.post(f"/teams/{team}/chat", text=word("chat_messages.text of a team"))
        starts = (utc_now() + timedelta(minutes=30)).isoformat()
        terms = {
            "kind": "arena",
            "minutes": 60,
            "game": "jadejack",
            "time_control": BLITZ,
            "starts_at": starts,
        }
        texts = {"name": word("tournaments.name"), "description": word("tournaments.description")}
        tournaments = [self.post("/tournaments", **terms, **texts)["id"] for _ in range(2)]
        self.post(f"/tournaments/{tournaments[1]}/cancel", reason=word("tournaments.reason"))
        self.post(f"/tournaments/{tournaments[0]}/join", by=self.partner)
        values["tournament_id"] = tournaments
        said = word("chat_messages.text of a tournament")
        self.post(f"/tournaments/{tournaments[0]}/chat", text=said)
        ends = (utc_now() + timedelta(days=5)).isoformat()
        texts = {"title": word("nugget_competitions.title"), "text": word("nugget_competitions.text")}
        cups = [
            self.post("/nugget/competitions", **texts, starts_at=starts, ends_at=ends)["id"] for _ in range(2)
        ]
        self.post(f"/nugget/competitions/{cups[1]}/cancel", reason=word("nugget_competitions.reason"))
        values["competition_id"] = [*cups, self.write_method(ends)]

    def write_method(self, ends):
        started = (utc_now() - timedelta(hours=1)).isoformat()
        over = self.post("/nugget/competitions", title="Cup", starts_at=started, ends_at=ends)["id"]
        self.post(f"/nugget/entries?competition={over}", boards=new_record(20))
        self.post(f"/nugget/competitions/{over}/end", reason="All are in.")
        self.put(f"/nugget/competitions/{over}/method", text=self.words["nugget_methods.text"])
        return over

    def write_about_the_author(self):
        word, name = self.words.get, self.author.username
        about = {
            "username": name,
            "reason": "abuse",
            "place": f"profile:{name}",
            "text": word("reports.text"),
        }
        quoted = {"text": word("reports.quote"), "country": "", "languages": [], "links": []}
        before = self.author.http.get("/me/profile").json()
        self.put("/me/profile", **quoted)
        warned = {"username": name, "action": "warn", "reason": word("moderation_actions.reason")}
        self.post("/moderation/actions", by=self.moderator, **warned)
        self.post("/reports", by=self.stranger, **about)
        self.put("/me/profile", **before)
        credentials = {"username": name, "password": PASSWORD, "name": word("api_tokens.name")}
        self.read_token = self.post("/tokens", scopes=["read"], **credentials)["token"]
        account = id_of(self.url, self.author)
        execute(
            self.url,
            "INSERT INTO passkeys (credential_id, account_id, public_key, sign_count, name)"
            " VALUES ('a', $1, 'b', 0, $2)",
            account,
            word("passkeys.name"),
        )
        execute(
            self.url,
            "INSERT INTO email_addresses (account_id, address, unconfirmed, language, unsubscribe_key)"
            " VALUES ($1, $2, $3, 'en', 'key')",
            account,
            f"{word('email_addresses.address')}@mail.example",
            f"{word('email_addresses.unconfirmed')}@mail.example",
        )

    def relate(self):
        for name, relation in (("follower", "follow"), ("muter", "mute"), ("blocker", "block")):
            self.ok(self.programs[name].http.put(f"/players/{self.author.username}/{relation}"))
        for name, relation in (("followed", "follow"), ("blocked", "block")):
            self.ok(self.author.http.put(f"/players/{self.programs[name].username}/{relation}"))

    def paths(self, path):
        """Yield the addresses of a route, with all values that the world has for its parameters."""
        names = re.findall(r"\{(\w+)(?::(\w+))?\}", path)
        fixed = {"game": ["jadejack"], "number": ["1"], "relation": [], "square": ["c4"], "form": ["json"]}
        choices = [
            self.values.get("serial" if kind == "serial" else name) or fixed.get(name, [])
            for name, kind in names
        ]
        for values in product(*choices):
            given = iter(values)
            filled = re.sub(r"\{[^}]+\}", lambda _match: str(next(given)), path)  # noqa: B023
            rooms = "players", "spectators"
            yield from [f"{filled}?room={room}" for room in rooms] if filled.endswith("/chat") else [filled]

    def read(self, viewers=VIEWERS):
        """Return where each text is seen by key and viewer: on pages, and in the API."""
        pages, api = {}, {}
        routes = [call.path for call in calls() if call.method == "GET"]
        for route in routes:
            if any(part in route for part in NO_TEXTS):
                continue
            for path in self.paths(route):
                for name in viewers:
                    if path.startswith("/api/v1"):
                        program = self.programs.get(name)
                        http = program.http if program else client(base_url=f"{self.server.url}/api/v1")
                        seen, answer = api, http.get(path.removeprefix("/api/v1"))
                    else:
                        seen, answer = pages, self.pages[name].http.get(path)
                    assert answer.status_code < 500, path
                    self.note(seen, name, path, answer.text)
        with ThreadPoolExecutor(16) as pool:
            for name, path, text in pool.map(lambda read: read(), self.streams(viewers)):
                self.note(api if path.startswith("/api/v1") else pages, name, path, text)
        return pages, api

    def note(self, seen, name, path, text):
        for key, word in self.words.items():
            if word in text:
                seen.setdefault((key, name), path)

    def streams(self, viewers):
        """Yield functions that read a socket or stream for a moment: (viewer, path, text)."""
        for route in STREAMS:
            for path, name in product(self.paths(route), viewers):
                yield partial(self.read_stream, name, path)
        for route in SOCKETS:
            for path, name in product(self.paths(route), viewers):
                yield partial(self.read_socket, name, path)

    def read_stream(self, name, path):
        text = ""
        headers = dict(self.programs[name].http.headers) if name in self.programs else {}
        try:
            with plain_http.stream("GET", f"{self.server.url}{path}", headers=headers, timeout=1) as answer:
                for line in answer.iter_lines():
                    text += line
        except httpx.TimeoutException:
            pass
        return name, path, text

    def read_socket(self, name, path):
        if path.startswith("/api/v1"):
            program = self.programs.get(name)
            headers = {"Authorization": program.http.headers["Authorization"]} if program else {}
            opening = connect(f"{self.server.ws_url}{path}", additional_headers=headers)
        else:
            opening = self.pages[name].live(path)
        text = ""
        try:
            with opening as socket:
                while True:
                    text += str(socket.recv(timeout=0.5))
        except (TimeoutError, ConnectionClosed, InvalidStatus):
            pass
        return name, path, text


STREAMS = ("/api/v1/events", "/api/v1/games/{game_id}/stream")
NO_TEXTS = (
    "/events",
    "/stream",
    "/static",
    "/health",
    "/help",
    "/about",
    "/rules",
    "/learn",
    "/puzzles",
    "/ledger",
    ".svg",
    ".png",
)
NO_TEXTS += ("/records", "/lessons", "/sitemap", "/api/docs", "openapi", "/metrics")
SOCKETS = (
    "/account/live",
    "/home/live",
    "/games/{game_id}/live",
    "/api/v1/games/{game_id}/socket",
    "/lobby/live",
    "/messages/{username}/live",
    "/studies/{study_id}/live",
    "/teams/{team_id}/live",
    "/tournaments/live",
    "/tournaments/{tournament_id}/live",
    "/watch/live",
)


@pytest.fixture(scope="module")
def world(new_database, tmp_path_factory):
    world = World(new_database("visibility"), tmp_path_factory.mktemp("visibility") / "log")
    with keep_clients():
        yield world
    world.server.stop()


def viewers_by_key(seen):
    """Return who has seen the text of each key."""
    found = defaultdict(set)
    for key, name in seen:
        found[key].add(name)
    return found


def test_every_text_is_shown_to_those_who_may_see_it_by_pages_and_api_alike(world):
    pages, api = world.read()
    by_page, by_api = viewers_by_key(pages), viewers_by_key(api)
    for key, may_see in SEEN_BY.items():
        places = [seen.get((key, name)) for seen in (pages, api) for name in VIEWERS if name not in may_see]
        assert not any(places), (key, places)
        assert by_page[key] | by_api[key] == may_see, key
        assert by_page[key] == by_api[key] or key in ONE_SIDED, key


FEW = ("visitor", "partner", "moderator")


def test_what_moderators_remove_is_gone_everywhere(world):
    author, (cup, called_off, over) = world.author.username, world.values["competition_id"]
    places = [f"profile:{author}", f"chat:{world.players_line}", f"message:{world.letter}"]
    places += [f"study:{world.values['study_id'][2]}", f"team:{world.values['team_id'][0]}"]
    places += [f"tournament:{id_}" for id_ in world.values["tournament_id"]]
    places += [f"competition:{id_}" for id_ in (cup, called_off)]
    (method,) = world.ok(world.author.http.get(f"/nugget/competitions/{over}/methods"))
    places.append(f"method:{method['id']}")
    for place in places:
        removed = {"username": author, "action": "remove_text", "subject": place, "reason": "Rude"}
        world.post("/moderation/actions", by=world.moderator, **removed)
    pages, api = world.read(FEW)
    left = {(key, *at) for seen in (pages, api) for (key, *at) in seen if key.startswith(REMOVED)}
    assert left == set()


def test_a_closed_account_tells_nothing_any_more(world):
    texts = {"text": world.words["profiles.text"], "country": "pl", "languages": [], "links": []}
    world.put("/me/profile", **texts)
    banished = {"username": world.author.username, "action": "close", "reason": "Rude"}
    world.post("/moderation/actions", by=world.moderator, **banished)
    pages, api = world.read(FEW)
    seen = {name for seen in (pages, api) for key, name in seen if key == "profiles.text"}
    assert seen == set()
