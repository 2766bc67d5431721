"""Guests who log in: what they have comes along or stays apart, and nothing is lost, however they log in."""

import re
from datetime import datetime, timedelta

import pytest

from tests.support.accounts import id_of
from tests.support.database import execute, fetch
from tests.support.passkeys import SoftPasskey
from tests.support.players import PASSWORD, Program, Visitor
from tests.support.second_factor import code_of, set_up
from tests.support.waiting import wait_until

LIVE = {"kind": "realtime", "limit": 300, "increment": 0}
DAYS = {"kind": "correspondence", "days": 3}


class Scene:
    """A guest in a browser, and an account whose owner is about to log in there."""

    def __init__(self, server, database_url):
        self.server, self.database_url = server, database_url
        self.friend = Program(server)
        self.owner = Visitor(server).register()
        self.guest = Visitor(server)
        self.guest.http.post("/guest")
        self.both = {self.name_in(self.guest), self.owner.username}

    def who(self, query, *values):
        """Return the names of accounts, by a query for their ids."""
        rows = f"SELECT array_agg(username) FROM accounts WHERE id IN ({query})"
        return set(fetch(self.database_url, rows, *values)[0] or ())

    def name_in(self, browser):
        """Return who a browser's pages are for."""
        return re.search(r"<h1>([^<]+)</h1>", browser.http.get("/account").text)[1]


def by_password(scene):
    scene.guest.http.post("/login", data={"username": scene.owner.username, "password": PASSWORD})


def by_second_factor(scene):
    secret, _ = set_up(scene.owner)
    execute(scene.database_url, "UPDATE second_factors SET last_step = 0")
    pending = _pending(scene)
    scene.guest.http.post("/login/code", data={"pending": pending, "code": code_of(secret)})


def by_recovery_code(scene):
    _, codes = set_up(scene.owner)
    scene.guest.http.post("/login/code", data={"pending": _pending(scene), "code": codes[0]})


def _pending(scene):
    form = {"username": scene.owner.username, "password": PASSWORD}
    return re.search(r'name="pending" value="([^"]+)"', scene.guest.http.post("/login", data=form).text)[1]


def by_passkey(scene):
    passkey, origin = SoftPasskey(), scene.server.url
    options = scene.owner.http.post("/account/passkeys/options").json()
    made = {"passkey_name": "my phone", "credential": passkey.register(options, origin)}
    scene.owner.http.post("/account/passkeys", data=made)
    asked = scene.guest.http.post("/login/passkey/options").json()
    scene.guest.http.post("/login/passkey", data={"credential": passkey.answer(asked, origin)})


def after_a_reset(scene):
    _, codes = set_up(scene.owner)
    scene.owner.http.post("/account/second-factor/remove")
    new = "another long password"
    reset = {"username": scene.owner.username, "code": codes[0], "new_password": new}
    scene.guest.http.post("/login/recover", data=reset)
    scene.guest.http.post("/login", data={"username": scene.owner.username, "password": new})


WAYS = (by_password, by_second_factor, by_recovery_code, by_passkey, after_a_reset)


def accepted(scene, maker, **terms):
    """Return the id of a game that the guest plays against another player."""
    terms = {"game": "jadejack", "options": {"size": 9}, "opponent": "link", "side": "black", **terms}
    made = maker.http.post("/challenges", json=terms).json()["id"]
    return scene.guest.http.post(f"/challenges/{made}/accept").url.path.rpartition("/")[2]


def players(scene, game_id):
    seats = "SELECT unnest(ARRAY[first_player, second_player]) FROM games WHERE id = $1"
    return scene.who(seats, game_id)


def game(scene):
    game_id = accepted(scene, scene.friend, time_control=LIVE)
    return lambda: players(scene, game_id) - {scene.friend.username}


def turn(scene):
    """A turn of a correspondence game, of which the guest has been notified."""
    game_id = accepted(scene, scene.friend, time_control=DAYS)
    scene.friend.move(game_id, "c4", 0)
    notified = "SELECT account_id FROM notifications WHERE subject = $1 AND kind = 'my_turn'"
    return lambda: scene.who(notified, game_id)


