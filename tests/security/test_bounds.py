"""Requests of too many parts are refused before they are parsed, on every route."""

import itertools

import pytest
from fastapi import params

from tests.support.answers import code
from tests.support.routes import calls, examples

MANY = 45_000
FORM = "application/x-www-form-urlencoded"
PART = b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'
BODIES = {
    "members": ("application/json", b"{" + b",".join(b'"%d":1' % n for n in range(MANY)) + b"}"),
    "nested": ("application/json", b'{"options":{' + b",".join(b'"%d": 1' % n for n in range(MANY)) + b"}}"),
    "elements": ("application/problem+json", b"[" + b",".join([b"0"] * MANY) + b"]"),
    "untyped": (None, b"[" + b"{}," * MANY + b"0]"),
    "fields": (FORM, b"&".join(b"%d=" % n for n in range(MANY))),
    "parts": ("multipart/form-data; boundary=x", PART * 900 + b"--x--"),
}


def send(program, path, kind, content, method="POST"):
    headers = {"Content-Type": kind, "Sec-Fetch-Site": "same-origin"} if kind else {}
    return program.http.request(method, program.server.url + path, content=content, headers=headers)


def with_bodies():
    """Yield the calls whose body the server parses, with a path of each, and whether it is a form."""
    for call in calls():
        route = getattr(call.route, "original_route", call.route)
        fields = getattr(route, "body_field", None)
        if call.method != "GET" and fields is not None:
            path = next(examples(call.path, ["wren"]))
            yield call.method, path, isinstance(fields.field_info, params.Form)


def test_bodies_of_too_many_parts_are_refused_on_every_route(program):
    bodies = list(with_bodies())
    for method, path, is_form in bodies:
        for body in ("fields", "parts") if is_form else ("nested",):
            assert send(program, path, *BODIES[body], method=method).status_code == 413, (method, path)
    assert len(bodies) > 60


@pytest.mark.parametrize("body", BODIES)
def test_programs_are_told_that_the_body_is_too_large(program, body):
    assert code(send(program, "/api/v1/challenges", *BODIES[body])) == (413, "too_large")


def test_parts_are_counted_across_the_pieces_in_which_a_body_arrives(program):
    def pieces():
        for start in range(0, len(content), 13):  # each boundary is cut somewhere else
            yield content[start : start + 13]

    kind, content = BODIES["parts"]
    assert code(send(program, "/api/v1/challenges", kind, pieces())) == (413, "too_large")


def test_queries_of_too_many_parameters_are_refused_on_every_route(program):
    query = "&".join(f"a{number}=1" for number in range(3_000))
    for path in sorted({call.path for call in calls() if call.method == "GET"}):
        for example in itertools.islice(examples(path, ["wren"]), 1):
            assert program.http.get(f"{program.server.url}{example}?{query}").status_code == 413, example


def test_the_largest_legitimate_requests_are_understood(program):
    boards = [["P"] * 99] * 200
    assert program.http.post("/nugget/check", json={"boards": boards}).status_code == 200
    record = "\n".join(f"board {number}: P\nposition {number}: 1" for number in range(1, 201))
    assert program.http.post("/nugget/check", content=record).status_code == 200
