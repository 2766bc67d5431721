"""The server answers requests made from its OpenAPI description as the description says."""

import re
from datetime import datetime, timedelta

import pytest
import schemathesis
from hypothesis import HealthCheck, assume, given, settings
from jsonschema_rs import validator_for
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    content_type_conformance,
    ignored_auth,
    missing_required_header,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from app.core.ids import new_id
from app.core.moments import utc_now
from app.core.settings import ROOT
from engine.registry import FOR_TWO, GAMES, SOLITAIRE
from tests.support.application import application
from tests.support.database import execute
from tests.support.descriptions import closed
from tests.support.nugget import commit, new_record, sealed
from tests.support.players import PASSWORD, Match, Program, client
from tests.support.waiting import WITHIN


def wrong_bodies_are_refused(context, response, case):
    """Check that a body against its schema is refused: also with 413, which Schemathesis does not expect."""
    return None if response.status_code == 413 else negative_data_rejection(context, response, case)


# Not positive_data_acceptance: rules such as which cursors exist cannot be written in a schema.
CHECKS = (
    allow_header_conformance,
    content_type_conformance,
    ignored_auth,
    missing_required_header,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
    wrong_bodies_are_refused,
)
# Endless, or with argon2 for each request, or waiting for a worker that this server does not have.
LEFT_OUT = (
    "/stream",
    "/events",
    "/accounts",
    "/tokens",
    "/tokens/current",
    "/password",
    "/evaluations",
    "/puzzle",
)

DESCRIPTION = closed(application().openapi())
OPERATIONS = [
    operation
    for result in schemathesis.openapi.from_dict(DESCRIPTION).get_all_operations()
    if not (operation := result.ok()).path.endswith(LEFT_OUT)
]
ABOUT_SOMETHING = [
    operation
    for operation in OPERATIONS
    if len(operation.path_parameters) and not operation.path.endswith(("/hint", "/finish"))
]
WITH_BODY = [operation for operation in OPERATIONS if len(operation.body)]
CALLS = [
    pytest.param(method.upper(), path, operation, id=f"{method.upper()} {path}")
    for path, operations in DESCRIPTION["paths"].items()
    for method, operation in operations.items()
    if path.startswith("/api/v1/") and not path.endswith(("/stream", "/events"))
]


def test_every_call_is_in_the_guide():
    guide = re.sub(r"\{\w+\}", "{}", (ROOT / "docs" / "api.md").read_text())
    calls = {re.sub(r"\{\w+\}", "{}", path).removeprefix("/api/v1") for path in DESCRIPTION["paths"]}
    for call in calls - {"/health/live", "/health/ready"}:
        ends = [call[slash.start() :] for slash in re.finditer("/", call)]  # written as …/end
        assert call in guide or any(f"…{end}" in guide for end in ends), call


def test_every_operation_is_described_and_every_schema_has_examples():
    for path, operations in DESCRIPTION["paths"].items():
        for method, operation in operations.items():
            assert operation["description"], (method, path)
    for name, schema in DESCRIPTION["components"]["schemas"].items():
        if "properties" in schema:
            assert schema.get("examples"), name


def test_every_list_with_pages_says_whether_there_is_more():
    """By a member of the answer, or by the header `Link`, of which its description tells."""
    positions, signs = {"before", "cursor", "number", "page"}, {"before", "has_more", "next", "older"}
    paged = [
        (path, operation["description"], answer)
        for path, operations in DESCRIPTION["paths"].items()
        for operation in [operations.get("get", {})]
        if positions & {each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"}
        for answer in schemas_of(operation["responses"]["200"]["content"]["application/json"]["schema"])
    ]
    assert len(paged) > 20
    assert not [
        path
        for path, description, answer in paged
        if not (signs & answer.get("properties", {}).keys() or "`Link`" in description)
    ]


def schemas_of(schema):
    """Return the schemas that a schema names: one, or several of which one applies."""
    if "$ref" in schema:
        return [DESCRIPTION["components"]["schemas"][schema["$ref"].rpartition("/")[2]]]
    return [found for each in schema.get("anyOf", ()) for found in schemas_of(each)] or [schema]


def test_names_come_from_paths_and_say_nothing_of_the_code():
    """A program that was generated from them must not change because a function or a file has moved."""
    ids = [operation["operationId"] for path in DESCRIPTION["paths"].values() for operation in path.values()]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch("[a-z][a-z0-9_]+", name) and "__" not in name for name in ids)
    assert all("api_v1" not in name for name in ids)
    assert all(re.fullmatch("[A-Z][A-Za-z]+", name) for name in DESCRIPTION["components"]["schemas"])


def test_every_operation_says_who_may_call_it_and_to_which_part_it_belongs():
    declared = {tag["name"] for tag in DESCRIPTION["tags"]}
    used = set()
    for path in DESCRIPTION["paths"].values():
        for operation in path.values():
            assert "security" in operation
            used.update(operation["tags"])
    assert used == declared


