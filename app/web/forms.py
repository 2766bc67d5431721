"""HTML forms: what was submitted, parsed by a Pydantic model, and the messages to show beside its fields."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypeVar

from fastapi import Depends, Request
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from app.errors import AppError, FieldError, InvalidError

WHOLE = "form"
"""The key of messages that concern the form as a whole."""

ModelT = TypeVar("ModelT", bound=BaseModel)

# By the type of Pydantic's error; the names in braces are members of its context.
_MESSAGES = {
    "missing": "Fill in this field.",
    "int_parsing": "Enter a whole number.",
    "int_from_float": "Enter a whole number.",
    "int_parsing_size": "This number is too large.",
    "float_parsing": "Enter a number.",
    "finite_number": "Enter a number.",
    "bool_parsing": "Choose one of the options.",
    "literal_error": "Choose one of the options.",
    "enum": "Choose one of the options.",
    "greater_than_equal": "Enter {ge} or more.",
    "less_than_equal": "Enter {le} or less.",
    "string_too_short": "Enter at least {min_length} characters.",
    "string_too_long": "Enter at most {max_length} characters.",
    "datetime_from_date_parsing": "Enter a date and a time.",
    "datetime_parsing": "Enter a date and a time.",
    "date_from_datetime_parsing": "Enter a date.",
    "date_parsing": "Enter a date.",
    "value_error": "{error}",
}


class InvalidFormError(InvalidError):
    """Fields of a form are invalid. `messages` has a sentence for each of them, by name."""

    def __init__(self, messages: Mapping[str, str]) -> None:
        super().__init__("invalid_form", " ".join(messages.values()), extra={"fields": dict(messages)})
        self.messages = dict(messages)


@dataclass(frozen=True, slots=True)
class Submission:
    """The text fields of a submitted form; `values` is also what the page shows again if one is invalid."""

    values: Mapping[str, str]

    def parse(self, model: type[ModelT]) -> ModelT:
        """Return the fields as a model; an empty field counts as not sent. Raise InvalidFormError."""
        try:
            return model.model_validate({name: value for name, value in self.values.items() if value})
        except ValidationError as error:
            raise InvalidFormError(messages_of(error)) from None


async def _submission(request: Request) -> Submission:
    form = await request.form()
    return Submission({name: value for name, value in form.items() if isinstance(value, str)})


SubmissionDep = Annotated[Submission, Depends(_submission)]


def messages_of(error: ValidationError) -> dict[str, str]:
    """Return a sentence for each invalid field, by name; what concerns several fields is under `WHOLE`."""
    messages: dict[str, str] = {}
    for detail in error.errors():
        messages.setdefault(_field_of(detail), _message_of(detail))
    return messages


def form_errors(error: AppError) -> dict[str, str]:
    """Return what a page shows of an error that stopped a form: messages by field."""
    if isinstance(error, InvalidFormError):
        return error.messages
    return {error.field if isinstance(error, FieldError) else WHOLE: error.message}


def _field_of(detail: ErrorDetails) -> str:
    names = [part for part in detail["loc"] if isinstance(part, str)]
    return names[-1] if names else WHOLE


def _message_of(detail: ErrorDetails) -> str:
    template = _MESSAGES.get(detail["type"])
    if template is None:
        return f"{detail['msg']}."
    return template.format_map({name: _plain(value) for name, value in detail.get("ctx", {}).items()})


def _plain(value: object) -> object:
    """Return a bound of a field as people write it: 180 rather than 180.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
