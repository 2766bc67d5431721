"""Who is ranked, in every ranking that a page or the API has, in every way that an account may end."""

import re
from datetime import timedelta

import pytest

from app.compete.tournaments.seasons import season_of
from app.core.moments import utc_now
from tests.support.accounts import erase_now, id_of
from tests.support.application import application
from tests.support.database import execute, fetch
from tests.support.games import BLITZ, post
from tests.support.moderation import make_moderator
from tests.support.players import PASSWORD, Program, Visitor, fresh_name, keep_clients
from tests.support.routes import calls
from tests.support.server import start_server
from tests.support.solitaire import submit
from tests.support.waiting import wait_until

UP_AND_UP = ("a1", "b1", "b2", "a2")
OVER, NOW = "2026-1", season_of(utc_now())
CUP, KNOWN = "winter-cup", "abcdefghjk"


def act(world, program, action, **members):
    body = {"username": program.username, "action": action, "reason": "Because", **members}
    answer = world.moderator.http.post("/moderation/actions", json=body)
    assert answer.status_code == 201, answer.text


def close(program, **members):
    answer = program.http.post("/me/close", json={"password": PASSWORD, **members})
    assert answer.status_code == 204, answer.text


def rename(world, program):
    world.old_name, new = program.username, fresh_name("renamed")
    act(world, program, "rename", new_name=new)
    program.username = new


def let_erase(world, program):
    account_id = id_of(world.url, program)
    erase_now(world.url, account_id)
    (program.username,) = fetch(world.url, "SELECT username FROM accounts WHERE id = $1", account_id)
    assert program.username.startswith("closed-")


ENDS = {
    "banished": lambda world, program: act(world, program, "close"),
    "closed": lambda _world, program: close(program),
    "erased": lambda _world, program: close(program, erase=True),
    "kept": lambda _world, program: close(program, keep_results=True),
    "kept_and_banished": lambda world, program: [
        close(program, keep_results=True),
        act(world, program, "close"),
    ],
    "returning_and_banished": lambda world, program: [
        close(program, keep_results=True, erase=True),
        act(world, program, "close"),
    ],
    "erased_and_banished": lambda world, program: [
        close(program, keep_results=True, erase=True),
        let_erase(world, program),
        act(world, program, "close"),
    ],
    "kept_and_erased": lambda world, program: [
        close(program, keep_results=True, erase=True),
        let_erase(world, program),
    ],
    "excluded": lambda world, program: act(world, program, "ban", days=30),
    "renamed": rename,
    "present": lambda _world, _program: None,
}
"""What becomes of the players, the best one first."""

LEFT = {
    "banished",
    "closed",
    "erased",
    "kept_and_banished",
    "returning_and_banished",
    "erased_and_banished",
}
KEPT = {"kept", "kept_and_erased"}


