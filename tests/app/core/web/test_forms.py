"""Forms: what was submitted becomes a model, or messages beside the fields."""

import re
from datetime import UTC, datetime
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field, model_validator

from app.core.errors import ConflictError, FieldError
from app.core.web.forms import InvalidFormError, Submission, form_errors


class Party(BaseModel):
    name: Annotated[str, Field(min_length=3, max_length=8)]
    guests: Annotated[int, Field(ge=2, le=10)] = 4
    starts_at: datetime | None = None
    kind: Literal["loud", "quiet"] = "quiet"
    hours: Annotated[float, Field(le=12)] = 2
    is_secret: bool = False
    options: dict[str, int] = {}
    room: Annotated[str, Field(pattern="[a-f]")] = "a"
    floor: Annotated[int, Field(lt=4)] = 0

    @model_validator(mode="after")
    def quiet_parties_are_small(self):
        if self.kind == "quiet" and self.guests > 5:
            raise ValueError("A quiet party has at most 5 guests.")
        return self


def messages(**values):
    with pytest.raises(InvalidFormError) as caught:
        Submission(values).parse(Party)
    return form_errors(caught.value)


def test_fields_have_their_types_and_empty_ones_their_defaults():
    party = Submission(
        {"name": "wren", "guests": " 3 ", "starts_at": "2026-01-01T12:00Z", "kind": "", "is_secret": "yes"}
    ).parse(Party)
    assert party == Party(
        name="wren", guests=3, starts_at=datetime(2026, 1, 1, 12, tzinfo=UTC), kind="quiet", is_secret=True
    )


@pytest.mark.parametrize(
    ("values", "field", "message"),
    [
        ({"name": ""}, "name", "Fill in this field."),
        ({"name": "a"}, "name", "Enter at least 3 characters."),
        ({"name": "wren and finch"}, "name", "Enter at most 8 characters."),
        ({"guests": "many"}, "guests", "Enter a whole number."),
        ({"guests": "1"}, "guests", "Enter 2 or more."),
        ({"guests": "9" * 5000}, "guests", "This number is too large."),
        ({"hours": "12.5"}, "hours", "Enter 12 or less."),
        ({"starts_at": "soon"}, "starts_at", "Enter a date and a time."),
        ({"kind": "silent"}, "kind", "Choose one of the options."),
        ({"is_secret": "perhaps"}, "is_secret", "Choose one of the options."),
        ({"room": "x"}, "room", "Choose one of the options."),
        ({"floor": "4"}, "floor", "Enter 3 or less."),
        ({"guests": "6"}, "form", "A quiet party has at most 5 guests."),
    ],
)
def test_each_invalid_field_has_a_plain_message(values, field, message):
    assert messages(**{"name": "wren", **values}) == {field: message}


def test_all_invalid_fields_are_named_at_once():
    assert set(messages(guests="x", kind="y")) == {"name", "guests", "kind"}


def test_errors_of_services_are_shown_like_those_of_fields():
    assert form_errors(FieldError("name", "taken", "Taken.")) == {"name": "Taken."}
    assert form_errors(ConflictError("full", "Full.")) == {"form": "Full."}


@pytest.mark.parametrize("path", ["/messages/{other}", "/account/profile"])
def test_what_fits_a_field_of_several_lines_is_not_too_long(visitor, program, path):
    """A browser counts the end of a line as one character, and sends two."""
    path = path.format(other=program.username)
    page = visitor.register().http.get(path).text
    [most] = re.findall(r'<textarea [^>]*name="text"[^>]*maxlength="(\d+)"', page)
    fitting = "a\r\n" * (int(most) // 2)
    assert visitor.http.post(path, data={"text": fitting}).is_success
    assert visitor.http.post(path, data={"text": fitting + "ab"}).status_code == 422