def finished_game(scene):
    game_id = accepted(scene, scene.friend, time_control=LIVE)
    scene.friend.http.post(f"/games/{game_id}/abort")
    return lambda: players(scene, game_id) - {scene.friend.username}


def shared_board(scene):
    game_id = accepted(scene, scene.friend, time_control=LIVE)
    scene.friend.move(game_id, "c4", 0)
    scene.friend.http.post(f"/games/{game_id}/resign")
    scene.guest.http.post(f"/games/{game_id}/together")
    return lambda: scene.who("SELECT account_id FROM studies WHERE game_id = $1", game_id)


def solitaire_game(scene):
    path = scene.guest.http.post("/solitaire", data={"game": "up_and_up", "size": "5"}).url.path
    return lambda: scene.who("SELECT first_player FROM games WHERE id = $1", path.rpartition("/")[2])


def race(scene):
    body = {"game": "up_and_up", "options": {"size": 5}, "minutes": 10}
    made = scene.friend.http.post("/races", json=body).json()["id"]
    scene.guest.http.post(f"/races/{made}/join")
    racers = "SELECT account_id FROM race_games WHERE race_id = $1"
    return lambda: scene.who(racers, made) - {scene.friend.username}


def waiting_race(scene):
    """The guest's own race, which waits for its start."""
    made = scene.guest.http.post("/races", data={"game": "up_and_up", "size": "5", "minutes": "10"}).url.path
    race_id = made.rpartition("/")[2]
    involved = "SELECT account_id FROM race_games WHERE race_id = $1"
    involved += " UNION SELECT maker_id FROM races WHERE id = $1"
    return lambda: scene.who(involved, race_id)


def run(scene):
    path = scene.guest.http.post("/nugget/runs").url.path
    return lambda: scene.who("SELECT account_id FROM nugget_runs WHERE id = $1", path.rpartition("/")[2])


def challenge(scene):
    form = {"game": "jadejack", "size": "9", "side": "black", "opponent_kind": "link"}
    path = scene.guest.http.post("/challenges", data=form).url.path
    return lambda: scene.who("SELECT maker_id FROM challenges WHERE id = $1", path.rpartition("/")[2])


def board_of_the_day(scene):
    scene.guest.http.post("/solitaire/daily/up_and_up/play")
    return lambda: scene.who("SELECT account_id FROM solo_day_tries") & scene.both


def nugget_of_the_day(scene):
    scene.guest.http.post("/nugget/daily/begin")
    return lambda: scene.who("SELECT account_id FROM nugget_day_tries") & scene.both


def lesson(scene):
    insert = "INSERT INTO lesson_steps (account_id, game, step) SELECT id, 'jadejack', 'x' FROM accounts"
    execute(scene.database_url, f"{insert} WHERE username = $1", scene.name_in(scene.guest))
    return lambda: scene.who("SELECT account_id FROM lesson_steps") & scene.both


THINGS = (
    game,
    turn,
    finished_game,
    shared_board,
    solitaire_game,
    race,
    waiting_race,
    run,
    challenge,
    board_of_the_day,
    nugget_of_the_day,
    lesson,
)


@pytest.fixture
def scene(server, database_url):
    return Scene(server, database_url)


@pytest.mark.parametrize("choice", ["bring", "apart"])
@pytest.mark.parametrize("log_in", WAYS)
def test_what_a_guest_has_comes_along_or_stays_apart_however_the_guest_logs_in(scene, log_in, choice):
    owners = {thing.__name__: thing(scene) for thing in THINGS}
    guest, account = scene.name_in(scene.guest), scene.owner.username
    assert "move to your account or stay with the guest" in scene.guest.http.get("/login").text
    log_in(scene)
    assert scene.name_in(scene.guest) == account
    assert {name: whose() for name, whose in owners.items()} == {key: {guest} for key in owners}
    asked = scene.guest.http.get("/login/guest?next=/watch").text
    for words in (guest, "7 games", "1 run of Golden Nugget", "1 open challenge", "1 race waiting to start"):
        assert words in asked
    answer = scene.guest.http.post("/login/guest", data={"choice": choice, "next": "/watch"})
    assert answer.url.path == "/watch"
    expected = {account if choice == "bring" else guest}
    assert {name: whose() for name, whose in owners.items()} == dict.fromkeys(owners, expected)
    scene.guest.http.post("/logout")
    if choice == "bring":
        assert scene.guest.http.get("/account").url.path == "/login"
    else:
        assert scene.name_in(scene.guest) == guest


