"""Odd values of every parameter: NUL, surrogates, huge numbers, broken encodings. None breaks the server."""

import ast
import functools
import inspect
import json
import re
import textwrap
import uuid
import zlib
from collections.abc import Callable
from contextlib import closing
from functools import partial
from http.client import HTTPConnection
from typing import Annotated, Any, NamedTuple, get_args
from urllib.parse import quote, unquote, urlencode

import pytest
from fastapi import params
from fastapi.dependencies.utils import get_flat_params
from fastapi.routing import APIRoute
from pydantic import Field, TypeAdapter, ValidationError
from starlette.routing import compile_path

from app.core.ids import new_id
from app.learn.puzzles.collection import id_of
from engine.puzzles.shipped import shipped
from tests.support import plain_http
from tests.support.accounts import grant
from tests.support.announcements import wait_for_no_banner
from tests.support.database import execute
from tests.support.games import know_weighed
from tests.support.players import PASSWORD, Program, Visitor
from tests.support.routes import calls
from tests.support.waiting import WITHIN

_TEXTS = (
    *("\0", "a\0b", "../..", "a/b", "x" * 5000, "", " ", "%", "'", "é", "٣", "nan", "null"),
    *("9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00"),  # not to be converted to UTC
    *("-1", "nan_1", "1_" + "9" * 20, "9" * 10, str(2**31), str(2**63), "1" + "0" * 400, "9" * 5000),
)
# As they are in an address: not UTF-8, a surrogate, an overlong NUL, encoded twice.
_RAW = ("%ff%fe", "%ED%A0%80", "%C0%80", "%2500", "%u0000", "%E2%82%AC")
_LINE_BREAK = "%0d%0aSet-Cookie:x=y"
_VALUES = (
    *("\ud800", "\0", "x" * 5000, "", "٣", -1, 2**31, 2**63, 10**400, 1.5, 1e308, None, True, [], {}),
    *("9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00"),
    *(["\0"], ["P", "\0"], [-1], [2**63], {"size": 2**63}, {"size": "\0"}, {"\0": 1}),
)
_ENDS_THE_SESSION = "/api/v1/me/close", "/register"  # with a password, after which all else would be refused
_WAITS_FOR_A_WORKER = ("/hint", "/evaluation", "/evaluations", "/finish")


def _tournament(program):
    """Return the id of a tournament that starts when it is full."""
    terms = {
        "name": "A cup",
        "kind": "knockout",
        "game": "jadejack",
        "max_players": 8,
        "time_control": {"kind": "correspondence", "days": 3},
    }
    return program.http.post("/tournaments", json=terms).json()["id"]


def _puzzle(program, move):
    """Return the id of a puzzle in which a worker, for whom a page waits, has already weighed a move."""
    today = program.http.get("/puzzles/daily?game=jadejack").json()["id"]
    puzzle = next(each for each in shipped("jadejack") if id_of(each) == today)
    best = puzzle.solution[0]
    moves = [[best, 5, []], [move, 1, []]]
    know_weighed(program.server.database_url, puzzle.rules, puzzle.start, moves, best)
    return today


@pytest.fixture(scope="module")
def somebody(server):
    """Return headers of a request with a cookie, a token and an origin, and valid values of parameters."""
    visitor, program = Visitor(server).register(), Program(server)
    grant(server.database_url, visitor, "administrator")
    begun = {
        "challenge_id": ("/challenges", {"size": "9", "side": "black", "opponent_kind": "link"}),
        "game_id": ("/solitaire", {"game": "up_and_up"}),
        "race_id": ("/races", {"game": "up_and_up"}),
        "study_id": ("/studies", {"game": "up_and_up", "title": "Odd"}),
        "run_id": ("/nugget/runs", {}),
    }
    ids = {
        name: visitor.http.post(path, data=form).url.path.split("/")[-1]
        for name, (path, form) in begun.items()
    }
    fitting = {
        **ids,
        "entry_id": new_id(),
        "commitment_id": new_id(),
        "server_id": new_id(),
        "tournament_id": _tournament(program),
        "season": "2026-4",
        "export_id": new_id(),
        "day": "2026-11-27",
        "file": "manifest.json",
        "node": "start",
        "puzzle_id": _puzzle(program, move="a1"),
        "action_id": "1",
        "device_id": "1",
        "competition_id": "spring-cup-2345",
        "game": "up_and_up",
        "size": "4",
        "players": "1",
        "number": "1",
        "action": "takeback",
        "form": "csv",
        "handle": "0123456789ab",
        "username": visitor.username,
        "move": "a1",
        "ply": "0",
        "move_id": str(uuid.uuid4()),
        "request_id": str(uuid.uuid4()),
        "commands": "1",
        "version": "0",
        "boards": "20",
        "board": "1",
        "square": "c4",
        "name": "first",
        "step": "begin",
        "position": "off",
        "relation": "follow",
        "kind": "games",
        "team_id": new_id(),
        "level": "1",
        "password": PASSWORD,
        "most": "5",
        "invited_until": "2099-01-01T00:00",
        "ends_at": "2099-01-01T00:00",
        "right": "organiser",
    }
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in visitor.http.cookies.jar)
    headers = {"Origin": server.url, "Authorization": f"Bearer {program.token}", "Cookie": cookies}
    yield headers, fitting
    for path in ("/api/v1/me/moderation", "/account"):
        answer = plain_http.get(f"{server.url}{path}", headers=headers)
        assert answer.status_code == 200, "a request has ended an account or session"
    execute(server.database_url, "DELETE FROM announcements")  # some values of its form may have fitted
    wait_for_no_banner(Visitor(server).http)