def examples_in(part):
    """Yield each example in a part of the description, with its schema."""
    if isinstance(part, list):
        for each in part:
            yield from examples_in(each)
    elif isinstance(part, dict):
        of_schema = part.get("schema", part)
        if "example" in part:
            yield of_schema, part["example"]
        if isinstance(part.get("examples"), list):
            yield from ((of_schema, example) for example in part["examples"])
        for name, each in part.items():
            if name not in ("example", "examples"):
                yield from examples_in(each)


def test_every_example_is_complete_and_as_its_schema_says():
    """So nulls are there: who copies an example knows all members."""
    schemas, examples = zip(*examples_in(DESCRIPTION), strict=True)
    assert len(examples) > 100
    # One list of all: reading the components for each example took seconds.
    rules = {"prefixItems": schemas, "components": DESCRIPTION["components"]}
    errors = [
        (error.message, examples[error.instance_path[0]])
        for error in validator_for(rules).iter_errors(examples)
    ]
    assert errors == []


def test_what_the_engine_knows_is_in_the_schemas():
    schemas = DESCRIPTION["components"]["schemas"]
    assert schemas["GameKey"]["enum"] == list(GAMES)
    assert set(schemas["SideName"]["enum"]) == {side for rules in GAMES.values() for side in rules.sides} | {
        "solo"
    }
    for rules in (*FOR_TWO.values(), *SOLITAIRE.values()):
        for name, limits in rules.options.items():
            option = schemas["Options"]["properties"][name]
            assert option["minimum"] <= limits.minimum <= limits.maximum <= option["maximum"]
    for name, schema in schemas.items():
        members = schema.get("properties", {})
        if "game" in members and name not in ("GameEvent", "Fault"):
            key = members["game"].get("$ref", "").rpartition("/")[2]
            assert key in ("GameKey", "PuzzleGameKey"), name
        if "options" in members:
            assert members["options"].get("$ref", "").endswith("/Options") or name in (
                "Kind",
                "SoloForm",
                "StudyWanted",
            )


def test_the_members_of_problems_are_described():
    problem = DESCRIPTION["components"]["schemas"]["Problem"]
    assert set(problem["required"]) == {"type", "title", "status", "detail", "code"}
    assert set(problem["properties"]) > {"snapshot", "run", "seconds", "reason", "retry_after", "errors"}


@pytest.fixture(scope="session")
def caller(server, database_url):
    """Return a program's token, and an identifier of its own for each parameter of a path."""
    match = Match(server)
    player = match.black
    match.play("c4")
    started = {"game": "up_and_up", "options": {"size": 4}}
    entry = player.http.post("/nugget/entries", json={"boards": new_record(detours=2)})
    assert entry.status_code == 201, entry.text
    execute(
        database_url,
        "INSERT INTO nugget_competitions "
        "(id, title, text, organiser_id, starts_at, ends_at, min_boards, max_boards, visibility) "
        "SELECT 'described-cup', 'Described cup', '', id, now(), now() + interval '1 day', 20, 200, 'open' "
        "FROM accounts WHERE username = $1",
        player.username,
    )
    team = new_id()
    execute(
        database_url,
        "WITH team AS (INSERT INTO teams (id, name, is_open, leader_id, size) "
        "SELECT $1, 'Described team', true, id, 1 FROM accounts WHERE username = $2 RETURNING id, leader_id) "
        "INSERT INTO team_members (team_id, account_id, role) SELECT id, leader_id, 'leader' FROM team",
        *(team, player.username),
    )
    witnessed = new_id()
    execute(
        database_url,
        "INSERT INTO nugget_witnessed_servers (id, url) VALUES ($1, $2)",
        *(witnessed, f"https://{witnessed}.example"),
    )
    study = {"game": "jadejack", "title": "The corner", "tree": "c4 g6 (f6) d4"}
    arena = {"name": "Arena", "kind": "arena", "game": "jadejack", "minutes": 20}
    arena["starts_at"] = (utc_now() + timedelta(days=1)).isoformat()
    arena["time_control"] = {"kind": "realtime", "limit": 180, "increment": 2}
    made = player.http.post("/tournaments", json=arena)
    assert made.status_code == 201, made.text
    spare = {"username": player.username, "password": PASSWORD, "name": "spare"}
    assert player.http.post("/tokens", json=spare).status_code == 201
    tokens = {each["name"]: each["handle"] for each in player.http.get("/me/tokens").json()["tokens"]}
    return player.token, {
        "team_id": team,
        "handle": tokens["spare"],
        "server_id": witnessed,
        "tournament_id": made.json()["id"],
        "study_id": player.http.post("/studies", json=study).json()["id"],
        "puzzle_id": player.http.get("/puzzles/daily?game=jadejack").json()["id"],
        "device_id": "1",
        "season": "2026-4",
        "game_id": match.id,
        "challenge_id": player.challenge().json()["id"],
        "race_id": player.http.post("/races", json={**started, "minutes": 10}).json()["id"],
        "run_id": player.http.post("/nugget/runs", json={}).json()["id"],
        "entry_id": entry.json()["id"],
        "commitment_id": commit(player, sealed(new_record(detours=2)))["id"],
        "number": "1",
        "day": f"{utc_now():%Y-%m-%d}",
        "node": "start",
        "competition_id": "described-cup",
        "username": player.username,
        "game": "up_and_up",
        "step": "begin",
        "relation": "follow",
        "action_id": "1",
        "export_id": match.id,
        "file": "manifest.json",
    }


