"""Records of games, exported and checked through the JSON API."""

from tests.support.answers import code
from tests.support.players import Match


def test_an_exported_game_can_be_imported(server):
    match = Match(server)
    end = match.play("c4", "g6", "d4", "f6", "pass", "pass")
    text = match.black.http.get(f"/games/{match.id}/export").text
    assert text.startswith('[Game "jadejack"]\n[Players "2"]\n[Options "size=9"]\n')
    assert text.endswith("1. c4 g6\n3. d4 f6\n5. pass pass\n")
    read = match.black.http.post("/records/check", json={"record": text}).json()
    assert (read["moves"], read["position"]) == (end["moves"], end["position"])
    assert read["headers"]["Black"] == match.black.username
    assert read["headers"]["Termination"] == "passes"


def test_an_invalid_record_is_refused_with_ply_and_reason(program):
    for text, ply, reason in (
        ("nothing of the kind", None, "unknown_game"),
        ('[Game "jadejack"]\nc4 c4', 2, "too_weak_to_hijack"),
        ('[Game "jadejack"]\nc4 %%', 2, "move_syntax"),
    ):
        answer = program.http.post("/records/check", json={"record": text})
        assert code(answer) == (422, "bad_record")
        assert (answer.json()["ply"], answer.json()["reason"]) == (ply, reason)
