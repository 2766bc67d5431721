"""The tokens and preferences of an account in the API, as its pages have them."""

from app.site.accounts.preferences import PREFERENCES
from tests.support import plain_http
from tests.support.answers import assert_problem
from tests.support.players import PASSWORD, Visitor, client


def test_tokens_are_listed_and_revoked(server, program, other):
    body = {"username": program.username, "password": PASSWORD, "name": "reader", "scopes": ["read"]}
    reader = {"Authorization": f"Bearer {program.http.post('/tokens', json=body).json()['token']}"}
    url = f"{server.url}/api/v1/me/tokens"
    listed = plain_http.get(url, headers=reader).json()["tokens"]
    assert [(token["name"], token["scopes"], token["is_current"]) for token in listed] == [
        ("reader", ["read"], True),
        (listed[1]["name"], ["play", "read"] if "read" in listed[1]["scopes"] else ["play"], False),
    ]
    path = f"/me/tokens/{listed[0]['handle']}"
    refused = client(headers=reader).delete(f"{url}/{listed[0]['handle']}")
    assert_problem(refused, 403, "missing_scope")
    assert_problem(other.http.delete(path), 404, "not_found")
    assert program.http.delete(path).status_code == 204
    assert_problem(plain_http.get(url, headers=reader), 401, "unauthenticated")
    assert_problem(program.http.delete(path), 404, "not_found")
    assert [token["is_current"] for token in program.http.get("/me/tokens").json()["tokens"]] == [True]


def test_preferences_are_read_and_changed(server, program):
    path = "/me/preferences"
    usual = {preference.name: preference.default for preference in PREFERENCES}
    assert program.http.get(path).json() == usual
    changed = usual | {"theme": "dark", "messages": "nobody"}
    assert program.http.put(path, json={"theme": "dark", "messages": "nobody"}).json() == changed
    assert program.http.put(path, json={"theme": "dark"}).json() == program.http.get(path).json() == changed
    page = Visitor(server).log_in(program.username).http.get("/account/preferences").text
    assert 'data-theme="dark" data-messages="nobody"' in page
    for wrong in ({"theme": "pink"}, {"colour": "dark"}):
        assert_problem(program.http.put(path, json=wrong), 422, "invalid_request")
