"""The types of settings: each reads a text, and raises ValueError with what to write instead."""

import re
import ssl
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from difflib import get_close_matches
from email.errors import ObsoleteHeaderDefect
from email.policy import default as email_policy
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Annotated
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

HIGHEST_PORT = 65_535
_LONGEST_HOST = 253
_LABEL = re.compile(r"(?!-)[A-Za-z0-9_-]{1,63}(?<!-)")

Option = Callable[[str], object]
"""Raises ValueError with what is wrong with a value."""

Network = IPv4Network | IPv6Network

_PRINTABLE = re.compile(r"[!-~]+")
_SENDER = re.compile(r"[^<>@\r\n]+ <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+")
_TELEPHONE = re.compile(r"tel:\+?[0-9][0-9().-]{2,}")
_VALKEY_DATABASE = re.compile(r"/?[0-9]*")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_ANYBODY = (ip_network("0.0.0.0/0"), ip_network("::/0"))

Port = Annotated[int, Field(ge=1, le=HIGHEST_PORT)]

Line = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$"),
]


def host(text: str) -> str:
    """Return the name or address of a host in its usual form. Raise ValueError if it is neither."""
    with suppress(ValueError):
        return str(ip_address(text))
    labels = text.removesuffix(".").split(".")
    # A last label of digits only is that of an IPv4 address, which this is not.
    if len(text) > _LONGEST_HOST or labels[-1].isdigit() or not all(map(_LABEL.fullmatch, labels)):
        raise ValueError("Write the name or the address of a host, such as play.example or 10.0.0.9.")
    return text.lower()


def port(text: str) -> None:
    """Raise ValueError unless a text is the number of a port."""
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= HIGHEST_PORT):
        raise ValueError(f"The port must be a number from 1 to {HIGHEST_PORT}.")


def ports(value: str) -> None:
    """Raise ValueError unless a text lists numbers of ports."""
    for each in value.split(","):
        port(each)


def hosts(value: str) -> None:
    """Raise ValueError unless a text lists hosts of a database: names, addresses, or folders of sockets."""
    for each in value.split(","):
        if not each.startswith("/"):
            name, _, number = each.partition(":") if each.count(":") == 1 else (each.strip("[]"), "", "")
            host(name)
            if number:
                port(number)


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

SECRETS = ("password", "sslpassword")
"""The options of a URL of a database that are secret."""

SECRETS_OF_VALKEY = ("ssl_password",)
"""The options of a URL of Valkey that are secret."""

OF_DATABASE: Mapping[str, Option] = {
    **dict.fromkeys((*SECRETS, "user", "database", "dbname", "krbsrvname"), _anything),
    **dict.fromkeys(("application_name", "options", "service"), _anything),
    "host": hosts,
    "port": ports,
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
    **dict.fromkeys(SECRETS_OF_VALKEY, _anything),
    "ssl_cert_reqs": _one_of("none", "optional", "required"),
    "ssl_check_hostname": _TRUTH,
    "ssl_ciphers": _anything,
}


def check_options(query: str, known: Mapping[str, Option], otherwise: str = "") -> None:
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


def _parts(url: str, example: str, schemes: Collection[str]) -> SplitResult:
    """Return the parts of a URL with a scheme, a host and perhaps a port, all of them valid."""
    wrong = ValueError(f"Write a URL such as {example}.")
    if not _PRINTABLE.fullmatch(url):  # urlsplit would remove some of the other characters
        raise wrong
    try:
        parts = urlsplit(url)
        is_valid = parts.scheme in schemes and parts.port != 0 and not parts.netloc.endswith(":")
        host(parts.hostname or "")
    except ValueError:
        raise wrong from None
    if not is_valid:
        raise wrong
    return parts


