"""The server answers requests made from its OpenAPI description as the description says."""

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.support.application import application
from tests.support.players import Program

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)
# Endless, or with argon2 for each request, or waiting for a worker that this server does not have.
LEFT_OUT = ("/stream", "/events", "/accounts", "/tokens", "/tokens/current", "/evaluations")

with application() as app:
    DESCRIPTION = app.openapi()
OPERATIONS = [
    operation
    for result in schemathesis.openapi.from_dict(DESCRIPTION).get_all_operations()
    if not (operation := result.ok()).path.endswith(LEFT_OUT)
]


def test_every_operation_is_described_and_every_schema_has_examples():
    for path, operations in DESCRIPTION["paths"].items():
        for method, operation in operations.items():
            assert operation["description"], (method, path)
    for name, schema in DESCRIPTION["components"]["schemas"].items():
        if name not in ("Option", "Seat", "Result", "NewGame", "HTTPValidationError", "ValidationError"):
            assert schema.get("examples"), name


@pytest.fixture(scope="session")
def token(server):
    return Program(server).token


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_answers_are_as_described(server, token, operation):
    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(case=operation.as_strategy())
    def check(case):
        case.call_and_validate(
            base_url=server.url,
            headers={"Authorization": f"Bearer {token}"},
            checks=CHECKS,
            timeout=20,
        )

    check()
