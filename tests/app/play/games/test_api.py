"""Playing through the JSON API: answers, and errors for every kind of bad input."""

import json
import random
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from jsonschema_rs import validator_for
from pydantic import TypeAdapter

from app.play.games.schemas import Snapshot
from engine import clock
from engine.registry import GAMES, SOLITAIRE
from tests.support.answers import assert_problem
from tests.support.players import Match, Program

RULES = GAMES["jadejack"]
SNAPSHOT = TypeAdapter(Snapshot)


@pytest.fixture
def match(server):
    return Match(server)


def test_a_game_from_the_first_disk_to_the_counted_score(match):
    position, rng = RULES.initial({"size": 9}), random.Random(7)
    for _ in range(30):
        snapshot = match.black.snapshot(match.id)
        SNAPSHOT.validate_python(snapshot)
        assert snapshot["position"] == RULES.format(position)
        assert snapshot["legal_moves"] == RULES.legal_moves(position)
        assert snapshot["score"] == RULES.score(position)
        move = rng.choice([move for move in snapshot["legal_moves"] if move != "pass"])
        match.play(move)
        position = RULES.play(position, move)
    end = match.play("pass", "pass")
    assert end["status"] == "finished"
    assert end["legal_moves"] == []
    assert end["side_to_move"] is None
    score = RULES.score(position)
    assert end["result"] == {"winner": max(score, key=score.get), "termination": "passes", "score": score}


def test_a_repeated_move_gets_the_same_answer_and_is_stored_once(match):
    move_id = uuid.uuid4()
    first = match.black.move(match.id, "c4", 0, move_id)
    again = match.black.move(match.id, "c4", 0, move_id)
    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()
    assert again.json()["moves"] == ["c4"]


def test_a_repeated_move_is_recognised_after_later_moves(match):
    move_id = uuid.uuid4()
    match.black.move(match.id, "c4", 0, move_id)
    match.white.move(match.id, "g6", 1)
    again = match.black.move(match.id, "c4", 0, move_id)
    assert again.status_code == 200
    assert again.json()["moves"] == ["c4", "g6"]


def test_a_move_id_belongs_to_one_move(match):
    move_id = uuid.uuid4()
    match.black.move(match.id, "c4", 0, move_id)
    match.white.move(match.id, "g6", 1)
    assert_problem(match.black.move(match.id, "d4", 2, move_id), 409, "move_id_reused")
    # Two tabs of one player share the move id but not the move: the second is stale.
    assert_problem(match.black.move(match.id, "d4", 0, move_id), 409, "stale_ply")


def test_of_fifty_moves_for_one_ply_one_is_played(match):
    squares = [move for move in match.black.snapshot(match.id)["legal_moves"] if move != "pass"][:50]
    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(lambda square: match.black.move(match.id, square, 0), squares))
    winners = [answer for answer in answers if answer.status_code == 200]
    assert len(winners) == 1
    for answer in answers:
        if answer is not winners[0]:
            body = assert_problem(answer, 409, "stale_ply")
            assert body["snapshot"]["moves"] == winners[0].json()["moves"]
    assert match.black.snapshot(match.id)["ply"] == 1


@pytest.mark.parametrize("ply", [-1, 1, 7])
def test_a_move_for_another_ply_is_refused(match, ply):
    answer = match.black.move(match.id, "c4", ply)
    if ply < 0:
        assert_problem(answer, 422, "invalid_request")
    else:
        assert assert_problem(answer, 409, "stale_ply")["snapshot"]["ply"] == 0
    assert match.black.snapshot(match.id)["moves"] == []


@pytest.mark.parametrize("move", ["z", "e55x", "PASS", "e5 ", "<script>", "٣٤", "\x00", "a0"])
def test_malformed_moves_are_refused(match, move):
    assert_problem(match.black.move(match.id, move, 0), 422, "move_syntax")
    assert match.black.snapshot(match.id)["ply"] == 0


@pytest.mark.parametrize(("move", "reason"), [("e5", "centre_first"), ("k3", "off_board")])
def test_an_illegal_move_has_a_reason(match, move, reason):
    assert assert_problem(match.black.move(match.id, move, 0), 422, "illegal_move")["reason"] == reason


def test_moves_out_of_turn_and_in_games_of_others_are_refused(server, match):
    assert_problem(match.white.move(match.id, "c4", 0), 403, "not_your_turn")
    assert_problem(Program(server).move(match.id, "c4", 0), 403, "not_a_player")
    assert_problem(Program(server).http.post(f"/games/{match.id}/resign"), 403, "not_a_player")
    assert match.black.snapshot(match.id)["ply"] == 0


@pytest.mark.parametrize("game_id", ["nosuchgame", "%00", "a%2Fb", "'; DROP TABLE games;--"])
def test_an_unknown_game_is_not_found(server, game_id):
    program = Program(server)
    assert_problem(program.http.get(f"/games/{game_id}"), 404, "not_found")
    assert_problem(program.move(game_id, "c4", 0), 404, "not_found")


def test_a_finished_game_takes_no_more_moves(match):
    match.play("c4", "pass", "pass")
    for answer in (match.white.move(match.id, "d4", 3), match.white.http.post(f"/games/{match.id}/resign")):
        body = assert_problem(answer, 409, "game_over")
        assert body["snapshot"]["status"] == "finished"


