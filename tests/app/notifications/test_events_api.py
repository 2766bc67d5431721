"""The event stream of an account."""

from tests.support.event_stream import Follower
from tests.support.games import BLITZ, post


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


def test_a_stream_starts_with_pending_events_and_reports_a_declined_challenge(program, other):
    challenge = program.challenge(opponent=other.username).json()["id"]
    follower, hopeful = Follower(other), Follower(program)
    assert follower.wait_for("challenge")["challenge"]["id"] == challenge
    post(other, f"/challenges/{challenge}/decline", reason="later")
    assert hopeful.wait_for("challenge_declined")["challenge"]["decline_reason"] == "later"
    for listener in (follower, hopeful):
        listener.over.set()
