"""A command that is refused has changed nothing: neither a folder, nor a database."""

import json

import pytest

from app.site.dumps import writing
from tests.support.commands import failure
from tests.support.database import execute, fetch

REVISION = "SELECT version_num FROM alembic_version"


@pytest.fixture
def dump(tmp_path):
    """Return the folder of a dump with nothing in it."""
    folder = tmp_path / "dump"
    folder.mkdir()
    (folder / writing.MANIFEST).write_text(json.dumps({"version": writing.VERSION, "sheets": []}))
    return folder


@pytest.mark.parametrize("command", ["load", "restore", "check-backup"])
def test_what_is_missing_is_named_before_a_database_is_made(command, tmp_path):
    assert str(tmp_path / "missing") in failure(command, tmp_path / "missing", "--data", tmp_path / "none")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["load", "restore", "check-backup"])
def test_what_is_missing_is_named_even_if_no_database_answers(command, tmp_path):
    away = "postgresql://gorrion@127.0.0.1:1/gorrion"
    assert str(tmp_path / "missing") in failure(command, tmp_path / "missing", database_url=away)


def test_a_database_of_another_version_is_not_migrated_by_a_load(new_database, dump):
    url = new_database("other_version")
    execute(url, "UPDATE alembic_version SET version_num = 'other'")
    assert "has tables of another version" in failure("load", dump, database_url=url)
    assert fetch(url, REVISION)[0] == "other"


def test_a_database_of_something_else_is_not_migrated_by_a_load(empty_database, dump):
    url = empty_database("something_else")
    execute(url, "CREATE TABLE something (id int)")
    assert "not empty" in failure("load", dump, database_url=url)
    assert fetch(url, "SELECT to_regclass('alembic_version')")[0] is None
