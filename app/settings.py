"""All settings of the server, read from environment variables named GORRION_*."""

import re
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from croniter import croniter
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    field_validator,
    model_validator,
)
from pydantic_core import from_json
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from engine.game import with_defaults
from engine.registry import FOR_TWO

ROOT = Path(__file__).resolve().parent.parent

_SENDER = r"^([^<>@\r\n]+ <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$"
_CONTACT = r"^(mailto:|https://|tel:)\S+$"
_VALKEY_DATABASE = re.compile(r"/?[0-9]*")
_HIGHEST_PORT = 65_535


def _checked_database_url(url: str) -> str:
    try:
        parsed = make_url(url)
        is_valid = parsed.get_backend_name() in ("postgresql", "postgres") and _is_port(parsed.port)
    except (ArgumentError, ValueError):
        is_valid = False
    if not is_valid:  # without saying why, which could quote the password
        raise ValueError("It is not a URL such as postgresql://user:password@host:5432/name.")
    return url


def _checked_valkey_url(url: str) -> str:
    try:
        parsed = urlsplit(url)
        is_valid = _is_port(parsed.port) and _VALKEY_DATABASE.fullmatch(parsed.path) is not None
    except ValueError:
        is_valid = False
    if not is_valid:
        raise ValueError("It is not a URL such as valkey://host:6379 or valkey://host:6379/1.")
    return url


def _is_port(port: int | None) -> bool:
    return port is None or 0 < port <= _HIGHEST_PORT


def _read_json(value: object) -> object:
    """Return what a text in JSON says; if pydantic-settings read it, an error would not name the setting."""
    return from_json(value) if isinstance(value, str) else value


DatabaseUrl = Annotated[str, AfterValidator(_checked_database_url)]
Port = Annotated[int, Field(ge=1, le=_HIGHEST_PORT)]


class RecurringArena(BaseModel):
    """A series of arenas: one begins at each time of a cron expression (UTC)."""

    model_config = ConfigDict(frozen=True)

    series: Annotated[str, Field(pattern=r"^[a-z0-9-]{1,40}$")]
    name: Annotated[str, Field(min_length=3, max_length=60)]
    cron: str
    minutes: Annotated[int, Field(ge=20, le=240)]
    game: str
    options: dict[str, int] = {}
    limit: Annotated[int, Field(ge=60, le=10_800)]
    increment: Annotated[int, Field(ge=0, le=180)] = 0
    rated: bool = True
    computers: bool = True

    @field_validator("cron")
    @classmethod
    def _is_cron(cls, cron: str) -> str:
        if not croniter.is_valid(cron):
            raise ValueError(f"{cron!r} is not a cron expression such as '0 18 * * *'.")
        return cron

    @model_validator(mode="after")
    def _is_offered(self) -> Self:
        if self.game not in FOR_TWO:
            raise ValueError(f"There is no game {self.game!r} for two; choose one of {', '.join(FOR_TWO)}.")
        with_defaults(FOR_TWO[self.game].options, self.options)
        return self


