"""A database that a release has filled is read by this version, and by the one before after going back."""

import gzip
import re

import pytest
from alembic import command

from app.core.database.migrate import OLDEST_SERVED, config, migrations, upgrade
from engine.golden_nugget.entry import verify_file
from tests.project.files import read
from tests.support import plain_http, release
from tests.support.commands import gorrion, invoke
from tests.support.database import fetch
from tests.support.players import Visitor
from tests.support.server import start_server
from tests.support.threads import run_coroutine, run_in_thread

RELEASES = sorted(file.name.removesuffix(".sql.gz") for file in release.FOLDER.iterdir())
_KEPT = {
    "accounts WHERE NOT is_computer": "id, username, password_hash, rights",
    "games": "id, options, position, ply, winner_seat, termination",
    "moves": "game_id, ply, move",
    "nugget_entries": "id, account_id, counts, record",
}
"""What every version stores, and no migration may change."""


def _column(url, query):
    return fetch(url, f"SELECT array_agg(each) FROM ({query}) AS query (each)")[0]


def _kept(url):
    return {
        rows: _column(url, f"SELECT concat_ws(' ', {columns}) FROM {rows} ORDER BY 1")
        for rows, columns in _KEPT.items()
    }


def test_every_release_has_left_a_database():
    released = re.findall(r"^## (\d+\.\d+\.\d+)", read("CHANGELOG.md"), re.MULTILINE)
    assert sorted(released) == RELEASES, "python -m tests.support.release writes that of this version"


def test_the_tables_serve_the_release_before():
    _head, *earlier = (script.revision for script in migrations().walk_revisions())
    files = [gzip.decompress((release.FOLDER / f"{each}.sql.gz").read_bytes()).decode() for each in RELEASES]
    assert next(each for each in earlier if any(f"'{each}'" in file for file in files)) == OLDEST_SERVED


@pytest.fixture(scope="module", params=RELEASES)
def filled(request, empty_database, tmp_path_factory):
    """Return the URL of a database that a release has filled, and this version has backed up and migrated."""
    url = empty_database("release")
    run_coroutine(release.load(url, request.param))
    before = _kept(url)
    assert all(before.values())
    backup = invoke("backup", tmp_path_factory.mktemp("release") / "backup", database_url=url)
    assert backup.exit_code == 0, backup.stderr
    run_in_thread(upgrade, url)
    assert _kept(url) == before
    return url


def test_its_last_migration_can_be_taken_back_and_applied_again(filled):
    before = _kept(filled)
    for move in (lambda url: command.downgrade(config(url), "-1"), upgrade):
        run_in_thread(move, filled)
        assert _kept(filled) == before


def test_its_games_replay_and_its_entries_are_valid(filled):
    done = gorrion("check-games", "--processes", 1, database=filled)
    assert done.returncode == 0, done.stdout
    for record in _column(filled, "SELECT record FROM nugget_entries"):
        assert verify_file(record.encode()).valid


def test_its_games_entries_and_players_are_shown_and_its_players_log_in(filled):
    server = start_server(filled)
    try:
        names = _column(filled, "SELECT username FROM accounts WHERE password_hash LIKE '$%'")
        for name in names:
            assert Visitor(server).log_in(name).http.get("/account").status_code == 200, name
        api = [f"/api/v1/games/{id_}" for id_ in _column(filled, "SELECT id FROM games")]
        entries = [f"/nugget/entries/{id_}" for id_ in _column(filled, "SELECT id FROM nugget_entries")]
        for path in (*api, *entries, *(f"/players/{name}" for name in names)):
            assert plain_http.get(f"{server.url}{path}").status_code == 200, path
        assert fetch(filled, "SELECT count(*) FROM unreadable_rows")[0] == 0
    finally:
        server.stop()
