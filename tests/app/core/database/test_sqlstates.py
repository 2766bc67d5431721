"""Each of PostgreSQL's error codes, raised by PostgreSQL under a page, a command and a move over a socket."""

import contextlib
import uuid

import asyncpg
import pytest
from websockets.exceptions import ConnectionClosed

from app.core.database.sqlstates import CLASSES, is_outage
from tests.support.database import execute
from tests.support.players import Match, Program, client
from tests.support.server import start_server

CODES = sorted(
    {
        error.sqlstate
        for error in vars(asyncpg.exceptions).values()
        if isinstance(getattr(error, "sqlstate", None), str)
    }
)
# PL/pgSQL does not raise the code of success, and 22021 says what is wrong with the text of a request.
RAISED = sorted(set(CODES) - {"00000", "22021"})
# One of each class that is an outage, and one that is none: most codes close a socket, which takes long.
OF_EACH_CLASS = sorted({(code[:2], is_outage(code)): code for code in RAISED}.values())

INJECT = """
CREATE TABLE injected (code text);
CREATE FUNCTION inject() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE code text := (SELECT injected.code FROM injected);
BEGIN
    IF code IS NOT NULL THEN RAISE EXCEPTION 'injected' USING ERRCODE = code; END IF;
    RETURN true;
END $$;
CREATE FUNCTION inject_into_write() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM inject(); RETURN NEW; END $$;
CREATE TRIGGER inject BEFORE INSERT ON moves FOR EACH ROW EXECUTE FUNCTION inject_into_write();
CREATE TRIGGER inject BEFORE INSERT ON challenges FOR EACH ROW EXECUTE FUNCTION inject_into_write();
ALTER TABLE puzzles RENAME TO stored_puzzles;
CREATE VIEW puzzles AS SELECT * FROM stored_puzzles WHERE inject();
"""


@pytest.fixture(scope="module")
def server(new_database, tmp_path_factory):
    """Return a server whose PostgreSQL raises the code that `raising` was given."""
    server = start_server(new_database("sqlstates"), log=tmp_path_factory.mktemp("sqlstates") / "log")
    execute(server.database_url, INJECT)
    yield server
    server.stop()


@contextlib.contextmanager
def raising(server, code):
    execute(server.database_url, "INSERT INTO injected VALUES ($1)", code)
    try:
        yield
    finally:
        execute(server.database_url, "DELETE FROM injected")


def decided_otherwise(counts_as_outage, codes=RAISED):
    """Return the codes for which a server does something else than `is_outage` says."""
    return {code for code in codes if counts_as_outage(code) != is_outage(code)}


def test_every_class_is_decided():
    assert {code[:2] for code in CODES} <= CLASSES.keys()


@pytest.mark.parametrize(
    "code",
    ["25006", "25P03", "25P04", "40001", "40003", "40P01", "53100", "55P03", "57014", "57P01", "58030"],
)
def test_what_passes_by_itself_is_an_outage(code):
    assert is_outage(code)


@pytest.mark.parametrize("code", ["22P02", "23505", "28P01", "3D000", "42501", "42601", "42P01", "XX001"])
def test_what_somebody_has_to_correct_is_a_mistake(code):
    assert not is_outage(code)


def test_a_page_says_that_the_server_is_unavailable_in_an_outage_alone(server):
    page = client(base_url=server.url)

    def counts_as_outage(code):
        with raising(server, code):
            answer = page.get("/puzzles")
        assert answer.status_code >= 400, code
        return answer.status_code == 503

    assert not decided_otherwise(counts_as_outage)
    assert page.get("/puzzles").status_code == 200


def test_a_command_is_answered_unavailable_in_an_outage_alone(server):
    program = Program(server)

    def counts_as_outage(code):
        with raising(server, code):
            answer = program.challenge()
        assert answer.status_code >= 400, code
        return answer.status_code == 503 and answer.json()["code"] == "unavailable"

    assert not decided_otherwise(counts_as_outage)
    assert program.challenge().status_code == 201


def test_a_move_over_a_socket_is_answered_unavailable_in_an_outage_alone(server):
    match = Match(server)

    def counts_as_outage(code):
        with match.black.socket(match.id) as socket, raising(server, code):
            socket.send_move("c4", 0, str(uuid.uuid4()))
            with contextlib.suppress(ConnectionClosed):
                answer = socket.receive()
                assert answer["type"] == "error", code
                return answer["code"] == "unavailable"
            assert socket.connection.close_code == 1011, code
            return False

    assert not decided_otherwise(counts_as_outage, OF_EACH_CLASS)
    match.play("c4")
