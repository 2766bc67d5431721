"""Requests under way are counted for each network, whatever part of them is outstanding."""

import contextlib

import pytest

from app.core.settings import Settings
from app.live.quota import RequestsOfNetworks
from tests.support.raw_http import application, connected, listening

MOST = 3
"""A quarter of the connections."""


def head(address, path="/", length=0):
    return (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: {address}\r\n"
        f"Content-Length: {length}\r\n\r\n"
    ).encode()


def limited(**options):
    return RequestsOfNetworks(application, Settings(connections=4 * MOST, **options))


async def first_line(stack, port, request):
    """Return the first line of the answer to a request on a connection of its own."""
    reader, writer = await stack.enter_async_context(connected(port))
    writer.write(request)
    return await reader.readline()


async def hold(stack, port, address, count):
    """Begin requests whose bodies do not end."""
    for _ in range(count):
        _, writer = await stack.enter_async_context(connected(port))
        writer.write(head(address, length=2) + b"x")


@pytest.mark.parametrize(
    ("others", "address"),
    [
        (["203.0.113.1"], "203.0.113.1"),
        (["2001:db8::1"], "2001:db8::ffff"),
        (["2001:db8:0:1::1", "2001:db8:0:2::1"], "2001:db8:0:3::1"),
    ],
    ids=["an address", "a network of IPv6", "networks of a site"],
)
async def test_one_network_has_a_part_of_the_places_and_the_others_have_the_rest(others, address):
    async with contextlib.AsyncExitStack() as stack:
        port, _ = await stack.enter_async_context(listening(limited()))
        async with contextlib.AsyncExitStack() as held:
            for each in others:
                await hold(held, port, each, MOST)
            # A request on a connection of its own comes after those that were begun before it.
            assert (await first_line(stack, port, head("198.51.100.1"))).startswith(b"HTTP/1.1 200 ")
            reader, writer = await stack.enter_async_context(connected(port))
            writer.write(head(address, length=2) + b"x")
            refused = await reader.read()  # and closed, though the body has not ended
            assert refused.startswith(b"HTTP/1.1 429 ")
            assert b"retry-after: 30" in refused
            check = b"GET /health/live HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: %b\r\n\r\n" % address.encode()
            assert (await first_line(stack, port, check)).startswith(b"HTTP/1.1 200 ")
        assert (await first_line(stack, port, head("198.51.100.1"))).startswith(b"HTTP/1.1 200 ")
        assert (await first_line(stack, port, head(address))).startswith(b"HTTP/1.1 200 ")


async def test_without_limits_no_request_is_refused():
    async with contextlib.AsyncExitStack() as stack:
        port, _ = await stack.enter_async_context(listening(limited(throttle="off")))
        await hold(stack, port, "203.0.113.1", 2 * MOST)
        assert (await first_line(stack, port, head("203.0.113.1"))).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("path", ["/health/live", "/health/none"])
async def test_bodies_at_the_addresses_of_health_checks_are_counted(path):
    async with contextlib.AsyncExitStack() as stack:
        port, _ = await stack.enter_async_context(listening(limited()))
        for _ in range(MOST):
            _, writer = await stack.enter_async_context(connected(port))
            writer.write(head("203.0.113.1", path, length=2) + b"x")
        assert (await first_line(stack, port, head("198.51.100.1"))).startswith(b"HTTP/1.1 200 ")
        refused = await first_line(stack, port, head("203.0.113.1", path, length=2) + b"x")
        assert refused.startswith(b"HTTP/1.1 429 ")
