"""What an installation takes at rest: the CPU time of importing it, and the memory of its processes.

`gorrion serve` is started twice with an embedded PostgreSQL, since the first start compiles the searches and
makes the tables. The second one is measured, and what it takes while nobody is there.
"""

import argparse
import contextlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil

from app.core.settings import ROOT
from tests.support import plain_http
from tests.support.ports import free_port

_IMPORTS = ("app.server.cli", "app.main", "app.server.worker")
_APPLICATION = "import app.live.http; from app.server.serve import load_app; load_app()"
_FIRST_ASKED = ("/", "/api/v1/games", "/api/v1/openapi.json")
_WITHIN = 60  # seconds, in which the description of the API is made, too
_SEARCHES_ARE_READY = "solver_ready"
_COMPILED_WITHIN = 600  # seconds
_LOOK_EVERY = 0.1  # seconds


def cpu_of(code: str, runs: int) -> float:
    """Return the least CPU time that programs of this code took, in seconds."""
    return min(_cpu_of(code) for _ in range(runs))


def _cpu_of(code: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@contextlib.contextmanager
def started(port: int, data: Path, log: Path) -> Iterator[tuple[psutil.Popen, float]]:
    """Yield a server whose searches are compiled, with the seconds after which it was ready."""
    began = time.monotonic()
    command = (sys.executable, "-m", "app", "serve", "--port", str(port), "--data", str(data))
    with log.open("w") as errors:
        server = psutil.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=errors, text=True)
    try:
        if not any("ready" in line for line in server.stdout):
            raise SystemExit(log.read_text())
        seconds = time.monotonic() - began
        while _SEARCHES_ARE_READY not in log.read_text():
            if server.poll() is not None or time.monotonic() > began + _COMPILED_WITHIN:
                raise SystemExit(log.read_text())
            time.sleep(_LOOK_EVERY)
        yield server, seconds
    finally:
        server.terminate()
        server.wait()


def processes_of(server: psutil.Popen) -> dict[str, psutil.Process]:
    """Return the processes of a server by what they do."""
    found = {"gorrion serve": psutil.Process(server.pid)}
    for child in server.children():
        command = " ".join(child.cmdline())
        if "app worker" in command:
            found["worker"] = child
        elif "spawn_main" in command:
            found["web process"] = child
    return found


def show(processes: dict[str, psutil.Process], seconds: float) -> None:
    """Print the memory of processes, and the CPU time that they take while nothing happens."""
    before = {name: _cpu_so_far(process) for name, process in processes.items()}
    time.sleep(seconds)
    print(f"{'':14}{'resident':>9}{'shared out':>11}{'CPU':>7}")
    for name, process in processes.items():
        memory = process.memory_full_info()
        share = (_cpu_so_far(process) - before[name]) / seconds
        print(f"{name:14}{memory.rss >> 20:6} MB{memory.pss >> 20:8} MB{share:7.1%}")


def _cpu_so_far(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def ask_first(url: str, paths: Sequence[str]) -> None:
    """Print how long the first requests for paths take, and the second ones."""
    with plain_http.Client(base_url=url, timeout=_WITHIN) as http:
        for path in paths:
            first, second = (http.get(path).elapsed.total_seconds() for _ in range(2))
            print(f"{path}: {1000 * first:.0f} ms at first, then {1000 * second:.0f} ms")


def main() -> None:
    """Print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="imports of each kind, of which the least counts")
    parser.add_argument("--seconds", type=float, default=30, help="to rest before and while it is measured")
    arguments = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # each import would compile what it imports
    for module in _IMPORTS:
        print(f"import {module}: {cpu_of(f'import {module}', arguments.runs):.2f} s of CPU")
    print(f"a web process until it connects: {cpu_of(_APPLICATION, arguments.runs):.2f} s of CPU")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        data, log, port = Path(folder) / "data", Path(folder) / "log", free_port()
        with started(port, data, log) as (_, seconds):
            print(f"first start: ready after {seconds:.1f} s")
        with started(port, data, log) as (server, seconds):
            print(f"second start: ready after {seconds:.1f} s")
            time.sleep(arguments.seconds)
            processes = processes_of(server)
            show(processes, arguments.seconds)
            ask_first(f"http://localhost:{port}", _FIRST_ASKED)
            show(processes, arguments.seconds)


if __name__ == "__main__":
    main()
