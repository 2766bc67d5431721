"""Every setting of the server, read once from GORRION_* variables."""

from pathlib import Path
from typing import Literal

from pydantic_settings import BaseSettings, SettingsConfigDict

ROOT = Path(__file__).resolve().parent.parent


class Settings(BaseSettings):
    """The server's settings; docs/operations.md has the same table for operators."""

    model_config = SettingsConfigDict(env_prefix="GORRION_", env_ignore_empty=True, frozen=True)

    database_url: str | None = None
    """PostgreSQL to use, as postgresql://user:password@host/name; unset: an embedded one in `data`."""

    database_pool: int = 10
    """Connections that one process keeps to PostgreSQL in each of its two pools (pages, moves)."""

    data: Path = Path("data")
    """Folder of the embedded PostgreSQL."""

    bus: Literal["memory", "postgres"] = "memory"
    """How processes tell each other that a game changed; `postgres` as soon as there is more than one."""

    public_url: str | None = None
    """The address that players use, as https://play.example; with https, cookies are marked Secure."""

    trusted_proxies: str = "127.0.0.1"
    """Addresses whose X-Forwarded-* headers are believed, separated by commas."""

    throttle: Literal["on", "off"] = "on"
    """`off` lifts the rate limits, for load tests."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """The least severe log line that is printed."""

    @property
    def secure(self) -> bool:
        """Tell whether players reach the server over TLS."""
        return self.public_url is not None and self.public_url.startswith("https://")
