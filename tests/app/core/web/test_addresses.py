"""Where a request comes from, as limits count it."""

from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import HTTPConnection
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from app.core.ip import forms_of
from app.core.web.addresses import is_loopback, network


@pytest.mark.parametrize(
    ("address", "counted_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2::3", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::3", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", "unknown"),
        ("testclient", "unknown"),
    ],
)
def test_a_caller_is_an_ipv4_address_or_an_ipv6_network(address, counted_as):
    assert network(address) == counted_as


def forms(address):
    """Return an address as sockets of IPv4 and of IPv6 tell it."""
    return str(address), f"::ffff:{address}"


@given(st.ip_addresses(v=4), st.ip_addresses(v=4), st.integers(0, 32))
def test_an_ipv4_address_counts_as_such_whatever_socket_it_comes_to(address, other, prefix):
    trusted = ip_network((int(other), prefix), strict=False)
    proxies = ProxyHeadersMiddleware(None, forms_of([trusted])).trusted_hosts
    for form in forms(address):
        assert network(form) == str(address)
        assert is_loopback(HTTPConnection({"type": "http", "client": (form, 1)})) == address.is_loopback
        assert (form in proxies) == (address in trusted)


@given(st.ip_addresses(v=6), st.integers(0, 128))
def test_an_ipv6_address_is_trusted_as_a_part_of_a_trusted_network(address, prefix):
    trusted = ip_network(f"{address}/{prefix}", strict=False)
    assert str(address) in ProxyHeadersMiddleware(None, forms_of([trusted])).trusted_hosts