class World:
    """A server with each ranking, in which all players are in the order of ENDS."""

    def __init__(self, url, log):
        self.url = url
        self.server = start_server(url, log=log, bus="postgres")
        self.moderator = make_moderator(url, Program(self.server))
        self.players = {end: Program(self.server) for end in ENDS}
        self.ids = [id_of(url, program) for program in self.players.values()]
        self.seed_ratings_and_ladder()
        self.seed_solitaire()
        self.seed_entries()
        self.seed_tournament()
        self.seed_day()
        self.seed_solo_day()

    def each(self, query, *values):
        """Execute a statement for each player: $1 is the account, $2 the place."""
        for place, account_id in enumerate(self.ids, 1):
            execute(self.url, query, account_id, place, *values)

    def seed_ratings_and_ladder(self):
        for opponents in (9, 0):
            self.each(
                "INSERT INTO ratings (account_id, game, rating, deviation, volatility, games, opponents)"
                " VALUES ($1, $3, 2000 - $2::int, 50, 0.06, 40, $4)",
                "jadejack" if opponents else "jumping_farther",
                opponents,
            )
        for program in self.players.values():
            assert post(program, "/ladders/jadejack/join").status_code == 200

    def seed_solitaire(self):
        race = {"game": "up_and_up", "options": {"size": 8}, "minutes": 60}
        self.race = post(self.players["present"], "/races", **race).json()["id"]
        for place, program in enumerate(self.players.values()):
            submit(program, "up_and_up", 2, UP_AND_UP)
            game = post(program, f"/races/{self.race}/join").json()["game_id"]
            while (shown := program.snapshot(game))["ply"] < len(ENDS) - place:
                assert program.move(game, shown["legal_moves"][0], shown["ply"]).status_code == 200

    def seed_entries(self):
        execute(
            self.url,
            "INSERT INTO nugget_competitions"
            " (id, title, text, starts_at, ends_at, min_boards, max_boards, visibility)"
            " VALUES ($1, 'Cup', '', now() - interval '2 days', now() - interval '1 day', 20, 20, 'open')",
            CUP,
        )
        self.each(
            "INSERT INTO nugget_entries (id, account_id, competition_id, counts, mean_key, record,"
            " record_sha256, submitted_at, prefixes) VALUES ('entry' || chr(96 + $2::int) || 'aaaa', $1, $3,"
            " array_fill((80 + $2::int)::smallint, ARRAY[20]), (80 + $2::int) * 1000000, '',"
            " 'sha' || $2::int::text,"
            " now() - interval '30 hours' - $2::int * interval '1 minute', '{}')",
            CUP,
        )
        rankings = ("everybody:all", "people:all", f"everybody:{utc_now().year}", f"competition:{CUP}")
        for ranking in rankings:
            execute(
                self.url,
                "INSERT INTO nugget_standings SELECT $1, account_id, id, mean_key, -20, counts, submitted_at"
                " FROM nugget_entries",
                ranking,
            )

    def seed_day(self):
        execute(
            self.url,
            "INSERT INTO nugget_days (day, seed) VALUES ($1, '\\x00') ON CONFLICT DO NOTHING",
            utc_now().date(),
        )
        self.each(
            "INSERT INTO nugget_day_tries (day, account_id, solution, solved_in, found_at)"
            " VALUES ($3, $1, '', 20 + $2::int, now())",
            utc_now().date(),
        )

    def seed_solo_day(self):
        day = utc_now().date()
        execute(
            self.url,
            "INSERT INTO solo_days (day, game, seed) VALUES ($1, 'up_and_up', '\\x00')"
            " ON CONFLICT DO NOTHING",
            day,
        )
        self.each(
            "INSERT INTO solo_day_tries"
            " (day, game, account_id, game_id, solution, points, tie_break, found_at)"
            " SELECT $3::date, game, $1, game_id, '', 90 - $2::int, 0, now()"
            " FROM scores WHERE account_id = $1",
            day,
        )

    def seed_tournament(self):
        terms = {"name": "Cup", "kind": "arena", "minutes": 60, "game": "jadejack", "time_control": BLITZ}
        starts = (utc_now() + timedelta(days=5)).isoformat()
        made = self.moderator.http.post("/tournaments", json={**terms, "starts_at": starts})
        self.cup = made.json()["id"]
        for program in self.players.values():
            assert post(program, f"/tournaments/{self.cup}/join").status_code == 200
        execute(
            self.url,
            "UPDATE tournaments SET status = 'finished', due_at = NULL, started_at = now(), ended_at = now()"
            " WHERE id = $1",
            self.cup,
        )
        self.each(
            "UPDATE tournament_players SET rank = $2::int, points = 20 - $2::int, games = 3"
            " WHERE account_id = $1"
        )
        self.each(
            "INSERT INTO season_awards (source, account_id, season, rank, points)"
            " SELECT 'tournament:x' || season, $1, season, $2::int, 20 - $2::int"
            " FROM unnest($3::text[]) AS seasons (season)",
            [OVER, NOW],
        )
        self.each(
            "INSERT INTO season_places (season, account_id, rank, points, events)"
            " VALUES ($3, $1, $2::int, 20 - $2::int, 1)",
            OVER,
        )

    def paths(self, path):
        """Return the address of a route of which the world has an example, or None."""
        for name, value in {
            "username": self.players["present"].username,
            "tournament_id": self.cup,
            "race_id": self.race,
            "competition_id": CUP,
            "season": OVER,
            "day": f"{utc_now():%Y-%m-%d}",
            "size": "2",
            "form": "csv",
        }.items():
            path = re.sub(rf"\{{{name}(:\w+)?\}}", value, path)
        game = "up_and_up" if re.search("/(scores|records|daily)/", path) else "jadejack"
        path = re.sub(r"\{game(:\w+)?\}", game, path)
        return None if "{" in path else path


