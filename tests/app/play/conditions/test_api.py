"""Conditional moves for programs and on pages: entering and seeing them, and the answers of the server."""

import json
import re
import uuid

import pytest

from tests.support.answers import code
from tests.support.players import Match, Program, Visitor
from tests.support.waiting import wait_until

DAYS = {"kind": "correspondence", "days": 3}


@pytest.fixture
def match(server):
    """Return a correspondence game in which Black has moved, so that White is to move."""
    match = Match(server, time_control=DAYS)
    match.play("c4")
    return match


def conditions(player, match):
    return player.http.get(f"/games/{match.id}/conditions").json()


def save(player, match, *lines, version=None):
    if version is None:
        version = conditions(player, match)["version"]
    body = {"version": version, "lines": [line.split() for line in lines]}
    return player.http.put(f"/games/{match.id}/conditions", json=body)


def hidden_fields(html):
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', html))


def until_ply(match, ply):
    """Wait until the game has so many plies, and return its snapshot."""
    wait_until(lambda: match.black.snapshot(match.id)["ply"] >= ply)
    match.ply = ply
    return match.black.snapshot(match.id)


def test_the_server_answers_at_once_in_the_players_name(match):
    assert save(match.black, match, "f6 d4 g7 e5", "g6 d4").status_code == 200
    with match.white.socket(match.id) as socket:
        match.play("f6")
        events = [socket.receive(), socket.receive()]
    assert [(event["move"], event["automatic"]) for event in events] == [("f6", False), ("d4", False)]
    snapshot = until_ply(match, 3)
    assert snapshot["spent"][2] == 0
    assert snapshot["played_at"][2] == snapshot["played_at"][1]
    assert snapshot["side_to_move"] == "white"
    wait_until(lambda: conditions(match.black, match)["lines"] == [["g7", "e5"]])
    assert conditions(match.black, match)["dropped"] == {"lines": 1, "move": "f6"}
    match.play("g7")
    assert until_ply(match, 5)["moves"] == ["c4", "f6", "d4", "g7", "e5"]
    assert conditions(match.black, match)["lines"] == []


def test_the_conditions_of_both_sides_meet(match):
    assert (
        save(match.black, match, "f6 d4 g7 e5 g6 pass pass d5").status_code == 422
    )  # the game would be over
    assert save(match.black, match, "f6 d4 g7 e5 g6 pass").status_code == 200
    match.play("h8")
    assert conditions(match.black, match) == {
        "version": conditions(match.black, match)["version"],
        "lines": [],
        "dropped": {"lines": 1, "move": "h8"},
    }
    assert save(match.white, match, "d4 g7 e5 pass", "e5 f6").status_code == 200
    match.play("d5")
    assert conditions(match.white, match)["dropped"] == {"lines": 2, "move": "d5"}
    assert save(match.black, match, "f6 d4 g7 e5 pass pass").status_code == 200
    ply = match.ply
    match.play("f6")
    until_ply(match, ply + 2)
    assert save(match.black, match, "g7 e5 pass pass").status_code == 200
    match.play("g7")
    until_ply(match, ply + 4)
    match.play("pass")
    end = until_ply(match, ply + 6)
    assert end["result"]["termination"] == "passes"
    assert conditions(match.black, match)["lines"] == []


def move_with(player, match, move, *lines, move_id=None):
    body = {"move": move, "ply": match.ply, "move_id": move_id or str(uuid.uuid4())}
    body["conditions"] = [line.split() for line in lines]
    return player.http.post(f"/games/{match.id}/moves", json=body)


