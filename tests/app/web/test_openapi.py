"""The OpenAPI tells the truth: requests made from it are answered as it says."""

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.support.players import Program

_CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)


@pytest.fixture(scope="session")
def description(server):
    return httpx.get(f"{server.url}/api/v1/openapi.json").json()


def test_every_call_is_described_with_examples(description):
    for path, calls in description["paths"].items():
        for method, call in calls.items():
            assert call["description"], (method, path)
    for name, schema in description["components"]["schemas"].items():
        if name not in ("Option", "Seat", "Result", "NewGame", "HTTPValidationError", "ValidationError"):
            assert schema.get("examples"), name


@pytest.fixture(scope="session")
def token(server):
    return Program(server).token


_LEFT_OUT = (
    "/stream",
    "/events",
    "/accounts",
    "/tokens",
    "/tokens/current",
    "/evaluations",
)  # endless, or argon2 by the hundred, or waiting for a worker that this server has not


def test_answers_are_as_described(server, token):
    schema = schemathesis.openapi.from_url(f"{server.url}/api/v1/openapi.json")
    for result in schema.get_all_operations():
        operation = result.ok()
        if not operation.path.endswith(_LEFT_OUT):
            _check(operation, server, token)


def _check(operation, server, token):
    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(case=operation.as_strategy())
    def check(case):
        case.call_and_validate(
            base_url=server.url,
            headers={"Authorization": f"Bearer {token}"},
            checks=_CHECKS,
            timeout=20,
        )

    check()
