"""The command `gorrion solve`: a search for short records of Golden Nugget, and what it shows meanwhile."""

import asyncio
import contextlib
import math
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from app.nugget.solver.decisions import SearchState, per_minute
from app.server.cli import shared
from app.server.operations.files import replacing

if TYPE_CHECKING:
    from engine.search.nugget.graph import Graph
    from engine.search.nugget.progress import Progress

T = TypeVar("T")

cli = typer.Typer()

_DRAW_EVERY, _PRINT_EVERY, _REPORT_EVERY = 0.25, 10, 5  # seconds
_REPORT_WITHIN = 5  # seconds, in which the search waits for the database
_KEEP_EVERY = 60  # seconds, so that no more is lost if the process is killed

Watch = Callable[["Progress", SearchState], None]
"""A function that is called with how far a search is."""


@cli.command()
def solve(
    boards: Annotated[int, typer.Option(min=1, max=200, help="How many boards to solve.")] = 20,
    seconds: Annotated[float, typer.Option(min=1, max=31_536_000, help="Approximate time limit.")] = 600,
    seed: Annotated[
        int,
        typer.Option(min=0, max=1_000_000, help="Random seed; different seeds explore different runs."),
    ] = 1,
    start: Annotated[Path | None, typer.Option("--from", help="A record file to improve.")] = None,
    memory: Annotated[
        Path | None,
        typer.Option("--graph", help="Where the search keeps what it knows, to go on from there next time."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Where to write the record.")] = None,
    jobs: Annotated[int, typer.Option(min=1, max=64, help="Processes to use.")] = 2,
    report: Annotated[
        bool, typer.Option("--report", help="Show everybody how far it is, on /nugget/solver.")
    ] = False,
    data: shared.DataFolder = None,
) -> None:
    """Search a short record of Golden Nugget, and write the best one as a record file.

    It can be stopped at any time; the best record so far is written, to standard output if the file
    cannot be written any more.
    """
    shared.require("computers", "run it where it is installed")
    from engine.golden_nugget.record import MAX_BYTES
    from engine.search.nugget.graph import Graph
    from engine.search.nugget.runs import resumed
    from engine.search.nugget.search import search

    try:
        graph = Graph.load(memory) if memory and memory.exists() else Graph()
        if start:
            graph.add_run(resumed(shared.read_file(start, MAX_BYTES + 1)))
    except (OSError, ValueError) as error:
        shared.fail(str(error))
    if memory:  # where it cannot be kept, that is known before hours of work
        _keep(graph, memory)
    with contextlib.ExitStack() as stack:
        watches = [_keeping(graph, memory)] if memory else []
        if report:
            reported = stack.enter_context(reporting(data, boards, seconds))
            watches.append(_at_most_every(_REPORT_EVERY, reported))
        write = stack.enter_context(shared.result_in(out))
        is_stopped = stack.enter_context(_noting_signals())
        with _display(seconds) as display:
            write(_record_of(search(graph, boards, seconds, seed, jobs, is_stopped), [display, *watches]))


def _record_of(search: "Iterator[Progress]", watches: Sequence[Watch]) -> str:
    """Return the record of the best run that a search finds, also if it is stopped. Fails if it is empty."""
    from concurrent.futures import BrokenExecutor

    from engine.golden_nugget.record import to_text
    from engine.search.nugget.runs import NoSolutionError, StoppedError

    progress, state = next(search), SearchState.STOPPED
    try:
        for progress in search:
            for watch in watches:
                watch(progress, SearchState.RUNNING)
        state = SearchState.FINISHED
    except NoSolutionError:
        _tell("The search found no longer run. Another seed may.")
    except StoppedError:
        _tell("Stopped; the best record so far is kept.")
    except BrokenExecutor:  # by a signal to the whole group, or because memory has run out
        _tell("A process was killed; the best record so far is kept.")
    for watch in watches:
        watch(progress, state)
    if not progress.best.boards:
        shared.fail("No board was solved.")
    return to_text(progress.best.record)


def _at_most_every(seconds: float, watch: Watch) -> Watch:
    """Return what watches a search, but only now and then, and when it is over."""
    last = -math.inf

    def watch_now_and_then(progress: "Progress", state: SearchState) -> None:
        nonlocal last
        if state is not SearchState.RUNNING or time.monotonic() >= last + seconds:
            watch(progress, state)
            last = time.monotonic()

    return watch_now_and_then


def _keeping(graph: "Graph", file: Path) -> Watch:
    """Return what writes all that a search knows to a file now and then."""

    def keep(_progress: "Progress", _state: SearchState) -> None:
        try:
            _keep(graph, file)
        except OSError as error:
            _tell(f"{file} cannot be written: {error.strerror}. It is as before.")

    return _at_most_every(_KEEP_EVERY, keep)


def _keep(graph: "Graph", file: Path) -> None:
    """Write what a search knows to a file. Raise OSError, and leave the file as it is, if that fails."""
    with replacing(file) as opened:
        graph.save(opened)


@contextlib.contextmanager
def reporting(data: Path | None, boards: int, seconds: float) -> Iterator[Watch]:
    """Yield what reports a search to the database, for everybody to watch.

    Fail if there is no database; later the search goes on without it.
    """
    from app.core.database.session import DATABASE_ERRORS, Database
    from app.core.errors import OperatorError
    from app.nugget.solver import service

    def run(work: Callable[[Database], Awaitable[T]]) -> T:
        async def within_time() -> T:
            async with (
                asyncio.timeout(_REPORT_WITHIN),
                Database.opened(url, pool_size=1, role="solve") as database,
            ):
                return await work(database)

        # On connections of its own: the search makes processes, to which an open one would be copied.
        return asyncio.run(within_time())

    with shared.database_url(shared.read_settings(), data) as url:
        search_id = run(lambda database: service.begin(database, boards, round(seconds)))
        is_away = False

        def report(progress: "Progress", state: SearchState) -> None:
            nonlocal is_away
            try:
                run(lambda database: service.report(database, search_id, progress, state))
            except (TimeoutError, OperatorError, *DATABASE_ERRORS):  # hours of work are not lost for that
                if not is_away:
                    _tell("The search cannot be reported just now; it goes on.")
                is_away = True
            else:
                is_away = False

        yield report


@contextlib.contextmanager
def _display(seconds: float) -> Iterator[Watch]:
    """Yield what shows a search of so many seconds: as a table in a terminal, else as lines."""
    from rich.console import Console
    from rich.live import Live
    from rich.table import Table

    def draw(progress: "Progress", _state: SearchState) -> None:
        table = Table(show_header=False, title="Golden Nugget")
        for fact in _facts(progress, seconds):
            table.add_row(*fact)
        live.update(table, refresh=True)

    def print_line(progress: "Progress", _state: SearchState) -> None:
        _tell("; ".join(f"{name} {value}" for name, value in _facts(progress, seconds)))

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _at_most_every(_PRINT_EVERY, print_line)
        return
    # A thread that draws would be copied into the processes of the search.
    with Live(console=console, auto_refresh=False, redirect_stdout=False) as live:
        yield _at_most_every(_DRAW_EVERY, draw)


def _facts(progress: "Progress", seconds: float) -> Iterator[tuple[str, str]]:
    """Yield the names and values of what is shown of a search."""
    from datetime import timedelta

    cycle = progress.cycle
    yield "nodes", f"{progress.nodes:,}, of which {progress.tried:,} were tried"
    if path := progress.path:
        yield "best path", f"boards {path.boards}, moves {path.moves:,}, mean {path.text}"
    for mean in progress.means:
        yield f"mean over {mean.boards} boards", f"{mean.text} ({mean.moves:,} moves)"
    if cycle:
        each = "board" if cycle.boards == 1 else f"{cycle.boards} boards"
        yield "cycle", f"{each} again and again from board {cycle.first} on, {cycle.mean.text} moves a board"
    yield "now", "looking for cycles" if progress.board is None else f"at board {progress.board}"
    yield "boards per minute", f"{per_minute(progress.solved, progress.seconds):,}"
    yield "time left", str(timedelta(seconds=round(max(0, seconds - progress.seconds))))


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


@contextlib.contextmanager
def _noting_signals() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether SIGINT or SIGTERM has come; they interrupt nothing.

    A search asks until they have, so the function tells of it.
    """
    has_come = False

    def note(*_: object) -> None:
        nonlocal has_come
        has_come = True

    def is_stopped() -> bool:
        if has_come:
            _tell("Stopping, which may take some seconds.")
        return has_come

    handlers = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield is_stopped
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
