"""Finding opponents, rated games, takebacks and streams through the JSON API."""

import threading
import time

import httpx
import orjson
import pytest

from tests.app.lobby.test_challenges_api import code, ids
from tests.support.players import Match, Program, Visitor
from tests.support.workers import execute

BLITZ = {"kind": "realtime", "limit": 300, "increment": 5}


@pytest.fixture
def maker(server):
    return Program(server)


@pytest.fixture
def other(server):
    return Program(server)


def rated_game(black, white, **members):
    """Start a rated game and give its id."""
    made = black.challenge(opponent=white.username, side="black", rated=True, **members)
    assert made.status_code == 201, made.text
    return white.http.post(f"/challenges/{made.json()['id']}/accept").json()["game_id"]


def rating(program):
    return program.http.get("/me").json()["ratings"].get("jadejack")


def post(program, path, **body):
    return program.http.post(path, json=body or None)


class TestChallenges:
    def test_terms_are_kept_and_shown(self, maker, other):
        made = maker.challenge(time_control=BLITZ, rated=True, rating_min=1400, rating_max=1600).json()
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

    def test_of_two_who_accept_at_once_one_gets_it(self, server, maker):
        for _ in range(5):
            challenge = maker.challenge(opponent="link").json()["id"]
            rivals = [Program(server), Program(server)]
            answers = [None, None]

            def accept(place, rivals=rivals, answers=answers, challenge=challenge):
                answers[place] = post(rivals[place], f"/challenges/{challenge}/accept")

            threads = [threading.Thread(target=accept, args=[place]) for place in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert sorted(answer.status_code for answer in answers) == [200, 409]
            refused = next(answer for answer in answers if answer.status_code == 409)
            assert code(refused) == (409, "challenge_closed")

    def test_who_is_out_of_range_is_told_why(self, maker, other):
        rated_game_lost = rated_game(maker, other)
        post(maker, f"/games/{rated_game_lost}/resign")  # 1338 to 1662 now
        challenge = other.challenge(rating_min=1500).json()["id"]
        refused = post(maker, f"/challenges/{challenge}/accept")
        assert code(refused) == (403, "rating_out_of_range")
        assert "1500 or more; yours is 1338" in refused.json()["detail"]

    def test_guests_play_casual_games_only(self, server, maker):
        guest = Visitor(server)
        challenge = maker.challenge(rated=True, opponent="link").json()["id"]
        answer = guest.http.post(f"/challenges/{challenge}/accept")
        assert answer.status_code == 403
        assert "Register or log in" in answer.text
        answer = guest.http.post("/challenges", data={"rated": "yes", "clock": "realtime"})
        assert answer.status_code == 403
        name = guest.http.get("/account").text.split("<h1>")[1].split("</h1>")[0]
        assert code(maker.challenge(opponent=name, rated=True)) == (422, "guests_play_casual")

    def test_a_reason_for_declining_reaches_the_maker(self, maker, other):
        challenge = maker.challenge(opponent=other.username).json()["id"]
        assert code(post(other, f"/challenges/{challenge}/decline", reason="rudeness")) == (422, "bad_reason")
        assert post(other, f"/challenges/{challenge}/decline", reason="speed").status_code == 200
        assert maker.http.get(f"/challenges/{challenge}").json()["decline_reason"] == "speed"

    def test_pairing_finds_the_one_who_wants_the_same(self, server, maker, other):
        terms = {"game": "jadejack", "options": {"size": 13}, "time_control": {**BLITZ, "increment": 7}}
        waiting = post(maker, "/challenges/pair", **terms).json()
        assert waiting["game_id"] is None
        for different in ({"options": {"size": 12}}, {"rated": True}, {"time_control": BLITZ}):
            answer = post(Program(server), "/challenges/pair", **{**terms, **different}).json()
            assert answer["game_id"] is None
        assert post(maker, "/challenges/pair", **terms).json()["game_id"] is None  # not against oneself
        found = post(other, "/challenges/pair", **terms).json()
        assert found["game_id"] is not None
        players = other.snapshot(found["game_id"])["players"].values()
        assert {player["username"] for player in players} == {maker.username, other.username}

    def test_a_realtime_challenge_goes_with_its_maker(self, maker, other):
        with httpx.stream(
            "GET", f"{maker.server.url}/api/v1/events", headers=maker.http.headers, timeout=20
        ) as stream:
            next(stream.iter_raw())
            fleeting = maker.challenge(time_control=BLITZ).json()["id"]
            patient = maker.challenge(time_control={"kind": "correspondence", "days": 3}).json()["id"]
            assert {fleeting, patient} <= ids(other)
        deadline = time.monotonic() + 15
        while fleeting in ids(other):
            assert time.monotonic() < deadline
            time.sleep(0.2)
        assert maker.http.get(f"/challenges/{fleeting}").json()["status"] == "expired"
        assert patient in ids(other)

    def test_nobody_challenges_a_closed_account(self, server, maker):
        gone = Visitor(server).register()
        waiting = maker.challenge(opponent=gone.username).json()["id"]
        wrong = gone.http.post("/account/close", data={"close_password": "not that one"})
        assert wrong.status_code == 422
        assert "Your password is incorrect" in wrong.text
        assert (
            gone.http.post("/account/close", data={"close_password": "quite a long password"}).status_code
            == 200
        )
        assert code(maker.challenge(opponent=gone.username)) == (422, "closed_account")
        assert maker.http.get(f"/challenges/{waiting}").json()["status"] == "cancelled"
        again = gone.http.post(
            "/login", data={"username": gone.username, "password": "quite a long password"}
        )
        assert again.status_code == 401

    def test_an_account_with_games_under_way_stays_open(self, server, maker):
        player = Visitor(server).register()
        challenge = maker.challenge(opponent="link").json()["id"]
        player.http.post(f"/challenges/{challenge}/accept")
        refused = player.http.post("/account/close", data={"close_password": "quite a long password"})
        assert refused.status_code == 422
        assert "games under way" in refused.text


class TestRatings:
    def test_a_rated_game_moves_both_ratings_once(self, maker, other):
        game = rated_game(maker, other, time_control=BLITZ)
        assert (rating(maker), rating(other)) == (None, None)
        end = post(maker, f"/games/{game}/resign").json()
        assert end["result"]["winner"] == "white"
        assert rating(maker) == {"rating": 1338, "deviation": 290, "provisional": True, "games": 1}
        assert rating(other) == {"rating": 1662, "deviation": 290, "provisional": True, "games": 1}
        assert code(post(other, f"/games/{game}/resign")) == (409, "game_over")
        assert rating(maker)["games"] == 1

    def test_casual_and_aborted_games_move_none(self, maker, other):
        aborted = rated_game(maker, other)
        assert post(maker, f"/games/{aborted}/abort").json()["status"] == "aborted"
        casual = maker.challenge(opponent=other.username).json()["id"]
        game = post(other, f"/challenges/{casual}/accept").json()["game_id"]
        post(other, f"/games/{game}/resign")
        assert (rating(maker), rating(other)) == (None, None)

    def test_games_of_the_same_players_that_end_at_once_all_count(self, maker, other):
        games = [rated_game(*pair) for pair in [(maker, other), (other, maker)] * 3]
        threads = [threading.Thread(target=post, args=[maker, f"/games/{game}/resign"]) for game in games]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (rating(maker)["games"], rating(other)["games"]) == (6, 6)
        assert rating(maker)["rating"] + rating(other)["rating"] == pytest.approx(3000, abs=2)


class TestTakebacks:
    def test_asked_and_granted(self, server):
        match = Match(server)
        match.play("c4", "g6", "d4")
        assert post(match.black, f"/games/{match.id}/takeback").json()["takeback"] == "black"
        assert code(post(match.black, f"/games/{match.id}/takeback")) == (409, "already_asked")
        after = post(match.white, f"/games/{match.id}/takeback").json()
        assert (after["moves"], after["ply"], after["side_to_move"]) == (["c4", "g6"], 2, "black")
        assert after["takeback"] is None
        # There is no taking back of a takeback, nor another right after it.
        for player in (match.black, match.white):
            assert code(post(player, f"/games/{match.id}/takeback")) == (409, "just_taken_back")
        match.ply = 2
        assert match.play("e4")["moves"] == ["c4", "g6", "e4"]

    def test_after_the_opponents_move_both_are_taken_back(self, server):
        match = Match(server)
        match.play("c4", "g6", "d4", "f6")
        with match.white.socket(match.id) as socket:
            post(match.black, f"/games/{match.id}/takeback")
            assert socket.receive_until("snapshot")["takeback"] == "black"
            post(match.white, f"/games/{match.id}/takeback")
            assert socket.receive_until("snapshot")["moves"] == ["c4", "g6"]

    def test_refused_or_given_up_or_overtaken_by_a_move(self, server):
        match = Match(server)
        match.play("c4")
        assert code(post(match.white, f"/games/{match.id}/takeback")) == (409, "nothing_to_take_back")
        for player in (match.white, match.black):
            post(match.black, f"/games/{match.id}/takeback")
            after = post(player, f"/games/{match.id}/takeback/decline").json()
            assert (after["takeback"], after["moves"]) == (None, ["c4"])
        assert code(post(match.white, f"/games/{match.id}/takeback/decline")) == (409, "nothing_asked")
        post(match.black, f"/games/{match.id}/takeback")
        assert match.play("g6")["takeback"] is None

    def test_not_in_rated_games_nor_by_onlookers(self, maker, other, server):
        game = rated_game(maker, other)
        maker.move(game, "c4", 0)
        assert code(post(maker, f"/games/{game}/takeback")) == (409, "rated_game")
        assert code(post(Program(server), f"/games/{game}/takeback")) == (403, "not_a_player")


class TestAbortAndClaim:
    def test_a_game_can_be_called_off_before_the_second_move(self, server):
        match = Match(server)
        match.play("c4")
        assert post(match.white, f"/games/{match.id}/abort").json()["result"]["termination"] == "abort"
        later = Match(server)
        later.play("c4", "g6")
        assert code(post(later.white, f"/games/{later.id}/abort")) == (409, "too_late_to_abort")

    def test_a_claim_too_early_says_when(self, maker, other):
        game = rated_game(maker, other, time_control=BLITZ)
        maker.move(game, "c4", 0)
        refused = post(maker, f"/games/{game}/claim")
        assert code(refused) == (409, "too_early")
        assert 55 <= refused.json()["seconds"] <= 60
        with other.socket(game):
            time.sleep(0.2)
            assert code(post(maker, f"/games/{game}/claim")) == (409, "not_left")

    def test_nothing_is_claimed_without_a_clock(self, server):
        match = Match(server)
        match.play("c4")
        assert code(post(match.black, f"/games/{match.id}/claim")) == (409, "not_left")


class TestRematch:
    def test_offered_and_accepted_with_sides_exchanged(self, maker, other):
        game = rated_game(maker, other, time_control=BLITZ)
        assert code(post(maker, f"/games/{game}/rematch")) == (409, "game_under_way")
        post(maker, f"/games/{game}/resign")
        offered = post(maker, f"/games/{game}/rematch").json()
        assert offered["game_id"] is None
        assert post(maker, f"/games/{game}/rematch").json() == offered  # asking twice offers one
        started = post(other, f"/games/{game}/rematch").json()["game_id"]
        again = other.snapshot(started)
        assert again["players"]["black"]["username"] == other.username
        assert again["players"]["white"]["username"] == maker.username
        assert (again["time_control"], again["rated"], again["options"]) == (BLITZ, True, {"size": 9})

    def test_only_between_the_players(self, server, maker, other):
        game = rated_game(maker, other)
        post(maker, f"/games/{game}/resign")
        assert code(post(Program(server), f"/games/{game}/rematch")) == (403, "not_a_player")
        offered = post(maker, f"/games/{game}/rematch").json()["challenge_id"]
        assert post(other, f"/challenges/{offered}/decline", reason="later").status_code == 200


class Follower:
    """A program that reads its event stream in a thread of its own."""

    def __init__(self, program):
        self.program = program
        self.events = []
        self.changed = threading.Condition()
        self.over = threading.Event()
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self):
        url = f"{self.program.server.url}/api/v1/events"
        with (
            httpx.Client(timeout=30) as client,
            client.stream("GET", url, headers=dict(self.program.http.headers)) as stream,
        ):
            for line in stream.iter_lines():
                if self.over.is_set():
                    return
                if line:
                    with self.changed:
                        self.events.append(orjson.loads(line))
                        self.changed.notify_all()

    def wait_for(self, kind, count=1):
        def enough():
            return sum(event["type"] == kind for event in self.events) >= count

        with self.changed:
            assert self.changed.wait_for(enough, timeout=15), (kind, self.events)
            return [event for event in self.events if event["type"] == kind][count - 1]