class Settings(BaseSettings):
    """The server's settings, as listed in docs/operations.md."""

    model_config = SettingsConfigDict(env_prefix="GORRION_", env_ignore_empty=True, frozen=True)

    database_url: DatabaseUrl | None = None
    """The PostgreSQL to use, as postgresql://user:password@host/name; unset: the embedded one in `data`."""

    database_direct_url: DatabaseUrl | None = None
    """The database of `database_url` without its pooler (such as PgBouncer), for LISTEN and migrations."""

    database_replica_url: DatabaseUrl | None = None
    """A streaming replica, from which lists, rankings, profiles and finished games are read."""

    database_replica_behind: Annotated[float, Field(ge=1, le=60)] = 3
    """Seconds that the replica may be behind; when it is further behind, the primary is read."""

    database_pool: Annotated[int, Field(ge=1, le=1000)] = 10
    """The largest number of connections of one process in each of its two pools (pages, moves)."""

    data: Path = Path("data")
    """The folder of the embedded PostgreSQL."""

    bus: Literal["memory", "postgres"] = "memory"
    """How processes notify each other of changes; must be `postgres` if there is more than one process."""

    valkey_url: (
        Annotated[str, Field(pattern=r"^(valkeys?|rediss?)://"), AfterValidator(_checked_valkey_url)] | None
    ) = None
    """The Valkey that carries events, presence and limits between processes, as valkey://host:6379; it takes
    the place of `bus`. The server needs the extra `valkey`."""

    public_url: Annotated[str, Field(pattern=r"^https?://[^/\s]+/?$")] | None = None
    """The site's address for players, as https://play.example; with https, cookies are marked Secure."""

    trusted_proxies: str = "127.0.0.1"
    """Addresses of proxies whose X-Forwarded-* headers are trusted, separated by commas."""

    operator: str | None = None
    """Who runs the site, as the pages about privacy and terms say, such as "Board Games Club, Berlin"."""

    contact: Annotated[str, Field(pattern=_CONTACT)] | None = None
    """Where players reach the operators, as mailto:help@play.example; unset: the help page has none."""

    security_contact: Annotated[str, Field(pattern=_CONTACT)] | None = None
    """Where to report vulnerabilities, as mailto:security@play.example; unset: there is no security.txt."""

    health_details: Literal["local", "public"] = "local"
    """Who learns from /health/ready which parts are down: `local` is the server's own machine."""

    drain: Annotated[float, Field(ge=0, le=60)] = 0
    """Seconds that a process goes on serving after SIGTERM, while /health/ready answers 503."""

    recurring_competitions: Literal["on", "off"] = "on"
    """Whether the server makes a competition of Golden Nugget each month and each quarter."""

    recurring_arenas: Annotated[tuple[RecurringArena, ...], NoDecode, BeforeValidator(_read_json)] = (
        RecurringArena(
            series="hourly",
            name="Hourly arena",
            cron="0 * * * *",
            minutes=27,
            game="jadejack",
            options={"size": 8},
            limit=120,
            increment=1,
        ),
        RecurringArena(
            series="daily",
            name="Daily arena",
            cron="30 18 * * *",
            minutes=60,
            game="jadejack",
            limit=180,
            increment=2,
        ),
        RecurringArena(
            series="weekly",
            name="Weekly arena",
            cron="0 16 * * 6",
            minutes=120,
            game="jumping_farther",
            limit=300,
            increment=3,
        ),
    )
    """The arenas that the server makes by itself, as a list in JSON; `[]` for none."""

    mail_host: str | None = None
    """The mail server (SMTP) that takes the site's mail; unset: no mail is sent, nor offered on pages."""

    mail_port: Port = 587
    """The port of the mail server."""

    mail_tls: Literal["starttls", "tls", "off"] = "starttls"
    """How the connection to the mail server is encrypted: after STARTTLS, from its start, or not at all."""

    mail_user: str | None = None
    """The name by which the server logs in to the mail server; unset: it does not log in."""

    mail_password: SecretStr | None = None
    """The password for `mail_user`."""

    mail_sender: Annotated[str, Field(pattern=_SENDER)] | None = None
    """The sender of all mail, as `Gorrion <noreply@play.example>`; mail needs it and `public_url`."""

    push_services: Literal["public", "any"] = "public"
    """Which push services notifications are sent to: those on the internet by TLS, or any, for tests."""

    throttle: Literal["on", "off"] = "on"
    """`off` disables the rate limits and the limits per account and address, for load tests."""

    password_memory: Annotated[int, Field(ge=1024, le=4 * 1024**2)] = 65_536
    """KiB of memory that hashing a password takes, which makes guessing expensive."""

    connections: Annotated[int, Field(ge=1, le=1_000_000)] = 10_000
    """The most open connections of one web process, websockets included."""

    live_per_account: Annotated[int, Field(ge=1)] = 20
    """The most websockets and streams of one account: in each web process, with Valkey in all together."""

    live_per_address: Annotated[int, Field(ge=1)] = 200
    """The most websockets and streams of one address (IPv6: of one /64 network), counted likewise."""

    metrics_host: str = "127.0.0.1"
    """The address on which processes serve their metrics."""

    metrics_port: Port | None = None
    """The first port for metrics: each process of a machine takes the next free one; unset: none."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """The lowest level of log lines that are printed."""

    @model_validator(mode="after")
    def _has_what_mail_needs(self) -> Self:
        if self.mail_host is not None and (self.mail_sender is None or self.public_url is None):
            raise ValueError("GORRION_MAIL_HOST needs GORRION_MAIL_SENDER and GORRION_PUBLIC_URL as well.")
        return self

    @property
    def has_mail(self) -> bool:
        """Return whether the server sends mail."""
        return self.mail_host is not None

    @property
    def own_database_url(self) -> str | None:
        """Return the URL for connections that have a state: migrations, backups."""
        return self.database_direct_url or self.database_url

    @property
    def secure(self) -> bool:
        """Return whether players reach the server over TLS."""
        return self.public_url is not None and self.public_url.startswith("https://")
