"""The event stream of an account."""

import threading

import orjson

from tests.support import plain_http
from tests.support.games import BLITZ, post
from tests.support.waiting import WITHIN


class Follower:
    """A program's event stream, read in another thread."""

    def __init__(self, program):
        self.program = program
        self.events = []
        self.changed = threading.Condition()
        self.started = threading.Event()
        self.over = threading.Event()
        threading.Thread(target=self._follow, daemon=True).start()
        assert self.started.wait(25)  # seconds; a heartbeat is sent every 20

    def _follow(self):
        url = f"{self.program.server.url}/api/v1/events"
        with (
            plain_http.Client(timeout=WITHIN) as client,
            client.stream("GET", url, headers=dict(self.program.http.headers)) as stream,
        ):
            for line in stream.iter_lines():
                self.started.set()
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
            assert self.changed.wait_for(enough, timeout=WITHIN), (kind, self.events)
            return [event for event in self.events if event["type"] == kind][count - 1]


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
