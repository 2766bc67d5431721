"""JSON as the server writes and reads it."""

from datetime import UTC, date, datetime
from enum import StrEnum
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from app.core import json
from app.core.i18n.text import _

_TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _TEXTS,
    lambda values: st.lists(values) | st.dictionaries(_TEXTS, values),
)


class Colour(StrEnum):
    RED = "red"


class Shown(BaseModel):
    at: datetime


@given(_VALUES)
def test_a_value_is_read_as_it_was_written(value):
    assert json.decode(json.encode(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (_("%(player)s is to move", player="wren"), '"wren is to move"'),
        ({Colour.RED: Colour.RED}, '{"red":"red"}'),
        (datetime(2026, 11, 26, 8, 5, tzinfo=UTC), '"2026-11-26T08:05:00Z"'),
        (date(2026, 11, 26), '"2026-11-26"'),
        (UUID(int=1), '"00000000-0000-0000-0000-000000000001"'),
        (Shown(at=datetime(2026, 11, 26, tzinfo=UTC)), '{"at":"2026-11-26T00:00:00Z"}'),
    ],
)
def test_what_the_api_shows_has_a_form(value, text):
    assert json.encode(value).decode() == text


def test_what_has_no_form_is_refused():
    with pytest.raises(TypeError):
        json.encode(object())


@pytest.mark.parametrize("text", ["", "{", "[1,]", "nan", '"\\ud800"', b"\xff", "[" * 100_000])
def test_what_is_no_json_is_refused(text):
    with pytest.raises(ValueError, match=r"\w"):
        json.decode(text)
