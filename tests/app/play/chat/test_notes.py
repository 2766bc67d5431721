"""Private notes about games."""

from tests.support.answers import code
from tests.support.players import Match, Program, Visitor, begin_game


def test_a_note_is_its_players_alone(server):
    match = Match(server)
    path = f"/games/{match.id}/note"
    assert match.black.http.get(path).json() == {"text": ""}
    assert match.black.http.put(path, json={"text": "Watch e5.\n<b>"}).status_code == 200
    assert match.black.http.put(path, json={"text": "Watch d4.\n<b>"}).status_code == 200
    assert match.black.http.get(path).json() == {"text": "Watch d4.\n<b>"}
    assert match.white.http.get(path).json() == {"text": ""}
    assert code(Program(server).http.get(path)) == (403, "not_a_player")
    assert code(match.black.http.put(path, json={"text": "x" * 2001})) == (422, "invalid_request")
    assert match.black.http.put(path, json={"text": "a\0"}).json() == {"text": "a"}
    assert code(match.black.http.put(path, json={"text": "b", "seen": ""})) == (409, "stale_version")
    for _time in range(2):  # the answer to the first one may have been lost
        assert match.black.http.put(path, json={"text": "b", "seen": "a"}).json() == {"text": "b"}
    assert match.black.http.put(path, json={"text": "", "seen": "b"}).json() == {"text": ""}
    assert match.black.http.get(path).json() == {"text": ""}


def test_a_note_is_written_on_a_page(server):
    maker, opponent = Visitor(server).register(), Visitor(server)
    game = begin_game(maker, opponent)
    assert f"{game}/note" in maker.http.get(game).text
    saved = maker.http.post(f"{game}/note", data={"text": "Watch <e5>.\r\nAnd d4."})
    assert saved.url.path == game
    assert "Watch &lt;e5&gt;.\nAnd d4.</textarea>" in maker.http.get(f"{game}/note").text
    assert maker.http.post(f"{game}/note", data={"text": "x" * 1999 + "\r\n"}).url.path == game
    assert maker.http.post(f"{game}/note", data={"text": "x" * 2001}).status_code == 422
    assert "Watch &lt;e5" not in opponent.http.get(f"{game}/note").text