def check(operation, server, token, mode, path_parameters=None):
    """Send requests that are made from a description, and check the answers."""

    @settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(case=operation.as_strategy(mode, path_parameters=path_parameters))
    def send(case):
        # Null says the same as no body where there need not be one, which generated clients cannot read.
        assume(case.body is not None or operation.definition.raw["requestBody"].get("required"))
        case.call_and_validate(
            base_url=server.url, headers={"Authorization": f"Bearer {token}"}, checks=CHECKS, timeout=WITHIN
        )

    send()


def label(operation):
    return operation.label


@pytest.mark.parametrize("operation", OPERATIONS, ids=label)
def test_answers_are_as_described(server, caller, operation):
    token, _ = caller
    check(operation, server, token, GenerationMode.POSITIVE)


@pytest.mark.parametrize("operation", ABOUT_SOMETHING, ids=label)
def test_answers_about_what_exists_are_as_described(server, caller, operation):
    token, ids = caller
    known = {parameter.name: ids[parameter.name] for parameter in operation.path_parameters}
    check(operation, server, token, GenerationMode.POSITIVE, known)


@pytest.mark.parametrize("operation", WITH_BODY, ids=label)
def test_bodies_that_are_not_as_described_are_refused(server, caller, operation):
    token, ids = caller
    known = {parameter.name: ids[parameter.name] for parameter in operation.path_parameters}
    check(operation, server, token, GenerationMode.NEGATIVE, known or None)


@pytest.mark.parametrize(("method", "path", "operation"), CALLS)
def test_a_body_without_required_members_may_be_left_out(server, caller, method, path, operation):
    """But for those that say what is there afterwards, which nobody should empty by mistake."""
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if method != "POST" or body is None or any(each.get("required") for each in schemas_of(body["schema"])):
        return
    token, ids = caller
    empty = send(server, method, path.format_map(ids), token, {})
    if empty.status_code != 422:  # not so where one of two members is needed
        assert not operation["requestBody"].get("required")
        assert send(server, method, path.format_map(ids), token, None).status_code != 422


# An example cannot know what is stored, and a whole record would be a long one.
ABOUT_WHAT_IS_STORED = {
    "illegal_move",
    "invalid_entry",
    "no_such_board",
    "not_solved",
    "unknown_opponent",
    "username_taken",
    "wrong_password",
    "yourself",
}


def example_of_body(operation):
    """Return the example of the JSON that an operation takes, or None."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    return content and schemas_of(content["schema"])[0]["examples"][0]


def send(server, method, path, token, body):
    """Return the answer to a request with a token and JSON, or without."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return client(base_url=server.url, headers=headers).request(method, path, json=body)


@pytest.fixture(scope="session")
def reading_token(server):
    """Return a token that may only read."""
    player = Program(server)
    wanted = {"username": player.username, "password": PASSWORD, "name": "reader", "scopes": ["read"]}
    return player.http.post("/tokens", json=wanted).json()["token"]


@pytest.mark.parametrize(("method", "path", "operation"), CALLS)
def test_refusals_are_described(server, caller, reading_token, method, path, operation):
    """Those of wrong tokens, of tokens that may only read, and of what does not exist."""
    unknown = {name: "jadejack" if name == "game" else new_id() for name in caller[1]}
    body = example_of_body(operation)
    for token in (None, "wrong", reading_token):
        answer = send(server, method, path.format_map(unknown), token, body)
        assert str(answer.status_code) in operation["responses"], answer.text


@pytest.mark.parametrize(("method", "path", "operation"), CALLS)
def test_examples_of_bodies_can_be_sent(server, caller, method, path, operation):
    token, ids = caller
    body = example_of_body(operation)
    if body is not None:
        answer = send(server, method, path.format_map(ids), token, in_future(body))
        assert str(answer.status_code) in operation["responses"], answer.text
        assert answer.status_code != 422 or answer.json()["code"] in ABOUT_WHAT_IS_STORED, answer.text


def in_future(body):
    """Return a body in which all moments are by as much later as makes its start tomorrow."""
    if "starts_at" not in body:
        return body
    later = utc_now() + timedelta(days=1) - datetime.fromisoformat(body["starts_at"])
    moments = {name: datetime.fromisoformat(body[name]) for name in body if name.endswith("s_at")}
    return body | {name: (moment + later).isoformat() for name, moment in moments.items()}


def test_lists_that_count_pages_call_the_page_its_number():
    queries = [
        {each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"}
        for operations in DESCRIPTION["paths"].values()
        for operation in operations.values()
    ]
    assert sum("number" in names for names in queries) > 5
    assert not [names for names in queries if "page" in names and "number" not in names]
