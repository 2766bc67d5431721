"""Middlewares of requests have no part in the connections of websockets."""

import pytest

from app.core.web.current import OfRequests


class _Serving(OfRequests):
    def _serve(self, scope, receive, send):
        return "served"


@pytest.mark.parametrize(
    ("kind", "answer"), [("http", "served"), ("websocket", "passed"), ("lifespan", "passed")]
)
def test_what_is_no_request_is_handed_on_as_it_is(kind, answer):
    assert _Serving(lambda *_: "passed")({"type": kind}, None, None) == answer