def test_a_game_under_way_goes_on_in_the_account(scene):
    game_id = accepted(scene, scene.friend, time_control=LIVE)
    page = f"/games/{game_id}"
    assert 'data-role="white"' in scene.guest.http.get(page).text
    with scene.guest.live(f"{page}/live"):
        by_password(scene)
    assert 'data-role="white"' not in scene.guest.http.get(page).text
    scene.guest.http.post("/login/guest", data={"choice": "bring", "next": page})
    assert 'data-role="white"' in scene.guest.http.get(page).text
    assert scene.friend.move(game_id, "c4", 0).status_code == 200
    names = {each["username"] for each in scene.friend.snapshot(game_id)["players"].values()}
    assert names == {scene.friend.username, scene.owner.username}
    assert scene.guest.http.post(f"{page}/resign").status_code in (200, 303)


def test_what_the_account_may_not_have_stays_with_the_guest(scene):
    account = id_of(scene.database_url, scene.owner)
    guest = scene.name_in(scene.guest)
    enemy = Program(scene.server)
    scene.owner.http.post(f"/players/{enemy.username}/block")
    own = Program(scene.server)  # stands for the account
    kept = {
        "against yourself": accepted(scene, own, time_control=LIVE),
        "blocked": accepted(scene, enemy, time_control=LIVE),
        "rated": accepted(scene, scene.friend, time_control=LIVE),
    }
    query = "UPDATE games SET first_player = $1 WHERE id = $2"
    execute(scene.database_url, query, account, kept["against yourself"])
    execute(scene.database_url, "UPDATE games SET rated = true WHERE id = $1", kept["rated"])
    execute(
        scene.database_url,
        "INSERT INTO nugget_runs (id, account_id, name) "
        "SELECT 'run' || $1::bigint || '-' || n, $1::bigint, 'A run' FROM generate_series(1, 199) n",
        account,
    )
    runs = [run(scene) for _ in range(2)]
    by_password(scene)
    asked = scene.guest.http.get("/login/guest").text
    for words in (
        "Against yourself: 1",
        "blocked the other: 1",
        "Rated and tournament games stay with who played them: 1",
        "No room in your account",
    ):
        assert words in asked, words
    left = scene.guest.http.post("/login/guest", data={"choice": "bring", "next": "/watch"})
    assert left.url.path == "/login/guest"
    assert all(guest in players(scene, game_id) for game_id in kept.values())
    assert [whose() for whose in runs] == [{guest}, {scene.owner.username}]
    scene.guest.http.post("/logout")
    assert scene.name_in(scene.guest) == guest


@pytest.mark.parametrize("thing", THINGS)
def test_a_guest_who_has_only_one_thing_is_asked(scene, thing):
    whose = thing(scene)
    by_password(scene)
    assert "Move it to my account" in scene.guest.http.get("/login/guest").text
    scene.guest.http.post("/login/guest", data={"choice": "bring", "next": "/watch"})
    assert whose() == {scene.owner.username}


def test_a_board_of_the_day_that_both_have_tried_stays_with_the_guest(scene):
    scene.owner.http.post("/solitaire/daily/up_and_up/play")
    scene.guest.http.post("/solitaire/daily/up_and_up/play")
    by_password(scene)
    scene.guest.http.post("/login/guest", data={"choice": "bring", "next": "/watch"})
    of_own_game = "SELECT t.account_id FROM solo_day_tries t JOIN games g ON g.id = t.game_id"
    assert scene.who(f"{of_own_game} AND g.first_player = t.account_id") >= scene.both


