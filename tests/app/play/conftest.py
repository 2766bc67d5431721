"""The web processes, without HTTP, in which tests play games."""

import pytest

from tests.support.web_processes import web_processes


@pytest.fixture
async def process(database_url):
    """Run one web process."""
    async with web_processes(database_url, 1) as [process]:
        yield process


@pytest.fixture
async def pair(database_url):
    """Run two web processes."""
    async with web_processes(database_url, 2) as processes:
        yield processes
