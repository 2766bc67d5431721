"""Players for the tests of all features."""

import pytest

from tests.support.players import Program, Visitor


@pytest.fixture
def program(server):
    """Return a program that plays."""
    return Program(server)


@pytest.fixture
def other(server):
    """Return a second program."""
    return Program(server)


@pytest.fixture
def visitor(server):
    """Return a browser without scripts whose user has no account yet."""
    return Visitor(server)
