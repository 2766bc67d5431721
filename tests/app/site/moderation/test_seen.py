"""A moderator decides with what others have decided before in view."""

from tests.support.answers import code
from tests.support.forms import sent_by
from tests.support.moderation import make_moderator
from tests.support.players import Program
from tests.support.tournaments import member


def test_who_decides_after_somebody_else_is_told(server, program, database_url):
    first, second = (make_moderator(database_url, Program(server)) for _ in range(2))
    judge = member(server, first.username)
    path = f"/moderation/players/{program.username}"
    seen = sent_by(judge.http.get(path).text, path)
    body = {"username": program.username, "action": "ban", "reason": "Because", "after": 0}
    banned = second.http.post("/moderation/actions", json=body)
    assert banned.status_code == 201, banned.text
    assert code(second.http.post("/moderation/actions", json=body)) == (409, "stale_version")
    lift = {"action": "lift", "reason": "All is well"}
    refused = judge.http.post(path, data={**seen, **lift})
    assert refused.status_code == 409
    assert "Another moderator has decided something about this player since." in refused.text
    assert judge.http.post(path, data={**sent_by(refused.text, path), **lift}).is_success
    again = second.http.post("/moderation/actions", json={**body, "after": banned.json()["id"]})
    assert code(again) == (409, "stale_version")
