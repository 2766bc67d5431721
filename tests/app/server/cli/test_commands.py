"""What all commands have in common: which database they use, and how they fail."""

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import make_url

from app.server.cli.server import url_of
from tests.support.commands import failure, gorrion, invoke
from tests.support.database import execute
from tests.support.launching import Command
from tests.support.players import Visitor
from tests.support.ports import free_port
from tests.support.server import Server, wait_until_ready

READING = ["status --once", "check-games --processes 1", "audit", "recount", "retrace-entries"]


@pytest.fixture
def stranger(postgres_url):
    """Return the name of a role that has no rights on tables."""
    name = f"stranger_{os.getpid()}"
    execute(postgres_url, f"CREATE ROLE {name} LOGIN")
    yield name
    execute(postgres_url, f"DROP ROLE {name}")


@pytest.fixture
def environment():
    return {name: value for name, value in os.environ.items() if name != "GORRION_DATABASE_URL"}


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://localhost:8000"),
        ("::", "http://localhost:8000"),
        ("::1", "http://[::1]:8000"),
        ("play.example", "http://play.example:8000"),
    ],
)
def test_serve_announces_an_address_that_browsers_open(host, url):
    assert url_of(host, 8000) == url


@pytest.mark.parametrize(
    "command", ["status --once", "backup FILE", "check-games", "audit", "recount", "retrace-entries"]
)
def test_a_command_makes_no_database_in_a_mistyped_folder(command, tmp_path):
    command = command.replace("FILE", str(tmp_path / "backup"))
    assert "There is no database in" in failure(*command.split(), "--data", tmp_path / "none")
    assert list(tmp_path.iterdir()) == []


def arenas(**members):
    """Return a table of one series of arenas."""
    good = {"series": "daily", "name": "Daily", "cron": "0 18 * * *", "minutes": 60, "game": "jadejack"}
    return json.dumps([good | {"limit": 180} | members])


@pytest.mark.parametrize(
    ("setting", "value", "named"),
    [
        ("connections", "many", "GORRION_CONNECTIONS: "),
        ("connections", "0", "GORRION_CONNECTIONS: "),
        ("database_pool", "0", "GORRION_DATABASE_POOL: "),
        ("live_per_account", "0", "GORRION_LIVE_PER_ACCOUNT: "),
        ("password_memory", "999999999999", "GORRION_PASSWORD_MEMORY: "),
        ("metrics_port", "99999", "GORRION_METRICS_PORT: "),
        ("mail_port", "0", "GORRION_MAIL_PORT: "),
        ("mail_host", "localhost", "GORRION_MAIL_SENDER: GORRION_MAIL_HOST needs this"),
        ("public_url", "play.example", "GORRION_PUBLIC_URL: "),
        ("database_url", "nonsense", "GORRION_DATABASE_URL: "),
        ("database_url", "mysql://localhost/gorrion", "GORRION_DATABASE_URL: "),
        ("database_replica_url", "postgresql://localhost:port/gorrion", "GORRION_DATABASE_REPLICA_URL: "),
        ("valkey_url", "valkey://localhost:99999", "GORRION_VALKEY_URL: "),
        ("valkey_url", "valkey://localhost/sessions", "GORRION_VALKEY_URL: "),
        ("valkey_url", "valkey://localhost/1/2", "GORRION_VALKEY_URL: "),
        ("recurring_arenas", "[{", "GORRION_RECURRING_ARENAS: "),
        ("recurring_arenas", arenas(minutes=1), "GORRION_RECURRING_ARENAS[0].minutes: "),
        ("recurring_arenas", arenas(game="chess"), "GORRION_RECURRING_ARENAS[0]: There is no game 'chess'"),
        ("recurring_arenas", arenas(game="up_and_up"), "GORRION_RECURRING_ARENAS[0]: There is no game"),
        ("recurring_arenas", arenas(options={"size": 99}), "GORRION_RECURRING_ARENAS[0]: size must be "),
    ],
)
def test_an_invalid_setting_is_named(setting, value, named):
    assert failure("doctor", **{setting: value}).startswith(named)


@pytest.mark.parametrize("option", ["ssl_ca_cert=/valkey.pem", "socket_timeout=long"])
@pytest.mark.parametrize("command", ["worker", "status --once"])
def test_an_option_of_valkey_that_does_not_exist_is_named(command, option):
    problem = failure(*command.split(), valkey_url=f"valkeys://:secret@localhost?{option}")
    assert problem.startswith("GORRION_VALKEY_URL: ")
    assert option.partition("=")[0] in problem
    assert "secret" not in problem


