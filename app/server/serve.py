"""The processes of `gorrion serve`, uvicorn's and the workers, which are replaced if they end or hang."""

import contextlib
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import structlog
import uvicorn
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from app.core import shutdown
from app.core.errors import OperatorError
from app.core.i18n.catalogue import catalogue
from app.core.i18n.languages import LANGUAGES
from app.core.importing import without_collections
from app.core.ip import forms_of
from app.core.pulse import BEAT_EVERY, Pulse
from app.core.settings import Settings
from app.core.shutdown import CANCELS_AFTER
from app.live.siblings import Siblings

log = structlog.get_logger()

_SETTLED_AFTER = 60.0  # seconds of life after which a worker that exits is restarted without a longer pause
_LONGEST_PAUSE = 60.0  # seconds before the restart of a worker that exits again and again
_STOP_WITHIN = 5.0  # seconds
_BEATS_WITHIN = 120.0  # seconds; on a busy machine a worker takes long to import what it needs
_LONGEST_START = 1_920.0  # seconds

_COMMAND = (sys.executable, "-m", "app", "worker", "--until-input-ends", "--heartbeats-to")

_SPARED = 1.0  # seconds of the deadline that stay for stopping what the server has started besides

_ANSWER_WITHIN = 15  # seconds after which a process hangs; on a busy machine starting one takes this long
_OTHER_FILES = 1000  # that a process has open besides its connections
_READ_WITHIN = 30_000  # milliseconds after which a client that acknowledges nothing is disconnected
_LARGEST_MESSAGE = 16 * 1024  # bytes of one websocket message from a client


