"""Sections: a request finds the route that it would find among all of them."""

import pytest
from starlette.routing import Match

from tests.support.application import application
from tests.support.routes import examples

_SECTIONS = application().router.middleware_stack


def _first(routes, scope):
    """Return what a router takes for a request: the first route, and whether it has the method."""
    matches = [(route, route.matches(scope)[0]) for route in routes]
    found = [(route, match) for route, match in matches if match is not Match.NONE]
    return next((each for each in found if each[1] is Match.FULL), found[0] if found else None)


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_a_section_has_the_routes_that_may_match(kind):
    paths = {
        path for route in application().routes for path in examples(getattr(route, "path", "/"), ("games",))
    }
    for path in {*paths, "/", "//", "/nowhere", "/games/", "/api/v1", "/api/v1/nowhere", "/{word}"}:
        scope = {"type": kind, "method": "GET", "path": path, "headers": [], "root_path": ""}
        assert _first(_SECTIONS.section(path).routes, scope) == _first(application().routes, scope), path


def test_few_routes_are_tried():
    assert len(_SECTIONS.section("/lobby").routes) < len(application().routes) / 10
    of_games = [route for route in application().routes if getattr(route, "path", "").startswith("/games/")]
    assert len(_SECTIONS.section("/games/k7m2wq9xab").routes) < len(of_games) / 3
