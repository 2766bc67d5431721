"""The event stream of an account."""

from concurrent.futures import ThreadPoolExecutor

from tests.support.database import execute, fetch
from tests.support.event_stream import Follower
from tests.support.games import BLITZ, post
from tests.support.players import Program
from tests.support.waiting import wait_until


def test_two_programs_play_a_game_by_their_streams_alone(program, other):
    black, white = Follower(program), Follower(other)
    program.challenge(opponent=other.username, side="black", time_control=BLITZ, rated=True)
    challenge = white.wait_for("challenge")["challenge"]
    assert challenge["maker"] == program.username
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


def test_a_stream_starts_with_the_messages_that_are_unread(program, other):
    for text in ("Read", "One", "Two"):
        post(program, f"/messages/{other.username}", text=text)
        if text == "Read":
            post(other, f"/messages/{program.username}/read")
    follower = Follower(other)
    post(program, f"/messages/{other.username}", text="Three")
    follower.wait_for("message", 3)
    texts = [event["message"]["text"] for event in follower.events if event["type"] == "message"]
    assert texts == ["One", "Two", "Three"]
    follower.over.set()


def test_a_game_of_a_friend_is_announced_once(server, program, other):
    program.http.put(f"/players/{other.username}/follow")
    follower, games = Follower(program), []
    for number in (1, 2):
        opponent = Program(server)
        games.append(other.begin(opponent))
        follower.wait_for("friend_playing", number)
    post(other, f"/games/{games[1]}/resign")
    post(program, f"/messages/{other.username}", text="Well played")
    post(other, f"/messages/{program.username}", text="Thanks")
    follower.wait_for("message")
    playing = [event["game_id"] for event in follower.events if event["type"] == "friend_playing"]
    assert playing == games
    follower.over.set()


def test_a_stream_that_has_sent_a_line_has_read_what_waits(program, database_url):
    lock = "BEGIN; LOCK challenges; SELECT pg_sleep(1); COMMIT"
    locks = (
        "SELECT count(*) FROM pg_locks WHERE relation = 'challenges'::regclass"
        " AND mode = 'AccessExclusiveLock' AND granted"
    )
    with ThreadPoolExecutor() as pool:
        pool.submit(execute, database_url, lock)
        wait_until(lambda: fetch(database_url, locks)[0])
        follower = Follower(program)
        assert fetch(database_url, locks)[0] == 0
    follower.over.set()


def test_a_stream_starts_with_pending_events_and_reports_a_declined_challenge(program, other):
    challenge = program.challenge(opponent=other.username).json()["id"]
    follower, hopeful = Follower(other), Follower(program)
    assert follower.wait_for("challenge")["challenge"]["id"] == challenge
    post(other, f"/challenges/{challenge}/decline", reason="later")
    assert hopeful.wait_for("challenge_declined")["challenge"]["decline_reason"] == "later"
    for listener in (follower, hopeful):
        listener.over.set()
