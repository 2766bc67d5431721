"""What the tests of Golden Nugget share."""

import pytest

from tests.support.nugget import hide_boards


@pytest.fixture(autouse=True)
def _own_boards(request):
    """Hide what earlier tests published, so that the boards of this one come from nobody."""
    if "database_url" in request.fixturenames:
        hide_boards(request.getfixturevalue("database_url"))
