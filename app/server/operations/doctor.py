"""Checks of a server's surroundings, each with what to do about what it finds."""

import os
import platform
import resource
import shutil
import socket
import time
from collections.abc import Awaitable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import asyncpg
from aiosmtplib import SMTPException

from app.core.database.data_folder import is_whole
from app.core.database.session import DATABASE_ERRORS, asyncpg_dsn
from app.core.jobs.watch import COUNT_UNCLAIMED, SILENT_AFTER
from app.core.own_machine import ask
from app.core.recurring_arenas import usable
from app.core.settings import Settings
from app.people.mail.sending import connection
from app.server.operations import programs
from app.server.operations.extras import EXTRAS, how_to_install, is_installed
from app.server.operations.findings import CheckFinding, Level
from app.server.operations.replicas import check_replica, check_slots
from app.server.operations.status import read_valkey

if TYPE_CHECKING:
    Connection = asyncpg.Connection[asyncpg.Record]

_DURABILITY = ("fsync", "synchronous_commit", "full_page_writes")
_TESTED_POSTGRES = 18
_FEW_BYTES, _TOO_FEW_BYTES = 5 * 1024**3, 512 * 1024**2
_MOST_NAMED = 10  # rows that cannot be read
_UNREADABLE = """
SELECT kind, id, error, count(*) OVER () AS count FROM unreadable_rows
ORDER BY first_seen_at, kind, id LIMIT $1
"""
_TOLERANCE = 1.0  # seconds by which the clocks of two machines may differ
_OTHER_FILES = 1000  # that a process opens besides its connections


Check = Iterable[CheckFinding] | Awaitable[CheckFinding]


async def examine_machine(settings: Settings, folder: Path, port: int) -> list[CheckFinding]:
    """Return the findings about this machine and the settings; the embedded PostgreSQL has a folder."""
    here: dict[str, Check] = {
        "python": _python(),
        "open files": _open_files(settings),
        "ports": _ports(settings, port),
        "data folder": _data_folder(settings, folder),
    }
    return await _look(here) + await examine_settings(settings)


async def examine_settings(settings: Settings) -> list[CheckFinding]:
    """Return the findings about the settings, and about what they name besides the database."""
    checks: dict[str, Check] = {"settings": _settings(settings), "mail": _mail(settings)}
    if settings.valkey_url is not None:
        checks["valkey"] = _valkey(settings.valkey_url)
    return await _look(checks)


async def _look(checks: Mapping[str, Check]) -> list[CheckFinding]:
    """Return what some checks find. What one of them raises is a finding, too, and hides no other."""
    findings: list[CheckFinding] = []
    for name, check in checks.items():
        try:
            findings += [await check] if isinstance(check, Awaitable) else check
        except Exception as error:  # noqa: BLE001 - whatever it is, the other checks are of use
            detail = f"{type(error).__name__}: {' '.join(str(error).split())}"
            advice = "Check the settings that this is about; docs/operations.md describes them."
            findings.append(CheckFinding(name, Level.FAIL, detail, advice))
    return findings


def _python() -> Iterator[CheckFinding]:
    yield CheckFinding("python", Level.OK, platform.python_version())
    for extra in EXTRAS:
        missing = f"not installed; if needed, install it {how_to_install(extra)}"
        yield CheckFinding(f"extra {extra}", Level.OK, "installed" if is_installed(extra) else missing)


async def _mail(settings: Settings) -> CheckFinding:
    if not settings.has_mail:
        detail = "none: set GORRION_MAIL_HOST so that players can choose a new password and get mails"
        return CheckFinding("mail", Level.OK, detail)
    where = f"{settings.mail_host}:{settings.mail_port}, TLS: {settings.mail_tls}"
    try:
        async with connection(settings):
            pass
    except (SMTPException, OSError) as error:
        advice = "Check the GORRION_MAIL_… settings, and that this machine may reach the mail server."
        return CheckFinding("mail", Level.FAIL, f"{where}: {type(error).__name__}", advice)
    if settings.mail_tls == "off" and settings.mail_host not in ("localhost", "127.0.0.1", "::1"):
        advice = "Set GORRION_MAIL_TLS to starttls or tls: mails have links that log people in."
        return CheckFinding("mail", Level.WARN, where, advice)
    return CheckFinding("mail", Level.OK, where)


