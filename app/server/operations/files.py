"""Files that commands write: whole, or as they were before."""

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

from app.core.errors import OperatorError

_STREAMS = ("/dev/fd/", "/dev/stdout", "/dev/stderr", "/proc/")
"""How the paths of files begin that are open already, whatever they are."""

_FOR_ALL = 0o666  # those whom the umask does not exclude


@contextlib.contextmanager
def replacing(file: Path, mode: int = _FOR_ALL) -> Iterator[BinaryIO]:
    """Yield a new file to write to, which takes the place of `file`, with its mode, unless there is an error.

    It is made at once: where it cannot be, that is known before hours of work. A link stays, and the file to
    which it leads is replaced. A device, a pipe or an open file such as /dev/stdout is written to as it is.
    Raise OperatorError for a folder, OSError if the file cannot be made or written.
    """
    if file.is_dir():
        raise OperatorError(f"{file} is a folder; name a file in it.")
    if _is_stream(file):
        with file.open("ab") as opened:
            yield opened
        return
    target = Path(os.path.realpath(file))
    # Its name is its own, so that commands that write the same file at a time do not write into each other's.
    with new(target.with_name(f"{target.name}.{secrets.token_hex(4)}.part"), mode) as opened:
        if target.exists():
            shutil.copymode(target, opened.name)
        yield opened
        synchronize(opened)
        Path(opened.name).rename(target)


@contextlib.contextmanager
def new(file: Path, mode: int = _FOR_ALL) -> Iterator[BinaryIO]:
    """Yield a new file to write to, which is removed if there is an error. Raise FileExistsError, OSError.

    It never has more than the mode, less the umask.
    """
    with open(file, "xb", opener=partial(os.open, mode=mode)) as opened:
        try:
            yield opened
            opened.flush()
        except BaseException:
            file.unlink(missing_ok=True)
            raise


def synchronize(opened: BinaryIO) -> None:
    """Return when what was written to a file is on the disk."""
    opened.flush()
    os.fsync(opened.fileno())


def _is_stream(file: Path) -> bool:
    return str(file.absolute()).startswith(_STREAMS) or (file.exists() and not file.is_file())