class TestEvents:
    def test_two_programs_play_a_game_by_their_streams_alone(self, maker, other):
        black, white = Follower(maker), Follower(other)
        maker.challenge(opponent=other.username, side="black", time_control=BLITZ, rated=True)
        challenge = white.wait_for("challenge")["challenge"]
        assert challenge["maker"] == maker.username
        post(other, f"/challenges/{challenge['id']}/accept")
        game = black.wait_for("game_started")["game"]
        assert white.wait_for("game_started")["game"]["id"] == game["id"]
        for number, moves in enumerate((("c4", "g6"), ("d4", "f6"), ("pass", "pass")), 1):
            for follower, move in zip((black, white), moves, strict=True):
                turn = follower.wait_for("my_turn", number)
                assert turn["game_id"] == game["id"]
                assert follower.program.move(game["id"], move, turn["ply"]).status_code == 200
        for follower in (black, white):
            finished = follower.wait_for("game_finished")["game"]
            assert finished["result"]["termination"] == "passes"
            follower.over.set()

    def test_what_waits_already_is_told_first_and_a_declined_challenge_too(self, maker, other):
        challenge = maker.challenge(opponent=other.username).json()["id"]
        follower, hopeful = Follower(other), Follower(maker)
        assert follower.wait_for("challenge")["challenge"]["id"] == challenge
        time.sleep(0.3)
        post(other, f"/challenges/{challenge}/decline", reason="later")
        assert hopeful.wait_for("challenge_declined")["challenge"]["decline_reason"] == "later"
        for one in (follower, hopeful):
            one.over.set()