def _settings(settings: Settings) -> Iterator[CheckFinding]:
    if settings.secure:
        yield CheckFinding("public URL", Level.OK, settings.public_url or "")
    else:
        yield CheckFinding(
            "public URL",
            Level.WARN,
            f"{settings.public_url or 'not set'}: cookies are not marked Secure",
            "For players on other machines, serve over TLS and set GORRION_PUBLIC_URL=https://…",
        )
    if any(network.prefixlen == 0 for network in settings.trusted_proxies):
        yield CheckFinding(
            "trusted proxies",
            Level.WARN,
            "anyone may choose the address by which limits are counted",
            "Set GORRION_TRUSTED_PROXIES to the addresses of your proxies.",
        )
    for problem in usable(settings.recurring_arenas)[1]:
        yield CheckFinding("recurring arenas", Level.WARN, problem, "Correct GORRION_RECURRING_ARENAS.")
    if settings.throttle == "off":
        yield CheckFinding("rate limits", Level.WARN, "off", "Unset GORRION_THROTTLE except for load tests.")


async def _open_files(settings: Settings) -> CheckFinding:
    _, limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = settings.connections + _OTHER_FILES
    if limit == resource.RLIM_INFINITY or limit >= wanted:
        return CheckFinding("open files", Level.OK, f"enough for {settings.connections} connections")
    detail = f"at most {limit}, too few for {settings.connections} connections"
    advice = f"Raise the hard limit (`ulimit -Hn`) to {wanted}, or lower GORRION_CONNECTIONS."
    return CheckFinding("open files", Level.WARN, detail, advice)


def _ports(settings: Settings, port: int) -> Iterator[CheckFinding]:
    if is_free(port):
        yield CheckFinding(f"port {port}", Level.OK, "free; --port checks that of a server elsewhere")
    elif _is_gorrion(port):
        yield CheckFinding(f"port {port}", Level.OK, "Gorrion answers")
    else:
        advice = "Stop the other program, or choose another port with --port."
        yield CheckFinding(f"port {port}", Level.FAIL, "another program uses it", advice)
    if settings.metrics_port is not None:
        detail = "free" if is_free(settings.metrics_port) else "used: by Gorrion's metrics if it is running"
        yield CheckFinding(f"metrics port {settings.metrics_port}", Level.OK, detail)