@pytest.fixture(scope="module")
def world(new_database, tmp_path_factory):
    world = World(new_database("ranked"), tmp_path_factory.mktemp("ranked") / "log")
    before = {path: rows_of(world, path) for path in rankings_of_api()}
    names = [program.username for program in world.players.values()]
    for path, rows in before.items():
        assert [row["username"] for row in rows] == names, path
    for end, program in world.players.items():
        ENDS[end](world, program)
    with keep_clients():
        yield world
    world.server.stop()


def rankings_of_api():
    """Return the paths of the API that answer with places of players, and what they are asked for."""
    description = application().openapi()
    found = [
        path.removeprefix("/api/v1")
        for path, item in description["paths"].items()
        if "get" in item and has_places(description, item["get"]["responses"]["200"])
    ]
    listed = {path for path in found if "/me" not in path and path not in OF_ONE}
    return sorted({*listed, "/leaderboards/up_and_up?size=2", f"/seasons/{NOW}"})


OF_ONE = {"/nugget/entries/{entry_id}", "/records/{game}"}
"""What has the ranks of one player only, or of the first on each board."""


def has_places(description, schema, seen=frozenset()):
    """Return whether a schema has an object with a rank or place beside a username."""
    if isinstance(schema, list):
        return any(has_places(description, each, seen) for each in schema)
    if not isinstance(schema, dict):
        return False
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        known = description["components"]["schemas"][name]
        return name not in seen and has_places(description, known, seen | {name})
    properties = schema.get("properties", {})
    places = [properties[name] for name in ("rank", "place") if name in properties]
    if "username" in properties and any(each.get("type") != "string" for each in places):
        return True
    return any(has_places(description, each, seen) for each in schema.values())


def rows_of(world, path):
    """Return the rows of a ranking as the API has them."""
    address = world.paths(path)
    shown = world.players["present"].http.get(f"{address}{'&' if '?' in address else '?'}limit=20")
    if path == "/races":
        return shown.json()[0]["racers"]
    shown = shown.json()
    return shown.get("rows") or shown["racers"]


def expected(path):
    """Return which players a ranking has after their accounts have ended."""
    by_rating = "ladders" in path or path == "/leaderboards/{game}"
    absent = LEFT | ({"excluded"} if by_rating else set())
    if "ladders" in path:  # nobody plays there for a closed account
        absent |= KEPT
    return [end for end in ENDS if end not in absent]


@pytest.mark.parametrize("path", rankings_of_api())
def test_places_in_the_api_are_given_to_the_next(world, path):
    stays = expected(path)
    names = [None if end in KEPT else world.players[end].username for end in stays]

    def is_settled():  # a ladder closes its gaps within seconds
        rows = rows_of(world, path)
        places = [row.get("rank", row.get("place")) for row in rows]
        return [row["username"] for row in rows] == names and places == list(range(1, len(stays) + 1))

    wait_until(is_settled, within=20)


