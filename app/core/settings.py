"""All settings of the server, read from environment variables named GORRION_*."""

import re
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from app.core import json, setting_types
from app.core.moments import CLOCK_FILE
from app.core.recurring_arenas import RecurringArena

PREFIX = "GORRION_"

_OF_OTHER_PROGRAMS = frozenset(
    {
        CLOCK_FILE,
        PREFIX + "CHROMIUM",  # of the tests, as the next one
        PREFIX + "LONG_FAULTS",
        PREFIX + "TOKEN",  # of programs that play
        PREFIX + "BACKUPS_KEPT",  # of docker-compose.yml, as the next five
        PREFIX + "BACKUP_EVERY",
        PREFIX + "DB_PASSWORD",
        PREFIX + "DOMAIN",
        PREFIX + "GRAFANA_PASSWORD",
        PREFIX + "WEB",  # of the proxies in deploy/, as the next two
        PREFIX + "WEB1",
        PREFIX + "WEB2",
    }
)
# What Kubernetes tells each container about a service with a name such as `gorrion`.
_OF_KUBERNETES = re.compile(
    PREFIX + r"(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)"
)

ROOT = Path(__file__).resolve().parents[2]
"""The folder of the packages: the checkout, or where a wheel is installed."""

_SHIPPED = ROOT / "app" / "shipped"
FILES = _SHIPPED if _SHIPPED.is_dir() else ROOT
"""The folder of templates, static files, migrations, translations and samples, which a wheel has in `app`."""


class Environment(EnvSettingsSource):
    """The environment with the names that are no settings, so that these are refused."""

    def __call__(self) -> dict[str, Any]:
        """Return the values by the names of the settings."""
        prefix = PREFIX.lower()
        known = {prefix + name for name in self.settings_cls.model_fields}
        unknown = {
            name.removeprefix(prefix): value
            for name, value in self.env_vars.items()
            if name.startswith(prefix) and name not in known and not _is_of_others(name.upper(), value or "")
        }
        return {**super().__call__(), **unknown}


def _is_of_others(name: str, value: str) -> bool:
    is_of_kubernetes = _OF_KUBERNETES.fullmatch(name) and (not name.endswith("_PORT") or "://" in value)
    return name in _OF_OTHER_PROGRAMS or bool(is_of_kubernetes)


def _read_json(value: object) -> object:
    """Return what a text in JSON says; if pydantic-settings read it, an error would not name the setting."""
    return json.decode(value) if isinstance(value, str) else value


