"""Which push services the server talks to: those on the internet, by TLS, and never its own network."""

import ipaddress
import socket
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from py_vapid.utils import b64urldecode

from app.core.errors import InvalidError
from app.core.i18n.text import Text
from app.core.later import Later
from app.core.settings import Settings

if TYPE_CHECKING:
    import aiohttp
else:
    aiohttp = Later("aiohttp")

# The same with every Python: `ipaddress` differs by version. An address counts by what it stands for: several
# kinds of IPv6 addresses have an IPv4 address in them, to which a gateway of the server's network may lead.
# Blocks are those of IANA's registries of special-purpose addresses; the few of them that can be reached have
# no push services.
_SPECIAL_IPV4: Final = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",  # private
            "100.64.0.0/10",  # shared by customers of a provider
            "127.0.0.0/8",  # loopback
            "169.254.0.0/16",  # link-local
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # protocols
            "192.0.2.0/24",  # documentation
            "192.31.196.0/24",  # AS112
            "192.52.193.0/24",  # multicast tunnels
            "192.88.99.0/24",  # relays of 6to4
            "192.168.0.0/16",  # private
            "192.175.48.0/24",  # AS112
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, and broadcast
        ),
    )
)
_GLOBAL_UNICAST: Final = IPv6Network("2000::/3")
_SPECIAL_IPV6: Final = tuple(
    map(
        IPv6Network,
        (
            "2001::/23",  # protocols, Teredo, benchmarks, ORCHID
            "2001:db8::/32",  # documentation
            "2620:4f:8000::/48",  # AS112
            "3fff::/20",  # documentation
        ),
    )
)
"""Blocks within the global unicast addresses; whatever is outside of these is special, too."""

_EMBEDDING: Final = (
    (IPv6Network("::/96"), 0),  # IPv4-compatible
    (IPv6Network("::ffff:0:0/96"), 0),  # IPv4-mapped
    (IPv6Network("::ffff:0:0:0/96"), 0),  # IPv4-translated
    (IPv6Network("64:ff9b::/96"), 0),  # NAT64
    (IPv6Network("2002::/16"), 80),  # 6to4
)
"""Blocks whose addresses stand for IPv4 addresses, which are that many bits from their end."""
_ISATAP: Final = (0x0000_5EFE, 0x0200_5EFE)  # in front of the IPv4 address at the end of any prefix

_TIMEOUT = 10  # seconds
_POINT, _AUTH = 65, 16  # bytes


def is_on_internet(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address, and the one that it stands for, if any, is one of the internet."""
    if isinstance(address, IPv4Address):
        return not any(address in block for block in _SPECIAL_IPV4)
    number = int(address)
    for block, shift in _EMBEDDING:
        if address in block:
            return is_on_internet(IPv4Address(number >> shift & 0xFFFF_FFFF))
    if number >> 32 & 0xFFFF_FFFF in _ISATAP and not is_on_internet(IPv4Address(number & 0xFFFF_FFFF)):
        return False
    return address in _GLOBAL_UNICAST and not any(address in block for block in _SPECIAL_IPV6)


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


def client(settings: Settings) -> "aiohttp.ClientSession":
    """Return an HTTP client that only connects to addresses of the internet, whatever names lead to."""
    connect: dict[str, Any] = {} if settings.push_services == "any" else {"socket_factory": _public_socket}
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(**connect),
        timeout=aiohttp.ClientTimeout(total=_TIMEOUT),
        auto_decompress=False,
    )


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
