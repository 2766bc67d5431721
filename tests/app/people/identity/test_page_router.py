"""Pages: what their handlers are given without FastAPI, which takes longer for it."""

import inspect

from app.core.web.deps import part_of
from app.core.web.throttle import Throttle
from app.people.identity.pages import PageRouter
from app.people.identity.viewer import Viewer
from app.server.features import FEATURES

HANDLERS = [
    route.endpoint
    for feature in FEATURES
    for router in feature.routers("pages")
    if isinstance(router, PageRouter)
    for route in router.routes
]


def annotations(signature):
    return [parameter.annotation for parameter in signature.parameters.values()]


def test_fastapi_is_asked_for_no_part_and_for_no_viewer_of_a_page():
    asked = [each for handler in HANDLERS for each in annotations(inspect.signature(handler))]
    assert Viewer not in asked
    assert {part_of(each) for each in asked} == {None, Throttle}


def test_handlers_of_pages_have_parts_and_viewers():
    written = [
        each
        for handler in HANDLERS
        for each in annotations(inspect.signature(inspect.unwrap(handler), follow_wrapped=False))
    ]
    assert written.count(Viewer) > 50
    assert len({part_of(each) for each in written}) > 30
