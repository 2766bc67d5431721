"""The embedded PostgreSQL: folders that it cannot use, and those that a crash has left."""

import os
import shutil
import subprocess

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


def state_of(folder):
    """Return who may do what with the files of a folder, and of those above it."""
    files = (folder, *folder.parents, *folder.rglob("*"))
    return {file: (file.stat().st_uid, file.stat().st_mode) for file in files}


@pytest.fixture
def of_another_user(folder):
    """Return a data folder that belongs to a user whose processes root is not."""
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder to another user")
    for file in (folder, *folder.rglob("*")):
        shutil.chown(file, "nobody")
    return folder


def test_the_stopped_postgresql_of_another_user_is_left_to_that_user(of_another_user):
    before = state_of(of_another_user)
    with pytest.raises(EmbeddedPostgresError, match="belongs to nobody: run this as that user"):
        EmbeddedPostgres(of_another_user).start()
    assert state_of(of_another_user) == before


def test_the_running_postgresql_of_another_user_is_read_and_goes_on(of_another_user):
    cluster = of_another_user / "postgres"
    program = [embedded._import_pgserver().PostgresServer(cluster).bin_path / "pg_ctl", "-D", cluster, "-w"]
    options = ["-o", f'-h "" -k {cluster}', "-l", cluster / "log"]
    subprocess.run([*program, *options, "start"], user="nobody", cwd="/", check=True)
    try:
        before = state_of(of_another_user)
        postgres = EmbeddedPostgres(of_another_user)
        assert fetch(postgres.start(), "SELECT 1")[0] == 1
        postgres.watch()
        postgres.stop()
        after = state_of(of_another_user)
        assert before.items() <= after.items()
        assert {after[file][0] for file in cluster.rglob("*")} == {cluster.stat().st_uid}
        assert fetch(f"postgresql://postgres@/gorrion?host={cluster}", "SELECT 1")[0] == 1
    finally:
        subprocess.run([*program, "stop"], user="nobody", cwd="/", check=True)


def test_a_folder_that_root_copied_names_who_may_have_it(folder):
    if os.geteuid() != 0:
        pytest.skip("another user's copy belongs to that user")
    for file in (folder, *folder.rglob("*")):
        shutil.chown(file, "root")
    with pytest.raises(EmbeddedPostgresError, match=f"`chown -R pgserver {folder / 'postgres'}`"):
        EmbeddedPostgres(folder).start()
    for file in (folder / "postgres", *(folder / "postgres").rglob("*")):
        shutil.chown(file, "pgserver")
    postgres = EmbeddedPostgres(folder)
    try:
        assert fetch(postgres.start(), "SELECT 1")[0] == 1
    finally:
        postgres.stop()


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
