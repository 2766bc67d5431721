"""Addresses of IPv4 as such, also where a socket of IPv6 tells them as ::ffff:192.0.2.1."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

_PREFIX = 96  # bits, of the address of IPv6 that stands for one of IPv4


@lru_cache(1024)
def ip_of(text: str) -> IPv4Address | IPv6Address | None:
    """Return the address that a text is, None if it is none."""
    try:
        ip = ip_address(text)
    except ValueError:
        return None
    return (ip.ipv4_mapped or ip) if isinstance(ip, IPv6Address) else ip


def forms_of(networks: Iterable[IPv4Network | IPv6Network]) -> list[str]:
    """Return networks for a comparison with addresses as sockets tell them."""
    return [form for network in networks for form in _forms(network)]


def _forms(network: IPv4Network | IPv6Network) -> Iterator[str]:
    yield str(network)
    if isinstance(network, IPv4Network):
        yield f"::ffff:{network.network_address}/{_PREFIX + network.prefixlen}"