def is_free(port: int) -> bool:
    """Return whether a server may listen on a port of this machine."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def _is_gorrion(port: int) -> bool:
    try:
        return ask(f"http://127.0.0.1:{port}/health/live", within=3) == b'{"status":"ok"}'
    except OSError:
        return False


def _data_folder(settings: Settings, folder: Path) -> Iterator[CheckFinding]:
    if settings.database_url is not None:
        return
    existing = next(path for path in (folder.resolve(), *folder.resolve().parents) if path.exists())
    if not existing.is_dir():
        advice = "Choose a folder with --data or GORRION_DATA."
        yield CheckFinding("data folder", Level.FAIL, f"{existing} is a file", advice)
        return
    free = shutil.disk_usage(existing).free
    detail = f"{free / 1024**3:.1f} GiB free in {existing}"
    if free < _FEW_BYTES:
        level = Level.FAIL if free < _TOO_FEW_BYTES else Level.WARN
        yield CheckFinding("disk", level, detail, "Make room: PostgreSQL stops when the disk is full.")
    else:
        yield CheckFinding("disk", Level.OK, detail)
    if not os.access(existing, os.W_OK):
        advice = "Choose a folder of your own with --data."
        yield CheckFinding("data folder", Level.FAIL, f"{existing} is not writable", advice)
    cluster = folder / "postgres"
    if (cluster / "PG_VERSION").exists() and not is_whole(cluster):
        advice = "Move it away to start with a new one, or restore a backup into a new folder."
        yield CheckFinding("data folder", Level.FAIL, f"{cluster} is not whole", advice)
    if cluster.exists():
        mode = cluster.stat().st_mode & 0o777
        if mode & 0o027:
            advice = f"Run `chmod 700 {cluster}`; PostgreSQL does not start otherwise."
            yield CheckFinding("data folder", Level.FAIL, f"others may use {cluster} (mode {mode:o})", advice)
        else:
            yield CheckFinding("data folder", Level.OK, str(cluster))


async def _valkey(url: str) -> CheckFinding:
    if not is_installed("valkey"):
        advice = f"Install it {how_to_install('valkey')}, or unset GORRION_VALKEY_URL."
        return CheckFinding("valkey", Level.FAIL, "the extra `valkey` is not installed", advice)
    from app.core.valkey import ERRORS  # noqa: PLC0415 - an extra

    try:
        status = await read_valkey(url)
    except ERRORS as error:
        detail = f"it does not answer: {error or type(error).__name__}"
        advice = "Start Valkey, and check GORRION_VALKEY_URL; the servers go on without it meanwhile."
        return CheckFinding("valkey", Level.FAIL, detail, advice)
    if status.memory_policy != "noeviction":
        advice = "Set maxmemory-policy to noeviction, or limits and players who are present are forgotten."
        return CheckFinding("valkey", Level.WARN, f"maxmemory-policy is {status.memory_policy}", advice)
    return CheckFinding("valkey", Level.OK, f"{status.version}, {status.processes} processes connected")


async def examine_database(settings: Settings, url: str) -> list[CheckFinding]:
    """Return the findings about the database at `url`."""
    try:
        connection = await asyncpg.connect(asyncpg_dsn(url), timeout=10)
    except DATABASE_ERRORS as error:
        detail = f"no connection: {error or type(error).__name__}"
        advice = "Start PostgreSQL, and check GORRION_DATABASE_URL."
        return [CheckFinding("database", Level.FAIL, detail, advice)]
    replicas: dict[str, Check] = {"replication slots": check_slots(connection)}
    if settings.database_replica_url is not None:
        replicas["replica"] = check_replica(connection, settings, settings.database_replica_url)
    try:
        return await _look(
            {
                "database": _version(connection),
                "backups": _programs(connection),
                **{name: _durability(connection, name) for name in _DURABILITY},
                "encoding": _encoding(connection),
                "database connections": _room_for_connections(connection, settings),
                "clock": _clock(connection),
                "server's time": _correction(connection),
                "schema": _schema(connection),
                "stored rows": _unreadable(connection),
                "computers": _computers(connection),
                **replicas,
            }
        )
    finally:
        await connection.close()


async def _version(connection: "Connection") -> CheckFinding:
    version = connection.get_server_version()
    detail = f"PostgreSQL {version.major}.{version.minor}"
    if version.major < _TESTED_POSTGRES:
        advice = f"Use PostgreSQL {_TESTED_POSTGRES}, the version that Gorrion is tested with."
        return CheckFinding("database", Level.WARN, detail, advice)
    return CheckFinding("database", Level.OK, detail)


async def _programs(connection: "Connection") -> CheckFinding:
    try:
        major = connection.get_server_version().major
        paths = [programs.find(name, major) for name in ("pg_dump", "pg_restore")]
    except programs.ProgramError as error:
        return CheckFinding("backups", Level.WARN, "not possible from this machine", str(error))
    return CheckFinding("backups", Level.OK, f"with the programs in {paths[0].parent}")


async def _durability(connection: "Connection", setting: str) -> CheckFinding:
    value = await connection.fetchval("SELECT current_setting($1)", setting)
    if value == "off":
        advice = "Turn it on in postgresql.conf: without it, committed moves can be lost."
        return CheckFinding(setting, Level.FAIL, value, advice)
    return CheckFinding(setting, Level.OK, value)


async def _encoding(connection: "Connection") -> CheckFinding:
    encoding = await connection.fetchval("SELECT current_setting('server_encoding')")
    if encoding != "UTF8":
        advice = "Make a database with `createdb --encoding UTF8 --template template0`."
        return CheckFinding("encoding", Level.FAIL, encoding, advice)
    return CheckFinding("encoding", Level.OK, encoding)


async def _room_for_connections(connection: "Connection", settings: Settings) -> CheckFinding:
    most = int(await connection.fetchval("SELECT current_setting('max_connections')"))
    used = await connection.fetchval("SELECT count(*) FROM pg_stat_activity")
    each = 2 * settings.database_pool + 3  # for LISTEN, for presence, and to be missed
    detail = f"{used} of {most} in use; each web process opens up to {each}"
    if most < each + 5:
        advice = "Raise max_connections in postgresql.conf, or lower GORRION_DATABASE_POOL."
        return CheckFinding("database connections", Level.WARN, detail, advice)
    return CheckFinding("database connections", Level.OK, detail)


async def _clock(connection: "Connection") -> CheckFinding:
    before = time.time()
    database = await connection.fetchval("SELECT extract(epoch FROM clock_timestamp())::float8")
    after = time.time()
    ahead = max(0.0, database - after) - max(0.0, before - database)
    detail = f"{ahead * 1000:+.0f} ms between the database and this machine"
    if abs(ahead) > _TOLERANCE:
        return CheckFinding("clock", Level.WARN, detail, "Synchronise the clocks of all machines with NTP.")
    return CheckFinding("clock", Level.OK, detail)


async def _correction(connection: "Connection") -> CheckFinding:
    if await connection.fetchval("SELECT to_regclass('heartbeat')") is None:
        return CheckFinding("server's time", Level.OK, "not looked at before the migrations")
    correction = await connection.fetchval("SELECT correction FROM heartbeat")
    if not correction:
        return CheckFinding("server's time", Level.OK, "that of PostgreSQL's clock")
    advice = (
        "Restart all processes of the server together, so that they follow PostgreSQL's clock again: until"
        " then, moments that PostgreSQL computes by itself, such as the ends of log-ins, differ by as much."
    )
    detail = f"{correction / 1000:+.1f} s from PostgreSQL's clock, which was set while the server ran"
    return CheckFinding("server's time", Level.WARN, detail, advice)


async def _computers(connection: "Connection") -> CheckFinding:
    if await connection.fetchval("SELECT to_regclass('pgqueuer')") is None:
        return CheckFinding("computers", Level.OK, "not looked at before the migrations")
    waiting = await connection.fetchval(COUNT_UNCLAIMED, SILENT_AFTER)
    if not waiting:
        return CheckFinding("computers", Level.OK, "no job waits in vain")
    advice = (
        "Start workers: `gorrion serve --computers 1`, or `gorrion worker` beside it; look at their logs."
    )
    detail = f"{waiting} jobs wait, and no worker has begun one for {SILENT_AFTER:.0f} s"
    return CheckFinding("computers", Level.FAIL, detail, advice)


async def _unreadable(connection: "Connection") -> CheckFinding:
    if await connection.fetchval("SELECT to_regclass('unreadable_rows')") is None:
        return CheckFinding("stored rows", Level.OK, "not looked at before the migrations")
    rows = await connection.fetch(_UNREADABLE, _MOST_NAMED)
    if not rows:
        return CheckFinding("stored rows", Level.OK, "the server could read all that it came across")
    named = "; ".join(f"{row['kind']} {row['id']} ({row['error']})" for row in rows)
    more = f"; and {rows[0]['count'] - len(rows)} more" if rows[0]["count"] > len(rows) else ""
    advice = (
        "Repair these rows, or restore them from a backup; everything else goes on without them."
        " Each leaves this list when the server reads it again, a game also when `gorrion check-games` does."
    )
    return CheckFinding("stored rows", Level.FAIL, f"cannot be read: {named}{more}", advice)


async def _schema(connection: "Connection") -> CheckFinding:
    from alembic.script.revision import RevisionError  # noqa: PLC0415 - the web process needs it for this only

    from app.core.database.migrate import (  # noqa: PLC0415 - it imports Alembic
        READ_NOTE,
        UnknownSchemaError,
        migrations,
        serves,
    )

    scripts = migrations()
    head = scripts.get_current_head()
    current = None
    if await connection.fetchval("SELECT to_regclass('alembic_version')") is not None:
        current = await connection.fetchval("SELECT version_num FROM alembic_version")
    if current == head:
        return CheckFinding("schema", Level.OK, f"revision {head}")
    try:
        pending = len(list(scripts.iterate_revisions(head, current)))
    except RevisionError:
        if serves(await connection.fetchval(READ_NOTE)):
            detail = f"revision {current} of a newer Gorrion, on whose tables this version works"
            return CheckFinding("schema", Level.OK, detail)
        advice = str(UnknownSchemaError(current, "database"))
        return CheckFinding("schema", Level.FAIL, f"revision {current} is unknown", advice)
    advice = "Run `gorrion migrate`; `gorrion serve` does so when it starts."
    return CheckFinding("schema", Level.WARN, f"{pending} migrations are pending", advice)
