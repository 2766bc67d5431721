"""The sample record, which tests verify, modify and damage."""

from pathlib import Path

import pytest

SAMPLE = Path(__file__).parents[3] / "docs" / "samples" / "golden-nugget-20.txt"


@pytest.fixture(scope="session")
def sample():
    """Return the text of the sample: a valid entry of 20 boards."""
    return SAMPLE.read_text(encoding="utf-8")
