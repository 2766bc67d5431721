"""Commands of the application."""

import json
import subprocess
import sys


def json_lines(database_url, *arguments):
    """Return the lines of JSON that a command prints."""
    done = subprocess.run(
        [sys.executable, "-m", "app", *arguments],
        env={"GORRION_DATABASE_URL": database_url},
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]
