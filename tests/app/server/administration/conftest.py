"""An administrator in a browser."""

import pytest

from tests.support.accounts import grant
from tests.support.players import Program, make_old
from tests.support.tournaments import member


@pytest.fixture
def player(server, database_url):
    """Return a player without rights."""
    program = Program(server)
    make_old(database_url, program)
    return program


@pytest.fixture
def keeper(server, database_url):
    """Return the account of an administrator."""
    program = Program(server)
    make_old(database_url, program)
    return grant(database_url, program, "administrator")


@pytest.fixture
def administrator(server, keeper):
    """Return the administrator in a browser."""
    return member(server, keeper.username)
