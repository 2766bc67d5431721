"""Which push services are reached: none of an address that is, stands for, or leads to a private one."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network

import pytest
from aiohttp import ClientConnectorError

from app.core.errors import InvalidError
from app.core.settings import Settings
from app.people.push.endpoints import check_endpoint, client, is_on_internet

# IANA's registries of special-purpose addresses, and multicast.
SPECIAL_IPV4 = """
0.0.0.0/8 0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
192.0.0.0/29 192.0.0.8/32 192.0.0.9/32 192.0.0.10/32 192.0.0.170/32 192.0.0.171/32 192.0.2.0/24
192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.88.99.2/32 192.168.0.0/16 192.175.48.0/24
198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4 255.255.255.255/32 224.0.0.0/4
"""
SPECIAL_IPV6 = """
::1/128 ::/128 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32 2001:1::1/128 2001:1::2/128
2001:1::3/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28 2001:20::/28 2001:30::/28
2001:db8::/32 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8
"""
PUBLIC = [IPv4Address("8.8.8.8"), IPv4Address("172.217.16.46"), IPv4Address("100.128.0.1")]
EMBEDDED = {
    "mapped": lambda ip: IPv6Address(0xFFFF << 32 | int(ip)),
    "compatible": lambda ip: IPv6Address(int(ip)),
    "translated": lambda ip: IPv6Address(0xFFFF << 48 | int(ip)),
    "NAT64": lambda ip: IPv6Address(int(IPv6Address("64:ff9b::")) | int(ip)),
    "6to4": lambda ip: IPv6Address(0x2002 << 112 | int(ip) << 80 | 1),
    "ISATAP": lambda ip: IPv6Address(int(IPv6Address("2a00:1450:4001:80b:0:5efe::")) | int(ip)),
    "ISATAP, universal": lambda ip: IPv6Address(int(IPv6Address("2a00:1450:4001:80b:200:5efe::")) | int(ip)),
}


def some_of(block):
    """Return the first, the last and some other addresses of a block."""
    size = block.num_addresses
    return {block[number] for number in (0, min(1, size - 1), size // 3, size // 2, size - 1)}


@pytest.mark.parametrize("block", (SPECIAL_IPV4 + SPECIAL_IPV6).split())
def test_no_special_address_is_on_the_internet(block):
    assert [address for address in some_of(ip_network(block)) if is_on_internet(address)] == []


@pytest.mark.parametrize("form", EMBEDDED)
def test_an_address_counts_by_the_one_that_it_stands_for(form):
    embed = EMBEDDED[form]
    for block in SPECIAL_IPV4.split():
        assert [each for each in map(embed, some_of(IPv4Network(block))) if is_on_internet(each)] == []
    assert [each for each in PUBLIC if not is_on_internet(embed(each))] == []


def test_nothing_outside_of_the_global_unicast_addresses_is_on_the_internet():
    """Only those that stand for IPv4 addresses of the internet are: all other blocks are reserved."""
    for number in range(1, 2**8):
        block = IPv6Network((number << 120, 8))
        if not block.subnet_of(IPv6Network("2000::/3")):
            assert [each for each in some_of(block) if is_on_internet(each)] == []


@pytest.mark.parametrize(
    "address", [*map(str, PUBLIC), "2606:4700:4700::1111", "2a00:1450:4001:80b::200e", "2001:4860:4860::8888"]
)
def test_others_are(address):
    host = f"[{address}]" if ":" in address else address
    check_endpoint(f"https://{host}/push/1", Settings())


@pytest.mark.parametrize(
    "endpoint",
    [
        *(f"https://push.example:{port}/1" for port in (0, 22, 80, 8443, 65535)),
        *("http://push.example:443/1", "https://[fec0::1]/1", "https://[64:ff9b::a00:1]/1"),
        *("https://[2002:7f00:1::]/1", "https://[fe80::1%25eth0]/1"),
    ],
)
def test_only_https_at_its_own_port_is_spoken(endpoint):
    check_endpoint("https://push.example:443/1", Settings())
    with pytest.raises(InvalidError):
        check_endpoint(endpoint, Settings())


async def test_a_name_that_leads_into_the_own_network_is_not_connected_to(server):
    """The address is checked as the connection is made, whatever was checked before."""
    async with client(Settings()) as http:
        with pytest.raises(ClientConnectorError):
            await http.get(server.url.replace("127.0.0.1", "localhost"))
