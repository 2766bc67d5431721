"""Matches of two rounds through the JSON API."""

from engine.registry import FOR_TWO
from tests.support.answers import code


def start(program, other, **options):
    body = {"game": "jumping_farther", "opponent": other.username, "side": "first", "rated": True}
    made = program.http.post("/challenges", json={**body, "options": options})
    assert made.status_code == 201, made.text
    return other.http.post(f"/challenges/{made.json()['id']}/accept").json()["game_id"]


def play_out(players, game_id):
    """Play the last legal move until the end, and return the sides that moved and the last snapshot."""
    snapshot, movers = players["first"].snapshot(game_id), []
    while side := snapshot["side_to_move"]:
        movers.append(side)
        answer = players[side].move(game_id, snapshot["legal_moves"][-1], snapshot["ply"])
        assert answer.status_code == 200, answer.text
        snapshot = answer.json()
    return movers, snapshot


def test_two_rounds_are_one_game_for_one_rating(program, other):
    game_id = start(program, other, size=4)
    assert program.snapshot(game_id)["options"] == {"size": 4, "rounds": 2}
    movers, end = play_out({"first": program, "second": other}, game_id)
    rules = FOR_TWO["jumping_farther"]
    position = rules.parse(end["position"])
    first, second = (played.points for played in position.rounds)
    assert end["score"] == {"first": first[0] + second[1], "second": first[1] + second[0]}
    begun = len(position.rounds[0].cells)
    assert (movers[0], movers[begun]) == ("first", "second")
    sums = end["score"]
    winner = None if sums["first"] == sums["second"] else max(sums, key=sums.get)
    assert (end["result"]["winner"], end["result"]["termination"]) == (winner, "no_move")
    for participant in (program, other):
        rating = participant.http.get("/me").json()["ratings"]["jumping_farther"]
        assert rating["games"] == 1


def test_a_single_round_may_be_chosen(program, other):
    game_id = start(program, other, size=3, rounds=1)
    movers, end = play_out({"first": program, "second": other}, game_id)
    assert movers == [("first", "second")[ply % 2] for ply in range(len(movers))]
    assert "/" not in end["position"]
    assert end["result"]["termination"] == "no_move"


def test_a_match_of_three_rounds_is_refused(program):
    body = {"game": "jumping_farther", "options": {"rounds": 3}}
    assert code(program.http.post("/challenges", json=body)) == (422, "bad_options")


def test_it_cannot_be_submitted_as_a_score(program, other):
    game_id = start(program, other, size=3, rounds=1)
    assert code(program.http.post(f"/games/{game_id}/submit")) == (409, "not_solitaire")
