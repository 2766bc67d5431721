"""What all commands have in common: which database they use, and how they fail."""

import pytest

from tests.support.commands import failure


@pytest.mark.parametrize("command", ["status --once", "backup FILE", "check-games", "audit", "recount"])
def test_a_command_makes_no_database_in_a_mistyped_folder(command, tmp_path):
    command = command.replace("FILE", str(tmp_path / "backup"))
    assert "There is no database in" in failure(*command.split(), "--data", tmp_path / "none")
    assert list(tmp_path.iterdir()) == []


def test_a_restore_of_a_missing_file_makes_no_database(tmp_path):
    assert "There is no file" in failure("restore", tmp_path / "file", "--data", tmp_path / "none")
    assert list(tmp_path.iterdir()) == []
