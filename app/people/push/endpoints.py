"""Which push services the server talks to: those on the internet, by TLS, and never its own network."""

import ipaddress
import socket
from typing import Any
from urllib.parse import urlsplit

from aiohttp import ClientSession, ClientTimeout, TCPConnector
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from py_vapid.utils import b64urldecode

from app.core.errors import InvalidError
from app.core.i18n.text import Text
from app.core.settings import Settings
from app.people.push.internet import is_on_internet

_TIMEOUT = ClientTimeout(total=10)
_POINT, _AUTH = 65, 16  # bytes


def check_endpoint(endpoint: str, settings: Settings) -> None:
    """Raise InvalidError `bad_endpoint` for an address that is not one of a push service on the internet."""
    try:
        url = urlsplit(endpoint)
        host, port = url.hostname, url.port
    except ValueError:
        raise _bad_endpoint() from None
    if not host or url.username is not None or url.fragment or not endpoint.isascii():
        raise _bad_endpoint()
    if settings.push_services == "any":
        return
    if url.scheme != "https" or port not in (None, 443) or not _is_public(host, if_name=True):
        raise _bad_endpoint()


def check_keys(p256dh: str, auth: str) -> None:
    """Raise InvalidError `bad_keys` if no message can be encrypted with the keys of a device."""
    try:
        point, secret = b64urldecode(p256dh.encode()), b64urldecode(auth.encode())
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), point)
    except ValueError:
        raise _bad_keys() from None
    if (len(point), len(secret)) != (_POINT, _AUTH):
        raise _bad_keys()


def client(settings: Settings) -> ClientSession:
    """Return an HTTP client that only connects to addresses of the internet, whatever names lead to."""
    connect: dict[str, Any] = {} if settings.push_services == "any" else {"socket_factory": _public_socket}
    return ClientSession(connector=TCPConnector(**connect), timeout=_TIMEOUT, auto_decompress=False)


def _public_socket(addr_info: Any) -> socket.socket:
    """Return a socket for an address. Raise OSError if the address is not one of the internet."""
    family, kind, protocol, _name, address = addr_info
    if not _is_public(address[0], if_name=False):
        raise OSError("a push service is not on the internet")
    return socket.socket(family, kind, protocol)


def _is_public(host: str, *, if_name: bool) -> bool:
    """Return whether an IP address is one of the internet, or `if_name` for a name that has a dot."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return if_name and "." in host.rstrip(".")
    return is_on_internet(address)


def _bad_endpoint() -> InvalidError:
    return InvalidError(
        "bad_endpoint", Text("The endpoint is not an https address of a push service on the internet.")
    )


def _bad_keys() -> InvalidError:
    return InvalidError("bad_keys", Text("p256dh is a P-256 point and auth has 16 bytes, in base64url."))