def _public_url(url: str) -> str:
    """Return the origin of a site as browsers write it."""
    example = "https://play.example"
    parts = _parts(url, example, _DEFAULT_PORTS)
    if "@" in parts.netloc or "?" in url or "#" in url or parts.path not in ("", "/"):
        raise ValueError(f"Write only scheme, host and perhaps a port, such as {example}.")
    host = parts.hostname or ""
    shown = f"[{host}]" if ":" in host else host
    is_default = parts.port in (None, _DEFAULT_PORTS[parts.scheme])
    return f"{parts.scheme}://{shown}" if is_default else f"{parts.scheme}://{shown}:{parts.port}"


def _networks(value: object) -> object:
    """Return the networks of a list such as `127.0.0.1, 10.0.0.0/8`; `*` is every address."""
    if not isinstance(value, str):
        return value
    if value.strip() == "*":
        return _ANYBODY
    try:
        return tuple(ip_network(part.strip()) for part in value.split(","))
    except ValueError:
        raise ValueError(
            "Write addresses or networks, such as 127.0.0.1,10.0.0.0/8 (not 10.0.0.1/8)."
        ) from None


def _sender(text: str) -> str:
    if _SENDER.fullmatch(text):
        header = email_policy.header_factory("From", text)
        is_wrong = any(not isinstance(defect, ObsoleteHeaderDefect) for defect in header.defects)
        if not is_wrong and len(header.addresses) == 1 and header.addresses[0].addr_spec.isascii():
            return text
    raise ValueError("Write one address, such as Gorrion <noreply@play.example>.")


def _contact(text: str) -> str:
    with suppress(ValueError):
        if text.startswith("mailto:") and _PRINTABLE.fullmatch(text):
            _sender(text.removeprefix("mailto:").partition("?")[0])
            return text
        if _TELEPHONE.fullmatch(text) or _parts(text, "", ("https",)):
            return text
    raise ValueError("Write mailto:help@play.example, https://play.example/help or tel:+49-30-1234567.")


def _link(url: str) -> str:
    _parts(url, "https://code.example/gorrion", ("https",))
    return url


def _is_not_blank(path: Path) -> Path:
    if not str(path).strip():
        raise ValueError("Write the name of a folder.")
    return path


def _database_url(url: str) -> str:
    wrong = ValueError("Write a URL such as postgresql://user:password@host:5432/name.")
    try:
        parsed = make_url(url)
        hosts(unquote(parsed.host or "localhost"))
        is_valid = parsed.port is None or 0 < parsed.port <= HIGHEST_PORT
    except (ArgumentError, ValueError):  # which could quote the password
        raise wrong from None
    is_named = bool(parsed.host or parsed.database or "host" in parsed.query)
    if not (is_valid and is_named and parsed.get_backend_name() in ("postgresql", "postgres")):
        raise wrong
    own = " Write settings of PostgreSQL as options=-c%20name=value."
    check_options(url.partition("?")[2], OF_DATABASE, own)
    return url


def _valkey_url(url: str) -> str:
    schemes = {"valkey": OF_VALKEY, "redis": OF_VALKEY}
    schemes |= {"valkeys": OF_VALKEY_BY_TLS, "rediss": OF_VALKEY_BY_TLS}
    parts = _parts(url, "valkey://host:6379 or valkey://host:6379/1", schemes)
    if _VALKEY_DATABASE.fullmatch(parts.path) is None or parts.fragment:
        raise ValueError("After the host there may be the number of a database, as in valkey://host:6379/1.")
    check_options(parts.query, schemes[parts.scheme])
    return url


DatabaseUrl = Annotated[str, AfterValidator(_database_url)]
ValkeyUrl = Annotated[str, AfterValidator(_valkey_url)]
PublicUrl = Annotated[str, AfterValidator(_public_url)]
Networks = Annotated[tuple[Network, ...], BeforeValidator(_networks)]
Host = Annotated[str, AfterValidator(host)]
Sender = Annotated[str, AfterValidator(_sender)]
Contact = Annotated[str, AfterValidator(_contact)]
Link = Annotated[str, AfterValidator(_link)]
Folder = Annotated[Path, AfterValidator(_is_not_blank)]