@pytest.fixture
def fitting(somebody):
    """Return valid values of parameters."""
    _, fitting = somebody
    return fitting


@pytest.fixture
def send(server, somebody):
    """Return a function that sends a request and returns the status and body of the answer.

    There are thousands of requests: httpx takes as long for one as the server, `http.client` a tenth of that.
    """
    headers, _ = somebody

    def send(method, url, body=None, more_headers=None):
        connection.request(method, url, body, {**headers, **(more_headers or {})})
        answer = connection.getresponse()
        if answer.chunked:  # perhaps endless
            connection.close()
            return answer.status, b""
        return answer.status, answer.read()

    with closing(HTTPConnection("localhost", server.port, timeout=WITHIN)) as connection:
        yield send


@pytest.mark.parametrize("call", [call for call in calls() if call.method != "HEAD"], ids=str)
def test_odd_values_are_refused_and_break_nothing(send, fitting, call):
    for request in odd_requests(call, fitting):
        status, text = send(call.method, *request)
        assert status < 500, (request, text)
        # People read what our own words say, programs what is wrong in which field.
        assert call.path.startswith("/api/") or not re.search(
            rb"Some fields|Input should|String should", text
        )


def test_paths_that_match_no_route_are_refused(send, fitting):
    """One path for each kind of parameter stands for all: what is refused reaches no route."""
    templates = {kind: call.path for call in calls() for kind in re.findall(r"\{\w+:?(\w*)\}", call.path)}
    assert len(templates) > 5
    for template in templates.values():
        for url in odd_paths(template, fitting):
            status, text = send("GET", url)
            assert status < 500, (url, text)


def odd_requests(call, fitting):
    """Yield requests for a call in which one parameter is odd and the others are valid: what `send` takes."""
    path, odd = filled(call.path, fitting), odd_values()[str(call)]
    needed = {
        each.name: fitting.get(each.name, "") for each, _ in odd if each.place == "query" and each.is_required
    }
    of_body = [each.name for each, _ in odd if each.place in ("form", "json")]
    fit = {name: fitting[name] for name in of_body if name in fitting and call.path not in _ENDS_THE_SESSION}
    for parameter, values in odd:
        name = parameter.name
        others = {each: value for each, value in needed.items() if each != name}
        match parameter.place:
            case "path":
                texts = (*(quote(value, safe="") for value in values), *raw_texts(call, parameter))
                urls = [filled(call.path, {**fitting, name: text}) for text in texts]
                yield from ((url,) for url in urls if matches(call.path, url))
            case _ if call.path.endswith(_WAITS_FOR_A_WORKER):
                pass
            case "query":
                yield from ((f"{path}?{urlencode({**others, name: value})}",) for value in values)
                raw = raw_texts(call, parameter)
                yield from ((f"{path}?{urlencode(others)}&{name}={text}",) for text in raw)
            case "form":
                yield from ((path, *in_form({**fit, name: value})) for value in values)
            case "json":
                yield from ((path, *in_json({**typed(fit), name: value})) for value in values)


class Parameter(NamedTuple):
    """A parameter of a call: where it is sent, and for which error a value does not reach the route."""

    place: str
    name: str
    error: Callable[[Any], str | None] = lambda _value: None
    is_required: bool = False


def declared(place, name, info):
    """Return a parameter that FastAPI reads: it may be one value, or one of several."""
    adapter = TypeAdapter(Annotated[info.annotation, Field(), *info.metadata])

    def error(value):
        found = [fault(adapter.validate_python, given) for given in (value, [value])]
        return found[0] if all(found) else None

    return Parameter(place, name, error, info.is_required())


def fields_of(place, model):
    """Return the fields of a model as parameters: it may make something of a value before it checks it."""
    validate = partial(model.model_validate, strict=False) if place == "form" else model.model_validate
    return [
        Parameter(place, name, lambda value, name=name: fault(validate, {name: value}, name))
        for name in model.model_fields
    ]


