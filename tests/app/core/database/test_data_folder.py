"""The folder of the embedded PostgreSQL: any name, and clear words about what cannot be used."""

import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.core.database import data_folder
from app.core.database.data_folder import is_plain, plain_path
from app.core.database.embedded import EmbeddedPostgres
from tests.support.commands import gorrion
from tests.support.database import fetch
from tests.support.ports import free_port

NAMES = st.text(st.characters(exclude_characters="/\0", codec="utf-8"), min_size=1, max_size=80).filter(
    lambda name: name not in (".", "..") and len(name.encode()) <= 255
)
ODD_NAMES = [
    "My Projects/a b",
    'it\'s "here"',
    "100%41 ü 日本語",
    "$(touch x)`id`;&|",
    "a,b\\c\nd",
    "-D",
    "l" * 200 + "/" + "m" * 200,
]


@given(NAMES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_folder_has_a_path_that_needs_no_quotes(tmp_path, name):
    folder = tmp_path / name
    folder.mkdir(exist_ok=True)
    path = plain_path(folder)
    assert is_plain(path)
    assert path == plain_path(folder)
    assert path.samefile(folder)
    said = subprocess.run(["/bin/sh", "-c", f"echo {path}"], capture_output=True, text=True, check=True)
    assert said.stdout == f"{path}\n"
    assert parse_qs(urlsplit(f"postgresql://postgres@/gorrion?host={path}").query)["host"] == [str(path)]


def test_two_folders_have_two_paths(tmp_path):
    folders = [tmp_path / "a b", tmp_path / "a  b"]
    assert plain_path(folders[0]) != plain_path(folders[1])


@pytest.mark.parametrize("name", ODD_NAMES)
def test_postgresql_runs_in_a_folder_of_any_name(tmp_path, name):
    folder = tmp_path / name
    postgres = EmbeddedPostgres(folder)
    try:
        url = postgres.start()
        assert fetch(url, "SELECT current_setting('server_encoding')")[0] == "UTF8"
    finally:
        postgres.stop()
    assert not (folder / "postgres" / "postmaster.pid").exists()
    done = gorrion("status", "--once", "--data", f"{folder}/")
    assert "has no tables of Gorrion" in done.stderr


def test_a_folder_may_be_relative_and_behind_a_link(tmp_path, monkeypatch):
    (tmp_path / "real folder").mkdir()
    (tmp_path / "link").symlink_to("real folder")
    monkeypatch.chdir(tmp_path)
    postgres = EmbeddedPostgres(Path("link") / ".." / "link" / "data")
    try:
        assert fetch(postgres.start(), "SELECT 1")[0] == 1
    finally:
        postgres.stop()
    assert (tmp_path / "real folder" / "data" / "postgres" / "PG_VERSION").exists()


def refusal(folder):
    """Return the line with which `gorrion serve` refuses a folder."""
    done = gorrion("serve", "--computers", "0", "--port", free_port(), "--data", folder)
    lines = done.stderr.splitlines()
    assert done.returncode == 1
    *started, line = lines  # it is not started if its folder cannot be used
    assert all(each.startswith("Starting the embedded PostgreSQL") for each in started)
    assert len(started) <= 1
    return line


def make_half(cluster):
    cluster.mkdir(parents=True)
    (cluster / "PG_VERSION").write_text("18\n")


def make_nearly(cluster):
    make_half(cluster)
    (cluster / "global").mkdir()
    (cluster / "global" / "pg_control").touch()


def make_full(cluster):
    cluster.mkdir(parents=True)
    (cluster / "something").touch()


def make_file(cluster):
    cluster.parent.mkdir(parents=True)
    cluster.touch()


def make_parent_a_file(cluster):
    cluster.parent.touch()


def make_spoilt(cluster):
    postgres = EmbeddedPostgres(cluster.parent)
    postgres.start()
    postgres.stop()
    (cluster / "global" / "pg_control").write_bytes(b"garbage")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (make_half, "postgres is not whole, perhaps because its making was cut short."),
        (make_nearly, "postgres is not whole"),
        (make_full, "exists but is not empty."),
        (make_file, "{cluster} cannot be used: File exists."),
        (make_parent_a_file, "cannot be used: "),
        (make_spoilt, "PANIC: could not read file"),
    ],
)
@pytest.mark.parametrize("name", ["data", "my data"])
def test_what_cannot_work_is_said_in_one_line(tmp_path, make, said, name):
    cluster = tmp_path / name / "postgres"
    make(cluster)
    line = refusal(tmp_path / name)
    assert said.format(cluster=cluster) in line
    if "Its log is" in line:
        assert Path(line.partition("Its log is ")[2].rstrip(".")).exists()


def test_what_postgresql_says_is_repeated_once():
    said = "x\n2026-11-26 10:00:00 UTC [1] LOG: a\n2026-11-26 10:00:00 UTC [1] FATAL:  it  is full\nHINT: b"
    assert data_folder._reason(said) == "FATAL: it is full"
    assert data_folder._reason("") == "It does not say why"


@pytest.mark.parametrize("command", ["ulimit -n 40", "umask 0777"])
def test_limits_of_the_shell_are_either_no_obstacle_or_named(tmp_path, command):
    arguments = f"-m app status --once --data '{tmp_path / 'my data'}'"
    made = EmbeddedPostgres(tmp_path / "my data")
    made.start()
    made.stop()
    done = subprocess.run(
        ["/bin/sh", "-c", f"{command}; exec {sys.executable} {arguments}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert "has no tables of Gorrion" in last or "insufficient file descriptors" in last