class Settings(BaseSettings):
    """The server's settings, as listed in docs/operations.md."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, allow_inf_nan=False, extra="forbid"
    )

    database_url: setting_types.DatabaseUrl | None = None
    """The PostgreSQL to use, as postgresql://user:password@host/name; unset: the embedded one in `data`."""

    database_direct_url: setting_types.DatabaseUrl | None = None
    """The database of `database_url` without its pooler (such as PgBouncer), for LISTEN and migrations."""

    database_replica_url: setting_types.DatabaseUrl | None = None
    """A streaming replica, from which lists, rankings, profiles and finished games are read."""

    database_replica_behind: Annotated[float, Field(ge=1, le=60)] = 3
    """Seconds that the replica may be behind; when it is further behind, the primary is read."""

    database_pool: Annotated[int, Field(ge=1, le=1000)] = 10
    """The largest number of connections of one process in each of its two pools (pages, moves)."""

    data: setting_types.Folder = Path("data")
    """The folder of the embedded PostgreSQL."""

    bus: Literal["memory", "postgres"] = "memory"
    """How processes notify each other of changes; must be `postgres` if there is more than one process."""

    valkey_url: setting_types.ValkeyUrl | None = None
    """The Valkey that carries events, presence and limits between processes, as valkey://host:6379; it takes
    the place of `bus`. The server needs the extra `valkey`."""

    public_url: setting_types.PublicUrl | None = None
    """The site's origin for players, as https://play.example; with https, cookies are marked Secure."""

    trusted_proxies: Annotated[setting_types.Networks, NoDecode] = (ip_network("127.0.0.1"),)
    """The networks of proxies whose X-Forwarded-* headers are trusted, separated by commas; `*` for all."""

    operator: setting_types.Line | None = None
    """Who runs the site, as the pages about privacy and terms say, such as "Board Games Club, Berlin"."""

    contact: setting_types.Contact | None = None
    """Where players reach the operators, as mailto:help@play.example; unset: the help page has none."""

    security_contact: setting_types.Contact | None = None
    """Where to report vulnerabilities, as mailto:security@play.example; unset: there is no security.txt."""

    source: setting_types.Link | None = None
    """Where the source code of this server is, as https://code.example/gorrion; unset: ask the operators."""

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

    mail_host: setting_types.Host | None = None
    """The mail server (SMTP) that takes the site's mail; unset: no mail is sent, nor offered on pages."""

    mail_port: setting_types.Port = 587
    """The port of the mail server."""

    mail_tls: Literal["starttls", "tls", "off"] = "starttls"
    """How the connection to the mail server is encrypted: after STARTTLS, from its start, or not at all."""

    mail_user: setting_types.Line | None = None
    """The name by which the server logs in to the mail server; unset: it does not log in."""

    mail_password: SecretStr | None = None
    """The password for `mail_user`."""

    mail_sender: Annotated[setting_types.Sender | None, Field(validate_default=True)] = None
    """The sender of all mail, as `Gorrion <noreply@play.example>`; mail needs it and `public_url`."""

    push_services: Literal["public", "any"] = "public"
    """Which push services notifications are sent to: those on the internet by TLS, or any, for tests."""

    throttle: Literal["on", "off"] = "on"
    """`off` disables the rate limits and the limits per account and address, for load tests."""

    password_memory: Annotated[int, Field(ge=1024, le=4 * 1024**2)] = 65_536
    """KiB of memory that hashing a password takes, which makes guessing expensive."""

    connections: Annotated[int, Field(ge=1, le=1_000_000)] = 10_000
    """The most open connections of one web process, websockets included."""

    live_per_account: Annotated[int, Field(ge=1, le=1_000_000)] = 20
    """The most websockets and streams of one account: in each web process, with Valkey in all together."""

    live_per_address: Annotated[int, Field(ge=1, le=1_000_000)] = 200
    """The most websockets and streams of one address (IPv6: of one /64 network), counted likewise."""

    health_details: Literal["local", "public"] = "local"
    """Who learns from /health/ready which parts are down: `local` is the server's own machine."""

    drain: Annotated[float, Field(ge=0, le=60)] = 0
    """Seconds that a process goes on serving after SIGTERM, while /health/ready answers 503."""

    metrics_host: setting_types.Host = "127.0.0.1"
    """The address on which processes serve their metrics."""

    metrics_port: setting_types.Port | None = None
    """The first port for metrics: each process of a machine takes the next free one; unset: none."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """The lowest level of log lines that are printed."""

    @field_validator("mail_sender")
    @classmethod
    def _is_there_if_mail_is_sent(cls, sender: str | None, info: ValidationInfo) -> str | None:
        has_url = info.data.get("public_url", "") is not None  # or one that is invalid, which is said already
        if info.data.get("mail_host") is not None and (sender is None or not has_url):
            raise ValueError("GORRION_MAIL_HOST needs this and GORRION_PUBLIC_URL as well.")
        return sender

    @classmethod
    def settings_customise_sources(  # type: ignore[override]  # the others are passed by their names
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        **_others: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return where the settings come from."""
        return init_settings, Environment(settings_cls)

    @property
    def has_mail(self) -> bool:
        """Return whether the server sends mail."""
        return self.mail_host is not None

    @property
    def own_database_url(self) -> str | None:
        """Return the URL for connections that have a state: migrations, backups."""
        return self.database_direct_url or self.database_url

    @property
    def session_cookie(self) -> str:
        """Return the name of the cookie of sessions."""
        return "__Host-gorrion" if self.secure else "gorrion"

    @property
    def secure(self) -> bool:
        """Return whether players reach the server over TLS."""
        return self.public_url is not None and self.public_url.startswith("https://")
