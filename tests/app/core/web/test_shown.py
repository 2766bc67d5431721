"""What is shown does not have the bounds of what is asked: other ones may have been in force before."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

import pytest
from pydantic import AfterValidator, Field, TypeAdapter

from app.core.web.bodies import RequestBody
from app.core.web.shown import Unchecked
from app.play.lobby.schemas import ControlShown
from engine.clock import CommonDeadline, Correspondence, DayDeadline, Realtime
from tests.support.routes import calls

BOUNDS = {"ge", "gt", "le", "lt", "max_length", "min_length", "multiple_of", "pattern"}
REFUSING = {"enum", "function-after", "function-before", "function-plain", "literal"}


def refusals(schema, place):
    """Yield where a schema of pydantic could refuse a value that has the type of the member."""
    if isinstance(schema, Mapping):
        place = getattr(schema.get("cls"), "__name__", place)
        if "type" in schema and (schema["type"] in REFUSING or BOUNDS & schema.keys()):
            yield f"{place}: {schema['type']}"
        for name, part in schema.items():
            if name not in ("metadata", "serialization"):
                yield from refusals(part, f"{place}.{name}" if isinstance(part, Mapping) else place)
    elif isinstance(schema, list | tuple):
        for part in schema:
            yield from refusals(part, place)


def schema_of(kind):
    return TypeAdapter(kind).core_schema


def test_no_answer_can_be_refused_for_its_values():
    fields = {
        str(call): call.route.response_field
        for call in calls()
        if getattr(call.route, "response_field", None)
    }
    assert len(fields) > 100
    found = {
        place
        for call, field in fields.items()
        for place in refusals(schema_of(field.field_info.annotation), call)
    }
    assert found == set()


class Asked(RequestBody):
    name: str


@dataclass
class Listed:
    names: list[Annotated[str, Field(max_length=3)]]


@pytest.mark.parametrize(
    "kind",
    [
        Asked,
        list[Asked],
        dict[str, Asked | None],
        Listed,
        Literal["on", "off"],
        Annotated[int, Field(ge=1)],
        Annotated[str, AfterValidator(str.strip)],
    ],
)
def test_refusals_are_found_and_unchecked_types_have_none(kind):
    assert [*refusals(schema_of(kind), "")]
    assert [*refusals(schema_of(list[Unchecked[kind]]), "")] == []


@pytest.mark.parametrize(
    "control", [None, CommonDeadline(1), DayDeadline(1), Realtime(300, 5), Correspondence(3)]
)
def test_every_clock_can_be_shown(control):
    adapter = TypeAdapter(ControlShown)
    assert control is None or adapter.dump_python(adapter.validate_python(control))["kind"]
