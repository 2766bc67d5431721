"""Searches that report."""

import pytest

from tests.support.database import execute
from tests.support.nugget_searches import Reporting


@pytest.fixture
def reporting(database_url):
    """Report searches; there are none before."""
    execute(database_url, "DELETE FROM nugget_searches")
    return Reporting(database_url)
