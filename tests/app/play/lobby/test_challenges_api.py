"""Challenges through the JSON API: made, seen, accepted, declined, paired, expired."""

from tests.support import plain_http
from tests.support.answers import code
from tests.support.database import execute
from tests.support.games import BLITZ, lost_rated_game, post
from tests.support.players import Program, Visitor, fresh_name
from tests.support.threads import at_once
from tests.support.waiting import WITHIN, wait_until


def ids(program):
    return {challenge["id"] for challenge in program.http.get("/challenges").json()}


def test_an_open_challenge_is_in_the_lobby_until_it_is_accepted(server, program):
    other = Program(server)
    made = program.challenge(side="white").json()
    assert made["status"] == "open"
    assert made["id"] in ids(other)
    game_id = other.http.post(f"/challenges/{made['id']}/accept").json()["game_id"]
    assert made["id"] not in ids(other)
    assert program.http.get(f"/challenges/{made['id']}").json()["game_id"] == game_id
    players = program.snapshot(game_id)["players"]
    assert players["white"]["username"] == program.username
    assert players["black"]["username"] == other.username


def test_links_and_direct_challenges_are_visible_to_their_players_only(server, program):
    friend, stranger = Program(server), Program(server)
    link = program.challenge(opponent="link").json()["id"]
    direct = program.challenge(opponent=friend.username.upper()).json()["id"]
    assert {link, direct} <= ids(program)
    assert ids(friend) & {link, direct} == {direct}
    assert not ids(stranger) & {link, direct}
    assert stranger.http.post(f"/challenges/{link}/accept").status_code == 200
    assert code(stranger.http.post(f"/challenges/{direct}/accept")) == (403, "not_yours")
    declined = friend.http.post(f"/challenges/{direct}/decline")
    assert declined.json()["status"] == "declined"


def test_invalid_challenges_are_refused(server, program):
    for members, expected in (
        ({"options": {"size": 7}}, "bad_options"),
        ({"options": {"width": 9}}, "bad_options"),
        ({"side": "first"}, "bad_side"),
        ({"game": "chess"}, "unknown_game"),
        ({"opponent": "nobody-of-that-name"}, "unknown_opponent"),
        ({"opponent": "\x00"}, "unknown_opponent"),
        ({"opponent": program.username}, "self_challenge"),
        ({"time_control": {"kind": "realtime", "limit": 59, "increment": 5}}, "bad_time_control"),
        ({"time_control": {"kind": "realtime", "limit": 300, "increment": 181}}, "bad_time_control"),
        ({"time_control": {"kind": "realtime", "limit": 300}}, "invalid_request"),
        ({"time_control": {"kind": "correspondence", "days": 4}}, "bad_time_control"),
        ({"time_control": {"kind": "hourglass"}}, "invalid_request"),
        ({"rating_min": 1600}, "bad_rating_range"),
        ({"rating_max": 1400}, "bad_rating_range"),
        ({"rating_min": 1600, "rating_max": 1400}, "bad_rating_range"),
        ({"rating_min": 3}, "bad_rating_range"),
        ({"colour": "red"}, "invalid_request"),
    ):
        assert code(program.challenge(**members)) == (422, expected), members
    assert not ids(program) & {
        challenge["id"]
        for challenge in program.http.get("/challenges").json()
        if challenge["maker"] == program.username
    }


def test_only_the_maker_cancels_and_nobody_accepts_their_own(server, program):
    challenge = program.challenge().json()["id"]
    assert code(program.http.post(f"/challenges/{challenge}/accept")) == (403, "own_challenge")
    assert code(Program(server).http.post(f"/challenges/{challenge}/cancel")) == (403, "not_yours")
    assert program.http.post(f"/challenges/{challenge}/cancel").json()["status"] == "cancelled"
    assert code(program.http.post(f"/challenges/{challenge}/cancel")) == (409, "challenge_closed")
    assert code(Program(server).http.post(f"/challenges/{challenge}/accept")) == (409, "challenge_closed")
    assert code(program.http.post("/challenges/nosuchone/accept")) == (404, "not_found")


def test_a_player_has_so_many_open_challenges(program):
    for most, members in ((2, {}), (3, {"opponent": "link"})):
        made = [program.challenge(**members).status_code for _ in range(most + 1)]
        assert made == [201] * most + [409]
    assert code(program.challenge(opponent="link")) == (409, "too_many_challenges")


def test_a_player_has_so_many_games_against_the_computer(program):
    games = [program.challenge(opponent="Gorrion-1") for _ in range(6)]
    assert [game.status_code for game in games] == [201] * 5 + [409]
    assert code(games[-1]) == (409, "too_many_computer_games")
    program.http.post(f"/games/{games[0].json()['game_id']}/resign")
    assert program.challenge(opponent="Gorrion-1").status_code == 201


def test_terms_are_kept_and_shown(program, other):
    made = program.challenge(time_control=BLITZ, rated=True, rating_min=1400, rating_max=1600).json()
    shown = other.http.get(f"/challenges/{made['id']}").json()
    assert shown["time_control"] == BLITZ
    assert (shown["rated"], shown["rating_min"], shown["rating_max"]) == (True, 1400, 1600)
    assert shown["maker_rating"] == {"rating": 1500, "provisional": True}
    game = other.snapshot(post(other, f"/challenges/{made['id']}/accept").json()["game_id"])
    assert game["rated"] is True
    assert game["time_control"] == BLITZ
    assert game["clock"] == {"black": 300_000, "white": 300_000}
    assert game["deadline"] is not None
    assert game["players"]["black"]["rating"] == 1500
    assert game["players"]["black"]["provisional"] is True


