"""What all pages share."""

import pytest

from tests.support.answers import assert_error_page


@pytest.mark.parametrize("path", ["/", "/lobby", "/login", "/register", "/rules/jadejack", "/api/docs"])
def test_pages_open_for_everybody(visitor, path):
    answer = visitor.http.get(path)
    assert answer.status_code == 200
    assert "unsafe" not in answer.headers["content-security-policy"] or path == "/api/docs"


def test_pages_that_do_not_exist(visitor):
    assert_error_page(visitor.http.get("/no/such/page"), 404)
    assert_error_page(visitor.http.get("/games/nosuchgame"), 404)
    assert_error_page(visitor.http.get("/challenges/nosuchone"), 404)
    assert_error_page(visitor.http.get("/games/%ff%fe"), 404)


@pytest.mark.parametrize("headers", [{"Origin": "https://evil.example"}, {"Origin": "null"}, {}])
def test_requests_of_another_or_no_origin_change_nothing(visitor, headers):
    visitor.register()
    del visitor.http.headers["Origin"]
    for path in ("/logout", "/challenges", "/guest", "/account/password", "/login"):
        assert_error_page(visitor.http.post(path, headers=headers), 403)
    assert visitor.username in visitor.http.get("/lobby").text