@contextlib.contextmanager
def running_workers(count: int) -> Iterator[Callable[[], None]]:
    """Keep `count` workers running within this context, or until the function that it yields is called.

    They also stop if this process is killed, because that ends their standard input.
    """
    stopping = threading.Event()
    threads = [threading.Thread(target=_keep_running, args=(stopping,), daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield stopping.set
    finally:
        stopping.set()
        for thread in threads:
            thread.join()


def _keep_running(stopping: threading.Event) -> None:
    pause, within = BEAT_EVERY, _BEATS_WITHIN
    while not stopping.is_set():
        started = time.monotonic()
        try:
            has_begun = _run_worker(stopping, within)
        except OSError:  # the machine lacks something for now, such as memory
            log.exception("worker_not_started")
        else:
            # Where one was too slow to begin, the next one would be, too, in the same time.
            within = _BEATS_WITHIN if has_begun else min(2 * within, _LONGEST_START)
        is_settled = time.monotonic() - started > _SETTLED_AFTER
        pause = BEAT_EVERY if is_settled else min(2 * pause, _LONGEST_PAUSE)
        stopping.wait(pause)


def _run_worker(stopping: threading.Event, within: float) -> bool:
    """Run a worker until it exits, hangs, or is to stop; return whether it began within so many seconds."""
    pulse = Pulse(first_within=within)
    try:
        worker = subprocess.Popen(  # noqa: S603 - our own command
            (*_COMMAND, str(pulse.descriptor)), stdin=subprocess.PIPE, pass_fds=[pulse.descriptor]
        )
        while worker.poll() is None and not stopping.wait(BEAT_EVERY):
            if pulse.has_stopped():
                log.error("worker_hangs", pid=worker.pid)
                worker.kill()
    finally:
        pulse.close()
    assert worker.stdin is not None
    worker.stdin.close()
    try:
        worker.wait(_STOP_WITHIN)
    except subprocess.TimeoutExpired:
        worker.kill()
        worker.wait()
    return pulse.has_begun


class WebProcesses(Multiprocess):
    """Web processes that go on serving for `drain` seconds when they are asked to end.

    `when_drained` is called then: what works for them may end, too.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        sockets: list[socket.socket],
        drain: float,
        when_drained: Callable[[], None],
    ) -> None:
        super().__init__(config, sockets)
        self._drain = drain
        self._when_drained = when_drained

    def terminate_all(self) -> None:
        """Ask all processes to end."""
        within = self._drain + shutdown.SERVER_WITHIN
        log.info("stopping", within_s=within)
        shutdown.begin(within)
        drained = threading.Timer(self._drain, self._when_drained)
        drained.daemon = True
        drained.start()
        super().terminate_all()

    def join_all(self) -> None:
        """Wait for all processes, and end those that do not end by themselves."""
        for process in self.processes:
            process.process.join(shutdown.left() - _SPARED)
            process.kill()
        super().join_all()


if TYPE_CHECKING:
    from fastapi import FastAPI


def bind(host: str, port: int) -> socket.socket:
    """Return a socket with an address at which `run` can serve. Raise OperatorError if there can be none."""
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except OSError as error:
        raise OperatorError(
            f"The server cannot listen on {host}, port {port}: {error.strerror}."
            " Choose another --port, or another --host."
        ) from error
    return bound


def run(settings: Settings, bound: socket.socket, workers: int, when_drained: Callable[[], None]) -> bool:
    """Serve until SIGTERM or SIGINT, in `workers` processes that read their settings from the environment.

    `when_drained` is called as soon as they serve no longer. Return whether they could start.
    """
    with tempfile.TemporaryDirectory(prefix="gorrion-web-") as folder:
        siblings = Siblings(Path(folder), workers) if workers > 1 else None
        return _serve(settings, bound, workers, siblings, when_drained)


class _OfWebProcesses(uvicorn.Config):
    """The configuration of web processes. They import what speaks to clients; their parent never needs it."""

    siblings: Siblings | None = None

    def load(self) -> None:
        """Choose the protocols, and make the application."""
        with without_collections():
            from app.live.http import HttpProtocol  # noqa: PLC0415 - for web processes only
            from app.live.protocol import WebSocketProtocol  # noqa: PLC0415 - for web processes only

        self.http = HttpProtocol
        if self.siblings is not None:
            self.http = cast("Any", partial(HttpProtocol, siblings=self.siblings))
        self.ws = WebSocketProtocol
        super().load()


def _serve(
    settings: Settings,
    bound: socket.socket,
    workers: int,
    siblings: Siblings | None,
    when_drained: Callable[[], None],
) -> bool:
    config = _OfWebProcesses(
        "app.server.serve:load_app",
        factory=True,
        workers=workers,
        loop="uvloop",
        ws_max_size=_LARGEST_MESSAGE,
        ws_per_message_deflate=False,  # a frame is made once for all who receive it
        ws_ping_interval=None,  # `app.live.connections` sends pings with its heartbeats
        limit_concurrency=settings.connections,
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=forms_of(settings.trusted_proxies),
        timeout_graceful_shutdown=CANCELS_AFTER,
        timeout_worker_healthcheck=_ANSWER_WITHIN,
        lifespan="on",
    )
    config.siblings = siblings
    _allow_open_files(settings.connections)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # on Linux; accepted connections inherit it
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _READ_WITHIN)
    processes = WebProcesses(config, [bound], settings.drain, when_drained)
    processes.run()
    return all(process.exitcode != STARTUP_FAILURE for process in processes.processes)


def load_app() -> "FastAPI":
    """Import and return the application, after the tables that would keep the first visitors waiting.

    Reading them leaves garbage, whose place the modules take.
    """
    with without_collections():
        from app.core.web.look_alikes import skeleton  # noqa: PLC0415 - for web processes only

        for language in LANGUAGES:
            catalogue(language)
        skeleton("")  # of any name, since the first one reads the table
        from app.main import create_app  # noqa: PLC0415 - its import is what takes the time

        return create_app()


def _allow_open_files(connections: int) -> None:
    """Raise the limit of open files, as far as the system allows, so that it permits so many connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + _OTHER_FILES
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
