"""The application in uvicorn, in one or several processes."""

import uvicorn
from uvicorn.supervisors import Multiprocess

from app.live.protocol import WebSocketProtocol
from app.settings import Settings

_SHUTDOWN_WITHIN = 8  # seconds
_LARGEST_MESSAGE = 16 * 1024  # bytes of one websocket message from a client


def run(settings: Settings, host: str, port: int, workers: int) -> None:
    """Serve until SIGTERM or SIGINT, in `workers` processes that read their settings from the environment."""
    config = uvicorn.Config(
        "app.main:create_app",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        loop="uvloop",
        http="httptools",
        ws=WebSocketProtocol,
        ws_max_size=_LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_graceful_shutdown=_SHUTDOWN_WITHIN,
        lifespan="on",
    )
    listening = config.bind_socket()
    if workers == 1:
        uvicorn.Server(config).run(sockets=[listening])
    else:
        Multiprocess(config, sockets=[listening]).run()
