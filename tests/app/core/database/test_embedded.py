"""The embedded PostgreSQL: folders that it cannot use, and those that a crash has left."""

import os

import pytest

from app.core.database import embedded
from app.core.database.data_folder import EmbeddedPostgresError
from app.core.database.embedded import EmbeddedPostgres
from tests.support.database import fetch


@pytest.fixture
def folder(tmp_path):
    """Return a data folder whose PostgreSQL was stopped."""
    postgres = EmbeddedPostgres(tmp_path)
    postgres.start()
    postgres.stop()
    return tmp_path


def test_a_process_that_got_the_number_of_a_killed_postgresql_is_not_taken_for_it(folder):
    cluster = folder / "postgres"
    lines = [os.getpid(), cluster, 1_700_000_000, 5432, cluster, "", "8826964 65536", "ready"]
    (cluster / "postmaster.pid").write_text("".join(f"{line}\n" for line in lines))
    postgres = EmbeddedPostgres(folder)
    try:
        assert fetch(postgres.start(), "SELECT 1")[0] == 1
    finally:
        postgres.stop()
    assert not (cluster / "postmaster.pid").exists()


def test_nothing_is_left_to_stop_if_no_connection_is_made(folder, monkeypatch):
    async def refuse(_url):
        raise ConnectionRefusedError

    monkeypatch.setattr(embedded, "_START_WITHIN", 1)
    monkeypatch.setattr(embedded, "_create_database", refuse)
    postgres = EmbeddedPostgres(folder)
    with pytest.raises(EmbeddedPostgresError, match="does not answer"):
        postgres.start()
    monkeypatch.undo()
    postgres.stop()
    another = EmbeddedPostgres(folder)  # which joins the one that runs
    another.start()
    another.stop()
    assert not (folder / "postgres" / "postmaster.pid").exists()


@pytest.mark.parametrize(("version", "found"), [("9.6\n", "9.6"), ("", "nothing"), ("Postgres", "Postgres")])
def test_the_folder_of_another_version_is_named(tmp_path, version, found):
    cluster = tmp_path / "postgres"
    cluster.mkdir()
    (cluster / "PG_VERSION").write_text(version)
    with pytest.raises(EmbeddedPostgresError, match=f"{cluster / 'PG_VERSION'} says {found}\\."):
        EmbeddedPostgres(tmp_path).start()
