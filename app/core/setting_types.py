"""The types of settings: each reads a text, and raises ValueError with what to write instead."""

import re
from collections.abc import Collection
from contextlib import suppress
from email.errors import ObsoleteHeaderDefect
from email.policy import default as email_policy
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated
from urllib.parse import SplitResult, unquote, urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from app.core import hosts, url_options
from app.core.hosts import HIGHEST_PORT

Network = IPv4Network | IPv6Network

_PRINTABLE = re.compile(r"[!-~]+")
_SENDER = re.compile(r"[^<>@\r\n]+ <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+")
_TELEPHONE = re.compile(r"tel:\+?[0-9][0-9().-]{2,}")
_VALKEY_DATABASE = re.compile(r"/?[0-9]*")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_ANYBODY = (ip_network("0.0.0.0/0"), ip_network("::/0"))


def _parts(url: str, example: str, schemes: Collection[str]) -> SplitResult:
    """Return the parts of a URL with a scheme, a host and perhaps a port, all of them valid."""
    wrong = ValueError(f"Write a URL such as {example}.")
    if not _PRINTABLE.fullmatch(url):  # urlsplit would remove some of the other characters
        raise wrong
    try:
        parts = urlsplit(url)
        is_valid = parts.scheme in schemes and parts.port != 0 and not parts.netloc.endswith(":")
        hosts.host(parts.hostname or "")
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


def _is_not_blank(path: Path) -> Path:
    if not str(path).strip():
        raise ValueError("Write the name of a folder.")
    return path


def _database_url(url: str) -> str:
    wrong = ValueError("Write a URL such as postgresql://user:password@host:5432/name.")
    try:
        parsed = make_url(url)
        hosts.hosts(unquote(parsed.host or "localhost"))
        is_valid = parsed.port is None or 0 < parsed.port <= HIGHEST_PORT
    except (ArgumentError, ValueError):  # which could quote the password
        raise wrong from None
    is_named = bool(parsed.host or parsed.database or "host" in parsed.query)
    if not (is_valid and is_named and parsed.get_backend_name() in ("postgresql", "postgres")):
        raise wrong
    own = " Write settings of PostgreSQL as options=-c%20name=value."
    url_options.check(url.partition("?")[2], url_options.OF_DATABASE, own)
    return url


def _valkey_url(url: str) -> str:
    schemes = {"valkey": url_options.OF_VALKEY, "redis": url_options.OF_VALKEY}
    schemes |= {"valkeys": url_options.OF_VALKEY_BY_TLS, "rediss": url_options.OF_VALKEY_BY_TLS}
    parts = _parts(url, "valkey://host:6379 or valkey://host:6379/1", schemes)
    if _VALKEY_DATABASE.fullmatch(parts.path) is None or parts.fragment:
        raise ValueError("After the host there may be the number of a database, as in valkey://host:6379/1.")
    url_options.check(parts.query, schemes[parts.scheme])
    return url


DatabaseUrl = Annotated[str, AfterValidator(_database_url)]
ValkeyUrl = Annotated[str, AfterValidator(_valkey_url)]
PublicUrl = Annotated[str, AfterValidator(_public_url)]
Networks = Annotated[tuple[Network, ...], BeforeValidator(_networks)]
Host = Annotated[str, AfterValidator(hosts.host)]
Port = Annotated[int, Field(ge=1, le=HIGHEST_PORT)]
Sender = Annotated[str, AfterValidator(_sender)]
Contact = Annotated[str, AfterValidator(_contact)]
Folder = Annotated[Path, AfterValidator(_is_not_blank)]
Line = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$"),
]
