"""Commands of the application."""

import json
import logging
import os
import subprocess
import tempfile
from pathlib import Path

from typer.testing import CliRunner

from app.core.moments import CLOCK_FILE
from app.server.cli import cli
from tests.support.launching import Command


def invoke(*arguments, **settings):
    """Run a command in this process, which is much quicker, and return its result."""
    unset = {name: None for name in os.environ if name.startswith("GORRION_") and name != CLOCK_FILE}
    environment = unset | {f"GORRION_{name.upper()}": value for name, value in settings.items()}
    handlers = [*logging.root.handlers]
    try:
        return CliRunner().invoke(cli, list(map(str, arguments)), env=environment)
    finally:
        logging.root.handlers = handlers  # that of the command writes to a file which is closed now


def failure(*arguments, **settings):
    """Return the line with which a command fails in this process."""
    done = invoke(*arguments, **settings)
    assert (done.exit_code, done.stdout) == (1, ""), (done.exit_code, done.stdout, done.exception)
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def gorrion(*arguments, database=None, **settings):
    """Run a command, and return it when it has ended."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GORRION_")}
    environment = kept | {CLOCK_FILE: os.environ[CLOCK_FILE]}
    if database is not None:
        environment["GORRION_DATABASE_URL"] = database
    environment |= {f"GORRION_{name.upper()}": value for name, value in settings.items()}
    with tempfile.TemporaryDirectory() as folder:
        output, errors = Path(folder, "output"), Path(folder, "errors")
        command = Command(tuple(map(str, arguments)), environment, str(errors), str(output))
        code = command.wait()
        return subprocess.CompletedProcess(arguments, code, output.read_text(), errors.read_text())


def json_lines(database_url, *arguments):
    """Return the lines of JSON that a command prints."""
    done = gorrion(*arguments, database=database_url)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]