def test_lines_are_saved_with_ones_own_move_both_or_neither(match):
    before = match.black.snapshot(match.id)
    faults = (["d4"], "no_answer"), (["d4 z9"], "illegal_move"), (["d4 g7", "d4 e5"], "two_answers")
    for lines, fault in faults:
        assert code(move_with(match.white, match, "f6", *lines)) == (422, fault)
    assert match.black.snapshot(match.id)["moves"] == before["moves"]
    move_id = str(uuid.uuid4())
    assert move_with(match.white, match, "f6", "d4 g7", "e4 g6", move_id=move_id).status_code == 200
    assert conditions(match.white, match)["lines"] == [["d4", "g7"], ["e4", "g6"]]
    # Sent again, it changes nothing, whatever has happened to the lines since.
    assert save(match.white, match, "d4 g7").status_code == 200
    assert move_with(match.white, match, "f6", "d4 e5", move_id=move_id).status_code == 200
    assert conditions(match.white, match)["lines"] == [["d4", "g7"]]
    match.ply += 1
    match.play("d4")
    assert until_ply(match, 4)["moves"] == ["c4", "f6", "d4", "g7"]


def test_lines_with_a_move_over_the_socket(match):
    with match.white.socket(match.id) as socket:
        move = {"type": "move", "move": "f6", "ply": 1, "move_id": str(uuid.uuid4())}
        socket.connection.send(json.dumps({**move, "conditions": [["d4", "g7"]]}))
        socket.receive_until("ack")
    assert conditions(match.white, match)["lines"] == [["d4", "g7"]]


def test_a_move_in_a_realtime_game_takes_no_lines(server):
    match = Match(server, time_control={"kind": "realtime", "limit": 300, "increment": 5})
    assert code(move_with(match.black, match, "c4", "f6 d4")) == (409, "no_conditions")
    assert match.black.snapshot(match.id)["ply"] == 0


def test_only_its_owner_sees_them(match, server):
    save(match.black, match, "f6 d4")
    assert conditions(match.black, match)["lines"] == [["f6", "d4"]]
    assert conditions(match.white, match)["lines"] == []
    assert code(Program(server).http.get(f"/games/{match.id}/conditions")) == (403, "not_a_player")
    assert "d4" not in match.white.snapshot(match.id)["moves"]


def test_lines_are_checked(match):
    answer = save(match.black, match, "f6 d4", "g6 c4 c4 d4")
    assert code(answer) == (422, "illegal_move")
    assert (answer.json()["line"], answer.json()["index"]) == (1, 2)
    assert answer.json()["reason"] == "too_weak_to_hijack"
    assert code(save(match.black, match, "f6 z99")) == (422, "illegal_move")
    assert code(save(match.black, match, "f6 d4 g6")) == (422, "no_answer")
    assert code(save(match.black, match, "f6 d4", "f6 d5 g6 e4")) == (422, "two_answers")
    assert code(save(match.black, match, *["f6 d4"] * 51)) == (422, "invalid_request")
    assert save(match.black, match, "f6 d4", "f6 d4 g6 d5", "f6 d4").json()["lines"] == [
        ["f6", "d4", "g6", "d5"]
    ]


def test_lines_replace_those_of_their_version_only(match):
    first = conditions(match.black, match)["version"]
    assert save(match.black, match, "f6 d4", version=first).status_code == 200
    assert code(save(match.black, match, "f6 d5", version=first)) == (409, "stale_version")
    second = conditions(match.black, match)["version"]
    match.play("g6")
    assert code(save(match.black, match, "f6 d5", version=second)) == (409, "stale_version")
    assert code(save(match.black, match, "f6 d5")) == (409, "your_turn")


def test_lines_can_be_deleted(match):
    save(match.black, match, "f6 d4")
    version = conditions(match.black, match)["version"]
    assert match.black.http.delete(f"/games/{match.id}/conditions").status_code == 204
    after = conditions(match.black, match)
    assert after.pop("version") > version
    assert after == {"lines": [], "dropped": None}
    assert match.play("f6")["ply"] == 2
    assert match.play("d5")["moves"] == ["c4", "f6", "d5"]


def test_they_are_not_for_realtime_games(server):
    match = Match(server, time_control={"kind": "realtime", "limit": 300, "increment": 5})
    match.play("c4")
    assert code(save(match.black, match, "f6 d4")) == (409, "no_conditions")


