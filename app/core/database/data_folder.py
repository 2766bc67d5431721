"""The folder of the embedded PostgreSQL: how its programs reach it, and why they cannot use it."""

import contextlib
import getpass
import hashlib
import logging
import os
import pwd
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from app.core.errors import OperatorError

_PLAIN = re.compile(r"[A-Za-z0-9_./@:=~-]+")  # what neither a shell nor a list of PostgreSQL nor a URL quotes
_LONGEST_SOCKET = 107  # bytes, for the operating system
_SOCKET = "/.s.PGSQL.5432"
# What PostgreSQL says while another one is ending, starting or being made.
_PASSING = ("pre-existing shared memory", "already exists", "might be running", "did not start in time")
_USER_FOR_ROOT = "pgserver"  # as whom the wheel runs PostgreSQL if root starts it
_REASONS = ("FATAL: ", "PANIC: ", "error: ")


class EmbeddedPostgresError(OperatorError):
    """The embedded PostgreSQL does not start."""


class NotOursError(EmbeddedPostgresError):
    """PostgreSQL belongs to another user, and does not run."""

    def __init__(self, folder: Path) -> None:
        owner = _name(_owner(folder))
        super().__init__(
            f"The embedded PostgreSQL in {folder} does not run, and belongs to {owner}: "
            + (
                f"`chown -R {_USER_FOR_ROOT} {folder}` makes it one that root may start."
                if owner == "root"
                else f"run this as that user, or while {owner}'s server is running."
            )
        )


class NotYetError(Exception):
    """PostgreSQL cannot start at the moment, but soon."""


def runtime_folder(purpose: str, mode: int) -> Path:
    """Return a folder of this user for what lasts as long as programs run, with a plain and short path."""
    places = [Path(tempfile.gettempdir()), Path("/tmp")]  # noqa: S108 - nobody else can write into the folder
    place = next((place for place in places if is_plain(place / ("x" * 60))), places[0])
    folder = place / f"gorrion-{getpass.getuser()}{purpose}"
    folder.mkdir(exist_ok=True)
    folder.chmod(mode)
    return folder


def is_plain(folder: Path) -> bool:
    """Return whether a folder may have a socket, and its path be a part of any command line or URL."""
    socket = f"{folder}{_SOCKET}"
    return _PLAIN.fullmatch(socket) is not None and len(socket) <= _LONGEST_SOCKET


def plain_path(folder: Path) -> Path:
    """Return a path by which every program can use a folder: its own, or that of a link to it."""
    if is_plain(folder):
        return folder
    # For root, PostgreSQL runs as another user, who follows the link.
    link = runtime_folder("-folders", 0o755) / _name_of(folder)
    with contextlib.suppress(FileExistsError):
        link.symlink_to(folder, target_is_directory=True)
    return link


def lock_of(folder: Path) -> Path:
    """Return the file by which those who start and stop the PostgreSQL of a folder wait for each other."""
    return runtime_folder("", 0o700) / f"{_name_of(folder)}.lock"


def _name_of(folder: Path) -> str:
    return hashlib.sha256(os.fsencode(folder)).hexdigest()[:20]


def check(folder: Path, version: int) -> None:
    """Raise EmbeddedPostgresError unless a PostgreSQL of a version made a folder, or may make it.

    Raise NotYetError if it is being made.
    """
    file = folder / "PG_VERSION"
    if not file.exists():
        return
    if (found := file.read_text().strip()) != str(version):
        raise EmbeddedPostgresError(
            f"The embedded PostgreSQL cannot be used: it is version {version}, but {file} says"
            f" {found or 'nothing'}. Restore a backup into a new folder."
        )
    if is_whole(folder):
        return
    if _is_being_made(folder):
        raise NotYetError
    raise EmbeddedPostgresError(
        f"The embedded PostgreSQL cannot be used: {folder} is not whole, perhaps because its making was cut"
        " short. Move it away to start with a new one, or restore a backup into a new folder."
    )


def is_own(folder: Path) -> bool:
    """Return whether the PostgreSQL of a folder is one that this user starts: a new one is."""
    if not (folder / "PG_VERSION").exists():
        return True
    user = os.geteuid()
    return _name(_owner(folder)) == _USER_FOR_ROOT if user == 0 else _owner(folder) == user


def _owner(folder: Path) -> int:
    # Of what PostgreSQL wrote: the wheel may have given the folder itself to another user.
    return (folder / "PG_VERSION").stat().st_uid


def _name(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return f"user {user}"


def is_whole(folder: Path) -> bool:
    """Return whether a folder has everything that is made with it, the last of which is a database."""
    return (folder / "base" / "5" / "PG_VERSION").exists()


def _is_being_made(folder: Path) -> bool:
    import psutil  # noqa: PLC0415 - of the extra `embedded`, which has made the folder

    path = str(plain_path(folder))
    processes = psutil.process_iter(["name", "cmdline"])
    return any(each.info["name"] == "initdb" and path in (each.info["cmdline"] or ()) for each in processes)


class Explanations(logging.Handler):
    """Keeps what PostgreSQL's programs said when they failed, which the wheel only logs."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self._said = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the output of a program that failed."""
        if record.args and isinstance(record.args, tuple):
            self._said = "\n".join(map(str, record.args[-2:]))

    @contextlib.contextmanager
    def of(self, folder: Path) -> Iterator[None]:
        """Raise what a program's failure within the context means: NotYetError or EmbeddedPostgresError."""
        server_log = folder / "log"
        self._said, before = "", _size(server_log)
        try:
            yield
        except (subprocess.CalledProcessError, FileNotFoundError) as error:
            said = f"{_end_of(server_log, before)}\n{self._said}\n{error}"
            if any(words in said for words in _PASSING):
                raise NotYetError from error
            where = f" Its log is {server_log}." if server_log.exists() else ""
            raise EmbeddedPostgresError(
                f"The embedded PostgreSQL in {folder} does not start. {_reason(said)}.{where}"
            ) from error


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _end_of(file: Path, start: int) -> str:
    try:
        return file.read_bytes()[start:].decode(errors="replace")
    except OSError:
        return ""


def _reason(said: str) -> str:
    """Return the line that tells why, of those that a program has printed."""
    lines = [" ".join(line.split()) for line in said.splitlines() if line.strip()]
    worst = [line[line.index(word) :] for word in _REASONS for line in lines if word in line]
    return next(iter(worst + lines[-1:]), "It does not say why").rstrip(".")


def explained(logger: logging.Logger) -> Explanations:
    """Keep the wheel's log instead of printing it: it is a copy of PostgreSQL's."""
    kept = next((each for each in logger.handlers if isinstance(each, Explanations)), None)
    if kept is None:
        kept = Explanations()
        logger.addHandler(kept)
        logger.setLevel(logging.ERROR)
        logger.propagate = False
    return kept
