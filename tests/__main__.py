"""Run all tests: `python -m tests`, followed by any arguments of pytest.

With `--thorough`, tests of random cases try four times as many.
"""

import compileall
import os
import sys

from tests.browser import chromium
from tests.support import effort
from tests.support.run_folder import new_folder

# Tests wait for servers, faults and clocks half of their time: each core is enough for two workers.
WORKERS_A_CORE = 2
MOST_WORKERS = 8
THOROUGH = "--thorough"


def main() -> None:
    """Find or install a Chromium, then become pytest, so that its exit code and signals are ours."""
    os.chdir(chromium.ROOT)
    try:
        chromium.ensure()
    except chromium.NoChromiumError as error:
        sys.exit(str(error))
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # each process would compile all tests, in each run
    # pytest's workers start at the same time, and each would compile all of our modules.
    for package in ("app", "engine"):
        compileall.compile_dir(package, quiet=1)
    arguments = [each for each in sys.argv[1:] if each != THOROUGH]
    if THOROUGH in sys.argv:
        os.environ[effort.VARIABLE] = "1"
    workers = min(WORKERS_A_CORE * _cores(), MOST_WORKERS)
    # worksteal: each worker begins with neighbouring tests, which share fixtures, and an idle one takes
    # over from a busy one. Arguments of the command line come last and take precedence.
    command = ["-m", "pytest", "-n", str(workers), "--dist", "worksteal", "--basetemp", new_folder()]
    os.execv(sys.executable, [sys.executable, *command, *arguments])  # this interpreter


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


main()
