"""The long form of the fault tests: `python -m tests.faults --hours 1`.

All tests run again and again, with more games and more faults than among the other tests; a table of all of
them is printed at the end. The exit code is 0 if all have passed each time.
"""

import argparse
import os
import statistics
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field

import pytest

from tests.faults.scale import IS_LONG, VARIABLE
from tests.support.run_folder import new_folder

_HEADER = ("test", "runs", "acked", "lost", "doubled", "recovery p50", "max", "verdict")


@dataclass
class Runs:
    """What is known of one test."""

    outcomes: list[str] = field(default_factory=list)
    loads: list[dict] = field(default_factory=list)
    reasons: set[str] = field(default_factory=set)

    def row(self, name):
        """Return the cells of the table. Recovery is in seconds: a table's next move after a fault."""
        totals = [str(sum(load[name] for load in self.loads)) for name in ("acked", "lost", "doubled")]
        recoveries = [load["p50"] for load in self.loads if load["max"]]
        median = f"{statistics.median(recoveries):.1f}" if recoveries else ""
        longest = f"{max(load['max'] for load in self.loads):.1f}" if recoveries else ""
        return name, str(len(self.outcomes)), *totals, median, longest, self.verdict

    @property
    def verdict(self):
        failed = self.outcomes.count("failed")
        if failed:
            return f"FAILED {failed} times"
        return "passed" if "passed" in self.outcomes else f"not run: {', '.join(self.reasons)}"


class Table:
    """A plugin of pytest that collects the results of all runs."""

    def __init__(self):
        self.tests = defaultdict(Runs)

    def pytest_runtest_logreport(self, report):
        test = self.tests[report.nodeid.rpartition("/")[2]]
        if report.when == "call" or not report.passed:
            test.outcomes.append(report.outcome)
        if report.when == "teardown":
            test.loads += [load for name, load in report.user_properties if name == "load"]
        if report.skipped:
            test.reasons.add(report.longrepr[2].removeprefix("Skipped: "))

    def __str__(self):
        rows = [_HEADER, *(runs.row(name) for name, runs in sorted(self.tests.items()))]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        acked = sum(load["acked"] for runs in self.tests.values() for load in runs.loads)
        return "\n".join([*lines, f"{acked} acknowledged moves"])

    @property
    def all_passed(self):
        return not any("failed" in runs.outcomes for runs in self.tests.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=1.0, help="begin no further round after this time")
    parser.add_argument("tests", nargs="*", default=["tests/faults"], help="as for pytest")
    arguments = parser.parse_args()
    if not IS_LONG:  # the scale is known once the tests are imported, so this process starts over
        os.environ[VARIABLE] = "1"
        os.execv(sys.executable, [sys.executable, "-m", "tests.faults", *sys.argv[1:]])  # this interpreter
    until, table = time.monotonic() + 3600 * arguments.hours, Table()
    while True:
        options = ["-p", "no:xdist", "-p", "no:cacheprovider", "--timeout", "0", "-q", "--basetemp"]
        pytest.main([*options, new_folder(), *arguments.tests], plugins=[table])
        if time.monotonic() > until:
            break
    sys.stdout.write(f"{table}\n")
    sys.exit(not table.all_passed)


main()
