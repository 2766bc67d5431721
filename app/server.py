"""The application in uvicorn: one or several processes, and their parent, which replaces those that end."""

import gc
import resource
import socket
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from app.live.http import HttpProtocol
from app.live.protocol import WebSocketProtocol
from app.live.siblings import Siblings
from app.settings import Settings

if TYPE_CHECKING:
    from fastapi import FastAPI

_SHUTDOWN_WITHIN = 8  # seconds
_ANSWER_WITHIN = 15  # seconds after which a process hangs; on a busy machine starting one takes this long
_OTHER_FILES = 1000  # that a process has open besides its connections
_READ_WITHIN = 30_000  # milliseconds after which a client that acknowledges nothing is disconnected
_LARGEST_MESSAGE = 16 * 1024  # bytes of one websocket message from a client


def run(settings: Settings, host: str, port: int, workers: int) -> bool:
    """Serve until SIGTERM or SIGINT, in `workers` processes that read their settings from the environment.

    Return whether they could start.
    """
    with tempfile.TemporaryDirectory(prefix="gorrion-web-") as folder:
        siblings = Siblings(Path(folder), workers)
        http = partial(HttpProtocol, siblings=siblings) if workers > 1 else HttpProtocol
        return _serve(settings, host, port, workers, http)


def _serve(settings: Settings, host: str, port: int, workers: int, http: Any) -> bool:
    config = uvicorn.Config(
        "app.server:load_app",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        loop="uvloop",
        http=http,
        ws=WebSocketProtocol,
        ws_max_size=_LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        ws_ping_interval=None,  # `app.live.connections` sends pings with its heartbeats
        limit_concurrency=settings.connections,
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_graceful_shutdown=_SHUTDOWN_WITHIN,
        timeout_worker_healthcheck=_ANSWER_WITHIN,
        lifespan="on",
    )
    _allow_open_files(settings.connections)
    listening = config.bind_socket()
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # on Linux; accepted connections inherit it
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _READ_WITHIN)
    processes = Multiprocess(config, sockets=[listening])
    processes.run()
    return all(process.exitcode != STARTUP_FAILURE for process in processes.processes)


def load_app() -> "FastAPI":
    """Import and return the application, without collecting garbage, which takes a quarter of the time.

    What was imported stays until the end, so no later collection looks at it either; what is garbage among it
    is never freed, which is little.
    """
    gc.disable()
    try:
        from app.main import create_app  # noqa: PLC0415 - its import is what takes the time

        return create_app()
    finally:
        gc.freeze()
        gc.enable()


def _allow_open_files(connections: int) -> None:
    """Raise the limit of open files, as far as the system allows, so that it permits so many connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + _OTHER_FILES
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
