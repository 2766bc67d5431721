"""A folder for the files of one run of the tests."""

import os
import shutil
import tempfile
from pathlib import Path

import psutil

_MEMORY = Path("/dev/shm")
_ENOUGH_MEMORY = 6 * 2**30  # bytes; the databases of all tests take less
_FILES = "gorrion-tests-"  # and the process's id


def new_folder() -> str:
    """Return a folder for the files of this run, in memory if possible, and remove those of earlier runs.

    The folders that pytest chooses are below one that each run closes to other users, PostgreSQL's among
    them, even while another run goes on.
    """
    parent = _MEMORY if _has_memory() else Path(tempfile.gettempdir())
    for folder in parent.glob(f"{_FILES}*"):
        if not psutil.pid_exists(int(folder.name.removeprefix(_FILES))):
            shutil.rmtree(folder, ignore_errors=True)  # another user's stay
    return str(parent / f"{_FILES}{os.getpid()}")


def _has_memory() -> bool:
    return os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ENOUGH_MEMORY
