"""Ports for the servers of tests."""

import itertools
import os
import random

from app.server.operations.doctor import is_free

_FIRST = 20_000
_OF_A_WORKER = 1_500  # of pytest; there are eight at most
_OF_A_SERVER = 4


def _ports():
    """Yield the ports of this pytest worker again and again, below those that systems give to clients."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    first = _FIRST + worker * _OF_A_WORKER
    ports = range(first, first + _OF_A_WORKER, _OF_A_SERVER)
    return itertools.islice(itertools.cycle(ports), random.randrange(len(ports)), None)


_PORTS = _ports()


def free_port():
    """Return a port that is free, as are those after it, which the processes of a server may take.

    No other test takes them before the server does, and no client is given them.
    """
    return next(
        first for first in _PORTS if all(is_free(port) for port in range(first, first + _OF_A_SERVER))
    )