def test_one_of_two_players_who_accept_at_once_gets_the_game(server, program):
    for _ in range(5):
        challenge = program.challenge(opponent="link").json()["id"]
        answers = at_once(
            lambda rival, challenge=challenge: post(rival, f"/challenges/{challenge}/accept"),
            [Program(server), Program(server)],
        )
        accepted, refused = sorted(answers, key=lambda answer: answer.status_code)
        assert accepted.status_code == 200
        assert code(refused) == (409, "challenge_closed")


def test_a_player_outside_the_rating_range_is_told_why(program, other):
    lost_rated_game(program, other)  # 1338 to 1662 now
    challenge = other.challenge(rating_min=1500).json()["id"]
    refused = post(program, f"/challenges/{challenge}/accept")
    assert code(refused) == (403, "rating_out_of_range")
    assert "1500 or more; yours is 1338" in refused.json()["detail"]


def test_guests_play_casual_games_only(server, program):
    guest = Visitor(server)
    challenge = program.challenge(rated=True, opponent="link").json()["id"]
    answer = guest.http.post(f"/challenges/{challenge}/accept")
    assert answer.status_code == 403
    assert "Register or log in" in answer.text
    answer = guest.http.post("/challenges", data={"rated": "yes", "clock": "realtime"})
    assert answer.status_code == 403
    name = guest.http.get("/account").text.split("<h1>")[1].split("</h1>")[0]
    assert code(program.challenge(opponent=name, rated=True)) == (422, "guests_play_casual")


def test_a_reason_for_declining_reaches_the_maker(program, other):
    challenge = program.challenge(opponent=other.username).json()["id"]
    assert code(post(other, f"/challenges/{challenge}/decline", reason="rudeness")) == (422, "bad_reason")
    assert post(other, f"/challenges/{challenge}/decline", reason="speed").status_code == 200
    assert program.http.get(f"/challenges/{challenge}").json()["decline_reason"] == "speed"


def test_pairing_finds_a_player_who_wants_the_same_terms(server, program, other):
    terms = {"game": "jadejack", "options": {"size": 13}, "time_control": {**BLITZ, "increment": 7}}
    waiting, *again = at_once(lambda player: post(player, "/challenges/pair", **terms).json(), [program] * 3)
    assert again == [waiting] * 2  # nobody is paired with themselves, or waits twice
    assert waiting["game_id"] is None
    for different in ({"options": {"size": 12}}, {"rated": True}, {"time_control": BLITZ}):
        answer = post(Program(server), "/challenges/pair", **{**terms, **different}).json()
        assert answer["game_id"] is None
    paired = post(other, "/challenges/pair", **terms).json()
    assert paired["game_id"] is not None
    players = other.snapshot(paired["game_id"])["players"].values()
    assert {player["username"] for player in players} == {program.username, other.username}


def test_who_begins_a_realtime_game_from_the_lobby_waits_there_for_no_other_one(program, other):
    days = {"kind": "correspondence", "days": 3}
    taken, waiting = (program.challenge(time_control=BLITZ).json()["id"] for _ in range(2))
    link = program.challenge(time_control=BLITZ, opponent="link").json()["id"]
    own, patient = (other.challenge(time_control=control).json()["id"] for control in (BLITZ, days))
    assert post(other, f"/challenges/{taken}/accept").status_code == 200
    for status, challenges in (("cancelled", (waiting, own)), ("open", (link, patient))):
        for challenge in challenges:
            assert program.http.get(f"/challenges/{challenge}").json()["status"] == status


def test_who_begins_a_realtime_game_against_the_computer_waits_in_the_lobby_for_no_other_one(program):
    waiting = program.challenge(time_control=BLITZ).json()["id"]
    for control, status in ((None, "open"), (BLITZ, "cancelled")):
        assert program.challenge(time_control=control, opponent="gorrion-1").status_code == 201
        assert program.http.get(f"/challenges/{waiting}").json()["status"] == status


def test_a_realtime_challenge_expires_when_its_maker_has_left(program, other):
    with plain_http.stream(
        "GET", f"{program.server.url}/api/v1/events", headers=program.http.headers, timeout=WITHIN
    ) as stream:
        next(stream.iter_raw())
        fleeting = program.challenge(time_control=BLITZ).json()["id"]
        patient = program.challenge(time_control={"kind": "correspondence", "days": 3}).json()["id"]
        assert {fleeting, patient} <= ids(other)
    wait_until(lambda: fleeting not in ids(other))
    assert program.http.get(f"/challenges/{fleeting}").json()["status"] == "expired"
    assert patient in ids(other)


def test_guests_push_no_challenge_of_others_out_of_the_lobby(program, other, database_url):
    made = program.challenge().json()["id"]
    guests = """
        WITH guests AS (
            INSERT INTO accounts (username) SELECT 'guest-' || $1 || n FROM generate_series(1, 120) n
            RETURNING id
        )
        INSERT INTO challenges (id, game, options, kind, maker_id, side, status)
        SELECT $1 || guests.id, 'jadejack', '{"size": 9}', 'open', guests.id, 'random', 'open' FROM guests
    """
    prefix = fresh_name()
    execute(database_url, guests, prefix)
    listed = [each["id"] for each in other.http.get("/challenges").json()]
    execute(database_url, "DELETE FROM challenges WHERE starts_with(id, $1)", prefix)
    assert made in listed
    assert any(each.startswith(prefix) for each in listed)
