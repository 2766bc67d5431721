"""Where commands write: a file is replaced whole, a link stays, and a device or a pipe is written to."""

import os
import stat
from pathlib import Path

import pytest

from app.core.errors import OperatorError
from app.server.operations.files import new, replacing


def write(file, text=b"new"):
    with replacing(file) as opened:
        opened.write(text)


def test_a_new_file_is_there_when_it_is_whole(tmp_path):
    file = tmp_path / "file"
    with replacing(file) as opened:
        opened.write(b"new")
        opened.flush()
        assert not file.exists()
    assert file.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_that_is_replaced_keeps_who_may_read_it(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"old")
    file.chmod(0o640)
    write(file)
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (b"new", 0o640)


def test_a_file_of_its_owner_is_never_readable_for_others(tmp_path):
    before = os.umask(0)
    try:
        with replacing(tmp_path / "file", mode=0o600) as opened:
            assert stat.S_IMODE(Path(opened.name).stat().st_mode) == 0o600
    finally:
        os.umask(before)


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_a_file_stays_as_it_was_after_an_error(tmp_path, error):
    file = tmp_path / "file"
    file.write_bytes(b"old")
    with pytest.raises(error), replacing(file) as opened:
        opened.write(b"new")
        raise error
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("target", [b"old", None], ids=["a file", "nothing yet"])
def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path, target):
    file, link, second = tmp_path / "folder" / "file", tmp_path / "link", tmp_path / "second"
    file.parent.mkdir()
    if target is not None:
        file.write_bytes(target)
    link.symlink_to("folder/file")
    second.symlink_to(link)
    write(second)
    assert link.is_symlink()
    assert second.is_symlink()
    assert file.read_bytes() == b"new"


def test_a_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write(pipe)
    assert os.read(reading, 9) == b"new"
    os.close(reading)
    assert list(tmp_path.iterdir()) == [pipe]
    assert pipe.is_fifo()


def test_a_device_is_written_to_whatever_links_lead_to_it(tmp_path):
    link = tmp_path / "link"
    link.symlink_to(os.devnull)
    write(link)
    assert link.is_char_device()
    assert list(tmp_path.iterdir()) == [link]


def test_an_open_file_is_added_to(tmp_path):
    file = tmp_path / "file"
    with file.open("wb") as opened:
        opened.write(b"old ")
        opened.flush()
        write(Path(f"/dev/fd/{opened.fileno()}"))
    assert file.read_bytes() == b"old new"


def test_a_full_device_is_an_error():
    with pytest.raises(OSError, match="No space left"):
        write(Path("/dev/full"))


def test_two_that_write_a_file_at_a_time_do_not_mix(tmp_path):
    file = tmp_path / "file"
    with replacing(file) as one:
        one.write(b"one")
        with replacing(file) as other:
            other.write(b"other")
            one.write(b" and more")
        assert file.read_bytes() == b"other"
    assert file.read_bytes() == b"one and more"
    assert list(tmp_path.iterdir()) == [file]


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(OperatorError, match="is a folder"):
        write(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["none/file", "file/file"])
def test_where_no_file_can_be_the_error_comes_first(tmp_path, name):
    (tmp_path / "file").touch()
    with pytest.raises(OSError), replacing(tmp_path / name):  # noqa: PT011 - of several kinds
        pytest.fail("There is no file.")


def test_what_must_be_new_replaces_nothing(tmp_path):
    file = tmp_path / "file"
    with pytest.raises(ValueError, match="stop"), new(file) as opened:
        opened.write(b"half")
        raise ValueError("stop")
    assert not file.exists()
    file.write_bytes(b"old")
    with pytest.raises(FileExistsError), new(file):
        pytest.fail("It exists.")
    assert file.read_bytes() == b"old"
