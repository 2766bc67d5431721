"""What tests of tournaments share."""

import pytest

from app.core.database.session import Database


@pytest.fixture
async def session(new_database):
    """Return a session of a database without players, and without a server that conducts tournaments."""
    database = await Database.open(new_database("tournaments"), pool_size=1)
    async with database.transaction() as session:
        yield session
    await database.close()