def test_a_takeback_drops_the_lines(server):
    match = Match(server)
    match.play("c4")
    save(match.black, match, "f6 d4")
    match.black.http.post(f"/games/{match.id}/takeback")
    match.white.http.post(f"/games/{match.id}/takeback")
    assert match.black.snapshot(match.id)["ply"] == 0
    own = conditions(match.black, match)
    assert (own["lines"], own["dropped"]) == ([], {"lines": 1, "move": None})


def test_the_editor_works_by_links_and_forms(server):
    maker, opponent = Visitor(server).register(), Visitor(server)
    form = {"side": "black", "opponent_kind": "link", "size": "9", "clock": "correspondence", "days": "3"}
    challenge = maker.http.post("/challenges", data=form).url.path
    game = opponent.http.post(f"{challenge}/accept").url.path
    editor = f"{game}/conditions"
    # One's own move comes first, alone or with lines.
    assert "Your move" in maker.http.get(editor).text
    first = hidden_fields(maker.http.get(editor, params={"moves": "c4,f6"}).text)
    wrong = maker.http.post(editor, data={**first, "lines": "f6 f6"})
    assert wrong.status_code == 422
    assert "f6 f6</textarea>" in wrong.text
    assert "Play c4" in wrong.text
    assert maker.http.post(editor, data=first).url.path == game
    assert editor in maker.http.get(game).text
    line = maker.http.get(editor, params={"moves": "f6", "move": "d4"})
    assert str(line.url).endswith("?moves=f6,d4&from=1")
    version = hidden_fields(line.text)["version"]
    saved = maker.http.post(editor, data={"version": version, "lines": "g6 d4\n\nh8, d4", "add": "f6 d4"})
    assert saved.url.path == editor
    assert "g6 d4\nh8 d4\nf6 d4</textarea>" in saved.text
    fields = {"version": hidden_fields(saved.text)["version"], "lines": "g6 d4\nh8 d4\nf6 d4", "remove": "1"}
    assert "g6 d4\nf6 d4</textarea>" in maker.http.post(editor, data=fields).text
    stale = maker.http.post(editor, data={"version": "0", "lines": "f6 d5"})
    assert stale.status_code == 409
    assert "f6 d5</textarea>" in stale.text
    assert opponent.http.get(editor).text.count("f6 d4") == 0
    assert Visitor(server).register().http.get(editor).status_code == 403


@pytest.mark.parametrize("asked", [{"move": "g6"}, {"at": "1"}, {}])
def test_a_line_is_not_read_from_a_later_position(match, asked):
    maker = Visitor(match.black.server).log_in(match.black.username)
    editor = f"/games/{match.id}/conditions"
    begun = maker.http.get(editor, params={"moves": "d5", "move": "f6", "from": "1"})
    assert str(begun.url).endswith("?moves=d5,f6&from=1")
    assert "Add this line" in begun.text
    match.play("c7")
    answer = maker.http.get(editor, params={"moves": "d5,f6", "from": "1", **asked})
    line = " ".join(("d5 f6", *asked.get("move", "").split()))
    assert f"The game has gone on since you began the line {line}." in answer.text
    assert 'name="moves" value=""' in answer.text
    assert "Play d5" not in answer.text


def test_a_refusal_repeats_little_of_a_long_move(server):
    black, white = Visitor(server).register(), Visitor(server).register()
    form = {"size": "9", "side": "black", "opponent_kind": "username", "opponent": white.username}
    made = black.http.post("/challenges", data={**form, "clock": "correspondence", "days": "3"})
    path = white.http.post(f"{made.url.path}/accept").url.path + "/conditions"  # White waits for Black
    version = hidden_fields(white.http.get(path).text)["version"]
    refused = white.http.post(path, data={"version": version, "lines": "q" * 15_000})
    said = re.search(r'role="alert">([^<]*)<', refused.text)[1]
    assert (refused.status_code, len(said) < 300) == (422, True)