class TestTokens:
    def test_a_token_to_look_may_not_play(self, server, maker):
        body = {"username": maker.username, "password": "quite a long password", "scopes": ["read"]}
        token = maker.http.post("/tokens", json=body).json()["token"]
        headers = {"Authorization": f"Bearer {token}"}
        assert httpx.get(f"{server.url}/api/v1/me", headers=headers).json()["username"] == maker.username
        refused = httpx.post(f"{server.url}/api/v1/challenges", headers=headers, json={"game": "jadejack"})
        assert code(refused) == (403, "missing_scope")

    def test_an_expired_token_is_refused(self, server, maker, database_url):
        body = {"username": maker.username, "password": "quite a long password", "expires_in_days": 1}
        token = maker.http.post("/tokens", json=body).json()["token"]
        headers = {"Authorization": f"Bearer {token}"}
        assert httpx.get(f"{server.url}/api/v1/me", headers=headers).status_code == 200
        execute(
            database_url,
            "UPDATE api_tokens SET expires_at = now() WHERE expires_at IS NOT NULL AND account_id = "
            "(SELECT id FROM accounts WHERE username = $1)",
            maker.username,
        )
        assert code(httpx.get(f"{server.url}/api/v1/me", headers=headers)) == (401, "unauthenticated")


class TestRecords:
    def test_a_game_goes_out_and_comes_back_in(self, server):
        match = Match(server)
        end = match.play("c4", "g6", "d4", "f6", "pass", "pass")
        text = match.black.http.get(f"/games/{match.id}/export").text
        assert text.startswith('[Game "jadejack"]\n[Players "2"]\n[Options "size=9"]\n')
        assert text.endswith("1. c4 g6\n2. d4 f6\n3. pass pass\n")
        read = match.black.http.post("/records/check", json={"record": text}).json()
        assert (read["moves"], read["position"]) == (end["moves"], end["position"])
        assert read["headers"]["Black"] == match.black.username
        assert read["headers"]["Termination"] == "passes"

    def test_a_damaged_record_is_refused_with_ply_and_reason(self, maker):
        for text, ply, reason in (
            ("nothing of the kind", None, "unknown_game"),
            ('[Game "jadejack"]\nc4 c4', 2, "too_weak_to_hijack"),
            ('[Game "jadejack"]\nc4 %%', 2, "move_syntax"),
        ):
            answer = maker.http.post("/records/check", json={"record": text})
            assert code(answer) == (422, "bad_record")
            assert (answer.json()["ply"], answer.json()["reason"]) == (ply, reason)