def test_a_guest_who_has_nothing_is_not_asked(scene):
    assert "stay with the guest" not in scene.guest.http.get("/login").text
    form = {"username": scene.owner.username, "password": PASSWORD, "next": "/watch"}
    assert scene.guest.http.post("/login", data=form).url.path == "/watch"
    scene.guest.http.post("/logout")
    assert scene.guest.http.get("/account").url.path == "/login"


def test_a_cookie_that_was_planted_is_worth_nothing_after_the_log_in(scene):
    whose = run(scene)
    guest = scene.name_in(scene.guest)
    planted = dict(scene.guest.http.cookies)
    by_password(scene)
    attacker = Visitor(scene.server)
    attacker.http.cookies.update(planted)
    assert attacker.http.get("/account").url.path == "/login"
    scene.guest.http.post("/logout")
    assert (scene.name_in(scene.guest), whose()) == (guest, {guest})


def test_the_name_of_a_guest_who_has_moved_leads_to_the_account(scene):
    guest = scene.name_in(scene.guest)
    lesson(scene)
    by_password(scene)
    scene.guest.http.post("/login/guest", data={"choice": "bring"})
    assert scene.friend.http.get(f"/players/{guest}").json()["username"] == scene.owner.username
    assert scene.friend.http.put(f"/players/{guest}/block").status_code == 204


def test_the_name_of_a_guest_who_registers_leads_to_the_account(scene):
    guest = scene.name_in(scene.guest)
    scene.guest.register()
    assert scene.friend.http.get(f"/players/{guest}").json()["username"] == scene.guest.username


def test_what_is_said_in_a_game_and_who_is_blocked_is_the_accounts(scene):
    game_id = accepted(scene, scene.friend, time_control=LIVE)
    scene.guest.http.post(f"/games/{game_id}/chat", data={"room": "players", "greeting": "hello"})
    nuisance = Program(scene.server)
    scene.guest.http.post(f"/players/{nuisance.username}/block")
    scene.friend.http.put(f"/players/{scene.name_in(scene.guest)}/mute")
    by_password(scene)
    scene.guest.http.post("/login/guest", data={"choice": "bring"})
    said = scene.who("SELECT account_id FROM chat_messages WHERE game_id = $1", game_id)
    blocking = "SELECT account_id FROM relations r JOIN accounts a ON a.id = r.other_id WHERE a.username = $1"
    assert said <= {scene.owner.username}
    assert scene.who(blocking, nuisance.username) == {scene.owner.username}
    assert scene.who(blocking, scene.owner.username) == {scene.friend.username}


def test_a_guest_who_logs_in_looks_for_no_game_any_more(scene):
    search = "INSERT INTO searches (account_id, wanted, until) SELECT id, '[]', now() + interval '1 minute'"
    guest = scene.name_in(scene.guest)
    execute(scene.database_url, f"{search} FROM accounts WHERE username = $1", guest)
    by_password(scene)
    open_ones = "SELECT account_id FROM searches WHERE until > now()"
    assert guest not in scene.who(open_ones)


def test_the_clock_of_a_game_that_comes_along_stops_for_a_vacation(scene):
    game_id = accepted(scene, scene.friend, time_control=DAYS)
    scene.friend.move(game_id, "c4", 0)  # it is the guest's turn
    scene.owner.http.post("/account/vacation", data={"days": "5"})
    by_password(scene)
    before = datetime.fromisoformat(scene.friend.snapshot(game_id)["deadline"])
    scene.guest.http.post("/login/guest", data={"choice": "bring", "next": "/watch"})

    def stops():
        is_due = not fetch(scene.database_url, "SELECT is_settled FROM vacations")[0]  # the schedule will
        after = datetime.fromisoformat(scene.friend.snapshot(game_id)["deadline"])
        return is_due or after > before + timedelta(days=4)

    wait_until(stops)
