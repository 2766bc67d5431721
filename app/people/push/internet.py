"""Which IP addresses are ones of the internet, the same with every Python: `ipaddress` differs by version.

An address counts by what it stands for: several kinds of IPv6 addresses have an IPv4 address in them, to
which a gateway of the server's network may lead. Blocks are those of IANA's registries of special-purpose
addresses; the few of them that can be reached have no push services.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final

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