def fault(validate, value, *where):
    """Return the type of the error that is found in a value, or at a place in it, or None."""
    try:
        validate(value)
    except ValidationError as error:
        types = [each["type"] for each in error.errors() if each["loc"][: len(where)] == where]
        return next(iter(types), None)
    return None


def parameters(call):
    """Return the parameters of a call."""
    names = re.findall(r"\{(\w+)", call.path)
    route = getattr(call.route, "original_route", call.route)
    if not isinstance(route, APIRoute):
        return [Parameter("path", name) for name in names]
    flat = {field.alias: field.field_info for field in get_flat_params(route.dependant)}
    of_body = (*body_fields(route.dependant), *submitted(route.endpoint))
    return [
        *(declared("path", name, flat[name]) if name in flat else Parameter("path", name) for name in names),
        *(declared("query", name, info) for name, info in flat.items() if isinstance(info, params.Query)),
        *{field.name: field for field in of_body}.values(),
    ]


@functools.cache
def odd_values():
    """Return the parameters of each call, by its name, each with the odd values to send.

    Those that its declaration refuses end in one place, the answer to invalid requests. Each parameter is
    sent one of them, and each is sent once for every error and place. Empty texts, which may count as none,
    are always sent.
    """
    chosen, sent = {}, set()
    for call in calls():
        chosen[str(call)] = []
        for parameter in parameters(call):
            values = _VALUES if parameter.place == "json" else _TEXTS
            ends = [
                (parameter.place, None if is_empty(value) else parameter.error(value), number)
                for number, value in enumerate(values)
            ]
            refused = [end for end in ends if end[1] is not None]
            sending = {end for end in refused if end not in sent}
            if refused:
                sending.add(refused[turn(call, parameter, len(refused))])
            sent |= sending
            reaching = [values[end[2]] for end in ends if end[1] is None or end in sending]
            chosen[str(call)].append((parameter, reaching))
    return chosen


def is_empty(value):
    return isinstance(value, str) and not value.strip()


def raw_texts(call, parameter):
    """Return texts as they are in an address: a line break, and one of those that one decoder replaces."""
    return _LINE_BREAK, _RAW[turn(call, parameter, len(_RAW))]


def turn(call, parameter, number):
    """Return a number below another one: all take their turn among the parameters."""
    return zlib.crc32(f"{call} {parameter.name}".encode()) % number


def odd_paths(template, fitting):
    """Yield paths in which one parameter is odd."""
    for name in re.findall(r"\{(\w+)", template):
        for odd in (*(quote(text, safe="") for text in _TEXTS), *_RAW, _LINE_BREAK):
            yield filled(template, {**fitting, name: odd})


def submitted(endpoint):
    """Return the fields of the forms that a page reads as models, as parameters."""
    function = inspect.unwrap(endpoint)
    fields = []
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="submission"), attr="parse" | "carry_out"),
                args=[ast.Name(id=model), *_],
            ):
                fields += fields_of("form", function.__globals__[model])
    return fields


def test_the_fields_of_forms_are_found():
    forms = {
        call.path: [field.name for field in submitted(call.route.endpoint)]
        for call in calls()
        if call.method == "POST"
    }
    assert forms["/admin/invitations"] == ["most", "invited_until"]
    assert {"game", "clock", "rating_min"} <= {*forms["/challenges"]}
    assert sum(map(bool, forms.values())) > 30


def matches(template, path):
    return compile_path(template)[0].match(unquote(path))


def in_form(fields):
    """Return a form as the body of a request, and its headers."""
    return urlencode(fields), {"Content-Type": "application/x-www-form-urlencoded"}


def in_json(body):
    """Return the body of a request as JSON in ASCII, which can contain surrogates, and its headers."""
    return json.dumps(body), {"Content-Type": "application/json"}


def typed(values):
    """Return values of parameters as JSON has them: numbers are no texts there."""
    return {name: int(value) if value.isdigit() else value for name, value in values.items()}


def filled(path, values):
    """Return a path with its parameters replaced by values."""
    return re.sub(r"\{(\w+)[^}]*\}", lambda match: values[match[1]], path)


def body_fields(dependant):
    """Yield the fields of a form or JSON body as parameters."""
    for field in dependant.body_params:
        annotations = get_args(field.field_info.annotation) or (field.field_info.annotation,)
        models = [model for model in annotations if hasattr(model, "model_fields")]
        place = "form" if isinstance(field.field_info, params.Form) else "json"
        for model in models:
            yield from fields_of(place, model)
        if not models:
            yield declared(place, field.alias, field.field_info)
    for dependency in dependant.dependencies:
        yield from body_fields(dependency)
