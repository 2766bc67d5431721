"""Every route: independence of their order, and preparation when it is asked first."""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi import APIRouter
from starlette.routing import compile_path

from app.core.settings import ROOT
from app.core.web.routes import Router
from tests.support.routes import calls, examples

_CALLS = calls()


def test_no_two_routes_match_the_same_path():
    """The order in which routers are added therefore does not matter."""
    words = {word for call in _CALLS for word in call.path.split("/") if word and "{" not in word}
    patterns = [(call, compile_path(call.path)[0]) for call in _CALLS]
    for call in _CALLS:
        for path in examples(call.path, words):
            matched = [
                str(other)
                for other, pattern in patterns
                if other.method == call.method and pattern.match(path)
            ]
            assert matched == [str(call)], path


_PREPARED = """
from fastapi.routing import APIRoute
from starlette.testclient import TestClient
from app.core.settings import Settings
from app.main import create_app

app = create_app(Settings(database_url="postgresql://nobody@localhost/nowhere"))
routes = [route for route in app.routes if isinstance(route, APIRoute)]
print(len(routes) > 100, *(route.path for route in routes if "dependant" in vars(route)))
TestClient(app).get("/health/live")
print(*(route.path for route in routes if "dependant" in vars(route)))
"""


def test_routes_are_prepared_when_they_are_asked():
    """A router of FastAPI's own would prepare its routes at the start of each process."""
    ran = subprocess.run(
        [sys.executable, "-c", _PREPARED], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert ran.stdout.splitlines()[-2:] == ["True", "/health/live"]


async def _greet(name: str, times: int = 1) -> dict[str, str]:
    """Greet somebody."""
    return {name: "hello" * times}


_SETTINGS = {"methods": ["post"], "status_code": 201, "responses": {404: {"model": dict[str, str]}}}


def _made_by(kind, **further):
    router = kind(prefix="/api/v1", tags=["players"])
    router.add_api_route("/greetings/{name}", _greet, **_SETTINGS, **further)
    return router.routes[-1]


def test_a_late_route_is_that_of_fastapi():
    plain = _made_by(APIRouter)
    made_anew = {"app", "dependant", "response_field", "response_fields"}
    for name, value in vars(plain).items():
        late = _made_by(Router)  # a new one, so that this is the first attribute that is read
        assert type(getattr(late, name)) is type(value), name
        assert name in made_anew or _comparable(getattr(late, name)) == _comparable(value), name
    assert vars(late).keys() == vars(plain).keys()


def _comparable(value):
    return (value.value,) if hasattr(value, "overwritten") else value


def test_what_no_route_has_is_missing_without_preparing_it():
    late = _made_by(Router)
    with pytest.raises(AttributeError):
        _ = late.unheard_of
    assert "dependant" not in vars(late)


def test_threads_prepare_a_route_once():
    prepared = []

    def named(route):
        prepared.append(route)
        time.sleep(0.1)  # so that others read the route meanwhile
        return "greet"

    route = _made_by(Router, generate_unique_id_function=named)
    with ThreadPoolExecutor(4) as threads:
        dependants = list(threads.map(lambda _: route.dependant, range(4)))
    assert prepared == [route]
    assert all(each is route.dependant for each in dependants)
