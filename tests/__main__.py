"""Runs all tests: `python -m tests`, with any of pytest's own arguments after it."""

import os
import sys

from tests.browser import chromium

# Each worker has a database of its own on one PostgreSQL; past this many they get in each other's way.
MOST_WORKERS = 8


def main() -> None:
    """Make sure of a Chromium, then become pytest, so that its exit code and signals are ours."""
    os.chdir(chromium.ROOT)
    try:
        os.environ[chromium.VARIABLE] = chromium.ensure()
    except chromium.NoChromiumError as error:
        sys.exit(str(error))
    workers = min(_cores(), MOST_WORKERS)
    # worksteal: each worker begins with neighbouring tests, which share fixtures, and an idle one takes
    # over from a busy one. What is given on the command line comes last, and so has the last word.
    command = ["-m", "pytest", "-n", str(workers), "--dist", "worksteal", *sys.argv[1:]]
    os.execv(sys.executable, [sys.executable, *command])  # the interpreter that runs us


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not every system can say which cores are ours
        return os.cpu_count() or 1


main()
