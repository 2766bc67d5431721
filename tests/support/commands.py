"""Commands of the application."""

import json
import os
import subprocess
import sys

from app.moments import CLOCK_FILE


def gorrion(*arguments, database=None, **settings):
    """Run a command, and return it when it has ended."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GORRION_")}
    environment = kept | {CLOCK_FILE: os.environ[CLOCK_FILE]}
    if database is not None:
        environment["GORRION_DATABASE_URL"] = database
    environment |= {f"GORRION_{name.upper()}": value for name, value in settings.items()}
    return subprocess.run(
        [sys.executable, "-m", "app", *map(str, arguments)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def json_lines(database_url, *arguments):
    """Return the lines of JSON that a command prints."""
    done = gorrion(*arguments, database=database_url)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]
