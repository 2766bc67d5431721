"""A site of its own for tests of commitments that look at all entries or move the clock of all."""

import pytest

from app.nugget.commitments.service import Commitments
from tests.support.nugget_site import open_site


@pytest.fixture(scope="module")
def own_database(new_database):
    """Return the URL of a database whose commitments and entries are those of one module of tests."""
    return new_database("commitments")


@pytest.fixture
async def site(own_database):
    async with open_site(own_database) as site:
        site.commitments = Commitments(site.database, site.bus)
        yield site
