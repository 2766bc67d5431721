"""The options that the URLs of PostgreSQL and Valkey may have."""

import ssl
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import parse_qsl

from app.core import hosts

Option = Callable[[str], object]
"""Raises ValueError with what is wrong with a value."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a question for the known name that an unknown one was meant to be, or nothing."""
    close = get_close_matches(name, known, 1)
    return f" Did you mean {close[0]}?" if close else ""


def _anything(_value: str) -> None:
    """Accept any value of an option."""


def _one_of(*values: str) -> Option:
    def check(value: str) -> None:
        if value not in values:
            raise ValueError(f"must be one of {', '.join(values)}")

    return check


def _file(value: str) -> None:
    try:
        with Path(value).open("rb"):
            pass
    except OSError as error:
        raise ValueError(f"names {value}, which cannot be read: {error.strerror}") from None


def _certificates(value: str) -> None:
    _file(value)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(value)
    except ssl.SSLError:
        raise ValueError(f"names {value}, which has no certificates in PEM") from None


def _folder(value: str) -> None:
    if not Path(value).is_dir():
        raise ValueError(f"names {value}, which is not a folder")


def _number(value: str) -> None:
    if not (value.isascii() and value.isdigit()):
        raise ValueError("must be a whole number")


def _seconds(value: str) -> None:
    try:
        is_valid = 0 < float(value) < float("inf")
    except ValueError:
        is_valid = False
    if not is_valid:
        raise ValueError("must be a number of seconds")


_TRUTH = _one_of("true", "false", "True", "False", "yes", "no", "1", "0")
_TLS = _one_of("TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3")

OF_DATABASE: Mapping[str, Option] = {
    **dict.fromkeys(("user", "password", "database", "dbname", "sslpassword", "krbsrvname"), _anything),
    **dict.fromkeys(("application_name", "options", "service"), _anything),
    "host": hosts.hosts,
    "port": hosts.ports,
    "passfile": _file,
    "sslmode": _one_of("disable", "allow", "prefer", "require", "verify-ca", "verify-full"),
    "sslnegotiation": _one_of("postgres", "direct"),
    "sslrootcert": _certificates,
    "sslcert": _certificates,
    "sslkey": _file,
    "sslcrl": _file,
    "ssl_min_protocol_version": _TLS,
    "ssl_max_protocol_version": _TLS,
    "gsslib": _one_of("gssapi", "sspi"),
    "target_session_attrs": _one_of("any", "primary", "standby", "read-write", "read-only", "prefer-standby"),
}
"""The options of a URL that asyncpg knows. It would pass others on as settings of PostgreSQL."""

OF_VALKEY: Mapping[str, Option] = {
    "db": _number,
    "client_name": _anything,
    "socket_timeout": _seconds,
    "socket_connect_timeout": _seconds,
    "socket_keepalive": _TRUTH,
    "health_check_interval": _number,
    "max_connections": _number,
    "protocol": _one_of("2", "3"),
}
OF_VALKEY_BY_TLS: Mapping[str, Option] = {
    **OF_VALKEY,
    "ssl_ca_certs": _certificates,
    "ssl_ca_path": _folder,
    "ssl_certfile": _certificates,
    "ssl_keyfile": _file,
    "ssl_password": _anything,
    "ssl_cert_reqs": _one_of("none", "optional", "required"),
    "ssl_check_hostname": _TRUTH,
    "ssl_ciphers": _anything,
}


def check(query: str, known: Mapping[str, Option], otherwise: str = "") -> None:
    """Raise ValueError unless each option of a URL is known and has a value that it can have."""
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name not in known:
            raise ValueError(f"There is no option {name}.{nearest(name, known)}{otherwise}")
        if not value:
            raise ValueError(f"The option {name} has no value.")
        try:
            known[name](value)
        except ValueError as error:
            raise ValueError(f"The option {name} {error}.") from None