def test_a_port_that_does_not_exist_is_refused():
    done = invoke("doctor", "--port", 99999)
    assert done.exit_code == 2
    assert "'--port'" in done.stderr


def test_administrators_see_the_folder_that_serve_was_given(environment, tmp_path):
    folder, port = tmp_path / "data", free_port()
    arguments = ("serve", "--computers", "0", "--port", str(port), "--data", str(folder))
    process = Command(arguments, environment, str(tmp_path / "log"))
    server = Server(process, port, database_url="")
    try:
        wait_until_ready(server, process.poll)
        keeper = Visitor(server).register()
        gorrion("grant", keeper.username, "administrator", "--data", folder)
        settings = keeper.http.get("/admin").text.partition("GORRION_DATA</code>")[2]
        assert re.search(r"row-note\">(.*?)<", settings)[1] == str(folder)
    finally:
        server.stop()


def test_a_port_in_use_is_named_before_anything_is_started(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = gorrion("serve", "--computers", "0", "--port", port, "--data", tmp_path / "none")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(
        f"The server cannot listen on 127.0.0.1, port {port}: Address already in use."
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("host", ["192.0.2.1", "nowhere.invalid"])
@pytest.mark.parametrize("command", ["serve --computers 0 --data {folder}/none --port {port}", "worker"])
def test_where_metrics_cannot_be_served_is_named_before_anything_is_started(tmp_path, command, host):
    arguments = command.format(folder=tmp_path, port=free_port()).split()
    away = "postgresql://127.0.0.1:1/gorrion"
    done = gorrion(*arguments, database=away, metrics_host=host, metrics_port=str(free_port()))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"The server cannot serve metrics on {host}, port ")
    assert "GORRION_METRICS_HOST" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_database_without_tables_is_to_be_migrated(empty_database):
    url = empty_database("untouched")
    for command in READING:
        problem = failure(*command.split(), database_url=url)
        assert problem == "The database has no tables of Gorrion: run `gorrion migrate`.\n"


@pytest.mark.parametrize("command", [*READING, "migrate", "backup FILE"])
def test_the_url_of_the_database_may_have_options(command, new_database, tmp_path):
    options = {"sslmode": "prefer", "application_name": "psql"}
    url = make_url(new_database("with_options")).update_query_dict(options)
    done = invoke(*command.replace("FILE", str(tmp_path / "backup")).split(), database_url=str(url))
    assert done.exit_code == 0, done.exception


def test_what_postgresql_refuses_is_said_in_its_words(new_database, stranger, tmp_path):
    url = make_url(new_database("refused"))
    for command in [*READING, "migrate"]:
        problem = failure(*command.split(), database_url=str(url.set(username=stranger)))
        assert problem.startswith("The database cannot be used: permission denied for ")
    problem = failure("backup", tmp_path / "backup", database_url=str(url.set(username=stranger)))
    assert re.fullmatch(r"pg_dump failed: query failed: ERROR:  permission denied for \w+ \w+\n", problem)
    problem = failure("audit", database_url=str(url.set(database="missing")))
    assert problem == 'The database cannot be used: database "missing" does not exist\n'


def test_an_unknown_account_has_no_audit_log(database_url):
    problem = failure("audit", "nobody-of-this-name", database_url=database_url)
    assert problem == "No account has the name nobody-of-this-name.\n"


def printing_to(output):
    """Run a command that prints to an open file, and return it when it has ended."""
    command = [sys.executable, "-m", "app", "perft", "jadejack", "--depth", "1"]
    return subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True, check=False)


def test_output_that_cannot_be_written_is_not_the_database_s_fault():
    with Path("/dev/full").open("w") as full:
        done = printing_to(full)
    assert done.returncode == 1
    assert done.stderr == "The output cannot be written: No space left on device.\n"


def test_output_that_nobody_reads_is_no_error_to_tell():
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as closed:
        done = printing_to(closed)
    assert (done.returncode, done.stderr) == (1, "")


def with_closed_streams(redirections, *arguments, text=""):
    """Run a command for which a shell closes standard streams, and return it when it has ended."""
    command = ["sh", "-c", f'exec "$@" {redirections}', "sh", sys.executable, "-m", "app", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def test_a_closed_standard_input_has_no_moves():
    done = with_closed_streams("<&-", "replay", "jadejack")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["ply"] == 0


def test_messages_to_a_closed_standard_error_are_not_mixed_with_the_output():
    done = with_closed_streams("2>&-", "records", "--max-n", "1")
    assert json.loads(done.stdout)
    done = with_closed_streams("2>&-", "replay", "jadejack", text="nowhere")
    assert (done.returncode, done.stdout) == (1, "")
