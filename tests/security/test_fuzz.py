"""Changed conversations on the raw socket for some seconds; `python -m tests.security.fuzz` takes longer."""

import time

import pytest

from tests.security.fuzz import fuzz
from tests.support.server import start_server


@pytest.fixture(scope="module")
def unused(new_database):
    server = start_server(new_database("unused"), log_level="warning")
    yield server
    server.stop()


@pytest.mark.parametrize("workers", [1, 2])
def test_no_conversation_keeps_others_from_being_answered(new_database, unused, tmp_path, workers):
    server = start_server(new_database("fuzz"), workers=workers, log=tmp_path / "log", log_level="warning")
    try:
        fuzz(server, unused, time.time_ns(), warm_up=10, seconds=5)
    finally:
        server.stop()
