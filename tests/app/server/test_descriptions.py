"""The descriptions of the API change only when somebody wants it."""

import pytest

from tests.support.descriptions import FOLDER, descriptions

DESCRIPTIONS = descriptions()


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_a_description_is_the_stored_one(name):
    stored = (FOLDER / name).read_text(encoding="utf-8")
    assert DESCRIPTIONS[name].splitlines() == stored.splitlines(), (
        "if the API should change, store what it is now: python -m tests.support.descriptions"
    )