def test_no_page_and_no_file_ranks_who_has_left(world):
    reader, ranked = Visitor(world.server), set()
    for call in calls():
        path = world.paths(call.path) if call.method == "GET" else None
        if path is None or "/api/" in path or path.startswith(("/health", "/static")):
            continue
        answer = reader.http.get(path)
        rows = re.findall(
            r'<td class="data-table-figure">(\d+)</td>\s*<th scope="row">(.*?)</tr>', answer.text, re.DOTALL
        )
        if rows:
            names = "".join(row for _rank, row in rows)
            assert [int(rank) for rank, _row in rows] == [*range(1, len(rows) + 1)], path
        elif path.endswith(".csv") or call.path in MORE_RANKINGS:
            names = answer.text
        else:
            continue
        ranked.add(call.path)
        shown = {end for end in ENDS if re.search(rf"\b{world.players[end].username}\b", names)}
        assert shown.isdisjoint(LEFT | KEPT), (path, shown)
    assert ranked >= MORE_RANKINGS | {
        "/leaderboards/{game:game}",
        "/leaderboards/golden_nugget",
        "/leaderboards/golden_nugget.{form}",
        "/ladders/{game:game}",
        "/scores/{game:game}/{size:number}",
        "/seasons/{season:slug}",
        "/nugget/competitions/{competition_id:competition}",
        "/races/{race_id:id}",
        "/tournaments/{tournament_id:id}",
        "/tournaments/{tournament_id:id}/results.{form}",
    }


MORE_RANKINGS = {"/", "/records/{game:game}", "/nugget", "/tournaments", "/solitaire"}
"""Pages that name players for what they have reached, without a table of ranks."""


def test_the_places_of_one_player_are_those_in_the_rankings(world):
    present = world.players["present"]
    profile = Visitor(world.server).http.get(f"/players/{present.username}").text
    shown = present.http.get(f"/players/{present.username}").json()
    place = len(expected("")) + 0
    assert [score["rank"] for score in shown["scores"]] == [place]
    assert f"place {place} of" in profile
    assert f"Number {len(expected('/leaderboards/{game}'))}" in profile
    for end in sorted(LEFT):
        username = world.players[end].username
        gone = present.http.get(f"/players/{username}").json()
        assert [score["rank"] for score in gone["scores"]] == [None], end
        page = Visitor(world.server).http.get(f"/players/{username}").text
        assert not re.search(r"place \d+ of|Number \d+", page), end


def test_whoever_comes_back_is_ranked_again(world):
    back = world.players["erased"]
    Visitor(world.server).log_in(back.username)
    names = [row["username"] for row in rows_of(world, "/leaderboards/{game}")]
    assert names[0] == back.username
    history = Visitor(world.server).http.get("/leaderboards/golden_nugget").text
    assert back.username in history


def test_a_renamed_player_is_found_by_both_names(world):
    """Every path of pages and the API with a username leads to the same player by the former name."""
    old, new, reader = world.old_name, world.players["renamed"].username, world.players["present"]
    page = Visitor(world.server).log_in(reader.username)
    found = 0
    for call in calls():
        path = call.path.replace("{username}", "NAME")
        if call.method != "GET" or "NAME" not in path or "/moderation/" in path:
            continue
        path = path if (path := world.paths(path)) is not None else ""
        client, path = (reader.http, path.removeprefix("/api/v1")) if "/api/" in path else (page.http, path)
        by_new, by_old = (client.get(path.replace("NAME", name)) for name in (new, old))
        assert by_new.status_code == by_old.status_code == 200, path
        assert by_new.url.path == by_old.url.path or client is reader.http, path
        assert old not in by_old.text, path
        found += 1
    assert found >= 8
    for search in (reader.http.get("/players", params={"q": old}), page.http.get(f"/players?q={old}")):
        assert new in search.text
    challenge = reader.challenge(opponent=old).json()["id"]
    assert new in reader.http.get(f"/challenges/{challenge}").text
    assert post(reader, f"/messages/{old.upper()}", text="Hello").status_code == 201
    for relation in ("follow", "mute", "block"):
        assert reader.http.put(f"/players/{old}/{relation}").status_code == 204
        assert reader.http.delete(f"/players/{new}/{relation}").status_code == 204
    taken = reader.http.post("/accounts", json={"username": old, "password": PASSWORD})
    assert taken.status_code == 422