def test_resigning_ends_the_game_for_the_other_side(match):
    answer = match.black.http.post(f"/games/{match.id}/resign")
    assert answer.json()["result"]["winner"] == "white"
    assert answer.json()["result"]["termination"] == "resign"
    assert_problem(match.black.move(match.id, "c4", 0), 409, "game_over")


def test_an_unknown_field_is_an_error(match):
    body = {"move": "c4", "ply": 0, "move_id": str(uuid.uuid4()), "colour": "black"}
    refused = match.black.http.post(f"/games/{match.id}/moves", json=body)
    [fault] = assert_problem(refused, 422, "invalid_request")["errors"]
    assert fault["where"] == "body.colour"


def test_a_message_that_is_no_move_is_answered_with_what_is_wrong(match):
    move_id = str(uuid.uuid4())
    with match.black.socket(match.id) as socket:
        message = {"type": "move", "move": "c4", "move_id": move_id, "colour": "black"}
        socket.connection.send(json.dumps(message))
        answer = socket.receive_until("error")
        assert (answer["code"], answer["move_id"]) == ("invalid_request", move_id)
        assert {fault["where"] for fault in answer["errors"]} == {"ply", "colour"}
        assert "ply: Field required" in answer["detail"]
        socket.connection.send("c4")
        assert "This is not JSON" in socket.receive_until("error")["detail"]


@pytest.mark.parametrize(
    ("content", "status", "code"),
    [
        (b"{" + b" " * 10_000_000 + b"}", 413, "too_large"),
        (b"\xff\xfe{", 400, "bad_request"),
        (b"{", 422, "invalid_request"),
    ],
    ids=["10 MB", "broken UTF-8", "broken JSON"],
)
def test_an_unreadable_body_is_refused(match, content, status, code):
    answer = match.black.http.post(
        f"/games/{match.id}/moves", content=content, headers={"Content-Type": "application/json"}
    )
    assert_problem(answer, status, code)


def test_kinds_list_the_seats_and_options_of_each_game(program):
    kinds = {kind["key"]: kind for kind in program.http.get("/games/kinds").json()}
    seats = {key: (kind["seats"], kind["solitaire"]) for key, kind in kinds.items()}
    assert seats == {key: (len(rules.sides), key in SOLITAIRE) for key, rules in GAMES.items()}
    assert kinds["jadejack"]["options"]["size"] == {"minimum": 8, "maximum": 13, "default": 10}
    assert kinds["jumping_farther"]["options"]["rounds"] == {"minimum": 1, "maximum": 2, "default": 2}
    assert kinds["up_and_up"]["options"]["size"] == {"minimum": 1, "maximum": 12, "default": 8}


def test_kinds_say_how_games_for_one_are_started(program):
    solo = {kind["key"]: kind["solo"] for kind in program.http.get("/games/kinds").json()}
    assert {key for key, form in solo.items() if form} == set(SOLITAIRE)
    for key in SOLITAIRE:
        for choice in ("minimum", "maximum", "default"):
            options = {name: limits[choice] for name, limits in solo[key]["options"].items()}
            game = program.http.post("/games", json={"game": key, "options": options}).json()
            assert game["options"] == options
            assert list(game["players"]) == solo[key]["sides"]


def test_the_clocks_of_snapshots_are_described():
    schema = SNAPSHOT.json_schema(mode="serialization")
    clocks, _null = schema["properties"]["time_control"]["anyOf"]
    assert set(clocks["discriminator"]["mapping"]) == set(clock._KINDS)
    assert set(CLOCKS) == set(clock._KINDS)
    for kind, control in CLOCKS.items():
        stored = clock.control_to_dict(control)
        assert stored["kind"] == kind
        assert validator_for({**clocks, "$defs": schema["$defs"]}).is_valid(stored)


CLOCKS = {
    "realtime": clock.Realtime(300, 5),
    "byoyomi": clock.Byoyomi(600, 3, 30),
    "per_move": clock.PerMove(30),
    "correspondence": clock.Correspondence(3),
    "days_bank": clock.DaysBank(3, 1, 7),
    "race": clock.CommonDeadline(1796074660154),
    "day": clock.DayDeadline(1796074660154),
}


def test_the_server_plays_a_forced_pass_and_reports_it(server):
    """Find a game in which a side can only pass, and play it."""
    for seed in range(400):
        rng, position, moves = random.Random(seed), RULES.initial({"size": 8}), []
        while len(moves) < 400 and RULES.outcome(position) is None:
            legal = RULES.legal_moves(position)
            if legal == ["pass"]:
                break
            move = rng.choice([move for move in legal if move != "pass"])
            position = RULES.play(position, move)
            moves.append(move)
        if RULES.forced_move(position) == "pass":
            break
    else:
        pytest.fail("no game with a forced pass was found")
    match = Match(server, size=8)
    match.play(*moves[:-1])
    with match.black.socket(match.id) as socket:
        end = match.play(moves[-1])
        assert end["moves"][len(moves)] == "pass"
        events = [socket.receive(), socket.receive()]
    assert [event["automatic"] for event in events] == [False, True]
    assert events[1]["move"] == "pass"
