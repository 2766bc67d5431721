"""HTML forms: what was submitted, as a Pydantic model; messages for its fields; and the key of a form."""

import contextlib
import re
import secrets
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, NamedTuple, TypeVar

from fastapi import Depends, Request
from fastapi.exceptions import RequestValidationError
from jinja2.ext import Extension
from markupsafe import Markup
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from starlette.responses import RedirectResponse, Response

from app.core.errors import AppError, ConflictError, FieldError, InvalidError
from app.core.i18n.text import Text, _, joined, ngettext
from app.core.merging import Revision, merged

KEY_FIELD = "once"
"""The name of the hidden field."""

DRAWN = "drawn_"
"""What the names of hidden fields begin with that say what a form was drawn with."""

_TAG = re.compile(r'<form\b[^>]*\bmethod="post"[^>]*>')
_OWN_KEY = re.compile(r"\bdata-own-key\b")

NO_VALUES: Mapping[str, str] = MappingProxyType({})
"""The fields of a form in which nothing is entered."""

WHOLE = "form"
"""The key of messages that concern the form as a whole."""

ModelT = TypeVar("ModelT", bound=BaseModel)
ValueT = TypeVar("ValueT")

# By the type of Pydantic's error.
_MESSAGES = {
    "missing": _("Fill in this field."),
    "int_parsing": _("Enter a whole number."),
    "int_from_float": _("Enter a whole number."),
    "int_parsing_size": _("This number is too large."),
    "float_parsing": _("Enter a number."),
    "finite_number": _("Enter a number."),
    "bool_parsing": _("Choose one of the options."),
    "literal_error": _("Choose one of the options."),
    "enum": _("Choose one of the options."),
    "datetime_from_date_parsing": _("Enter a date and a time."),
    "datetime_parsing": _("Enter a date and a time."),
    "date_from_datetime_parsing": _("Enter a date."),
    "date_parsing": _("Enter a date."),
}


def _field_with(key: str) -> Markup:
    return Markup(f'<input type="hidden" name="{KEY_FIELD}" value="{key}">')  # noqa: S704 - both are ours


class _Fields(NamedTuple):
    """What is drawn in forms: the field with the whole key, and the one for forms with a key of their own."""

    once: Markup
    account: Markup


_NONE = _Fields(Markup(), Markup())
_TO_COME = _Fields(_field_with(""), _field_with("."))
"""Stand for the fields in forms that are drawn for several pages."""

# None outside of a page.
_field: ContextVar[_Fields | None] = ContextVar("key_field", default=None)


@contextlib.contextmanager
def keyed(account_id: int | None) -> Iterator[None]:
    """Draw forms with a key in this context, unless it lies within one without keys.

    The key begins with the account that the page is for, if there is one: who sends the form may be another
    one by then. A form with a key of its own gets that beginning alone.
    """
    account = "" if account_id is None else f"{account_id}."
    once = _field_with(account + secrets.token_urlsafe(16))
    fields = _Fields(once, _field_with(account) if account else Markup())
    with _drawing(fields if _field.get() is None else _NONE):
        yield


@contextlib.contextmanager
def keyless() -> Iterator[None]:
    """Draw forms without a key in this context: what it draws is for several readers."""
    with _drawing(_NONE):
        yield


@contextlib.contextmanager
def keyed_later() -> Iterator[None]:
    """Draw forms in this context for several pages, each of which sets its key by `with_key`."""
    with _drawing(_TO_COME):
        yield


def with_key(drawn: str) -> Markup:
    """Return what was drawn under `keyed_later` with the key of the page that is drawn now, if it has one."""
    filled = drawn.replace(_TO_COME.once, once_field()).replace(_TO_COME.account, account_field())
    return Markup(filled)  # noqa: S704 - an escaped template


@contextlib.contextmanager
def _drawing(fields: _Fields) -> Iterator[None]:
    token = _field.set(fields)
    try:
        yield
    finally:
        _field.reset(token)


def once_field() -> Markup:
    """Return the hidden field with the key of the page, if it has one."""
    return (_field.get() or _NONE).once


def account_field() -> Markup:
    """Return the hidden field that says for which account the page is, if it has a key and is for one."""
    return (_field.get() or _NONE).account


class FormKeys(Extension):
    """Jinja's extension that adds the key to each form that is posted, or its account to one with its own."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002
        """Return the source of a template with the keys."""
        return _TAG.sub(_with_field_of, source)


def _with_field_of(tag: re.Match[str]) -> str:
    return tag[0] + ("{{ account_field() }}" if _OWN_KEY.search(tag[0]) else "{{ once_field() }}")


# Those that depend on the error's context, whose members are their arguments.
_MESSAGES_OF: Mapping[str, Callable[..., Text]] = {
    "greater_than_equal": lambda ge: _("Enter %(least)s or more.", least=_plain(ge)),
    "less_than": lambda lt: _("Enter %(most)s or less.", most=_plain(lt - 1)),
    "less_than_equal": lambda le: _("Enter %(most)s or less.", most=_plain(le)),
    "string_too_short": lambda min_length: ngettext(
        "Enter at least %(count)s character.", "Enter at least %(count)s characters.", min_length
    ),
    "too_long": lambda max_length, **_sizes: ngettext(
        "Enter at most %(count)s of them.", "Enter at most %(count)s of them.", max_length
    ),
    "string_too_long": lambda max_length: ngettext(
        "Enter at most %(count)s character.", "Enter at most %(count)s characters.", max_length
    ),
    "value_error": lambda error: error.args[0] if isinstance(error.args[0], Text) else Text(str(error)),
}


class InvalidFormError(InvalidError):
    """Fields of a form are invalid. `messages` has a sentence for each of them, by name."""

    def __init__(self, messages: Mapping[str, Text]) -> None:
        super().__init__("invalid_form", joined(*messages.values()))
        self.messages = dict(messages)


@dataclass(frozen=True, slots=True)
class Submission:
    """The text fields of a submitted form; `values` is also what the page shows again if one is invalid."""

    values: Mapping[str, str]

    def parse(self, model: type[ModelT]) -> ModelT:
        """Return the fields as a model; an empty field counts as not sent. Raise InvalidFormError.

        The model may be that of a JSON body: its fields are text here, and pages send others beside them.
        """
        sent = {name: value for name, value in self.values.items() if value}
        try:
            return model.model_validate(sent, strict=False, extra="ignore")
        except ValidationError as error:
            raise InvalidFormError(messages_of(error)) from None

    def rebased(self, stored: Mapping[str, str]) -> "Submission":
        """Return it as if it had been drawn with the fields that are stored by now.

        What it does not say that it was drawn with is sent as it is. Raise ConflictError as `merged` does.
        """
        fields = {
            name: merged(now, self.values[DRAWN + name], self.values.get(name, ""))
            for name, now in stored.items()
            if DRAWN + name in self.values
        }
        return Submission({**self.values, **fields})

    async def carry_out(
        self,
        model: type[ModelT],
        command: Callable[[ModelT], Awaitable[object]],
        *,
        then: str,
        refused: Callable[[AppError], Awaitable[Response]],
    ) -> Response:
        """Carry out a command with the fields as a model, and redirect to `then`.

        If a field is invalid or the command cannot be done, return the response to that error.
        """
        return await _answer(lambda: command(self.parse(model)), then, refused)

    async def change(
        self,
        command: Callable[[Revision[ValueT]], Awaitable[object]],
        fields: Callable[[ValueT], Mapping[str, str]],
        read: Callable[["Submission"], ValueT],
        *,
        then: str,
        refused: Callable[[AppError], Awaitable[Response]],
    ) -> Response:
        """Change a stored value by a command, and answer as `carry_out` does.

        `fields` returns the form's fields for the stored value, and `read` makes a value of the rebased form.
        """

        def changed(stored: ValueT) -> ValueT:
            return read(self.rebased(fields(stored)))

        return await _answer(lambda: command(changed), then, refused)


async def _answer(
    command: Callable[[], Awaitable[object]], then: str, refused: Callable[[AppError], Awaitable[Response]]
) -> Response:
    try:
        await command()
    except (InvalidError, ConflictError) as error:
        return await refused(error)
    return RedirectResponse(then, 303)


async def _submission(request: Request) -> Submission:
    form = await request.form()
    return Submission(
        {
            # Browsers count the end of a line as one character, and send two.
            name: value.replace("\r\n", "\n")
            for name, value in form.items()
            if isinstance(value, str) and name != KEY_FIELD
        }
    )


SubmissionDep = Annotated[Submission, Depends(_submission)]


def drawn_with(values: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a form that shows what is stored, and those of the macro `drawn`."""
    return {**values, **{DRAWN + name: value for name, value in values.items()}}


def messages_of(error: ValidationError | RequestValidationError) -> dict[str, Text]:
    """Return a sentence for each invalid field, by name; what concerns several fields is under `WHOLE`."""
    messages: dict[str, Text] = {}
    for detail in error.errors():
        messages.setdefault(_field_of(detail), _message_of(detail))
    return messages


def form_errors(error: AppError) -> dict[str, Text]:
    """Return what a page shows of an error that stopped a form: messages by field."""
    if isinstance(error, InvalidFormError):
        return error.messages
    return {error.field if isinstance(error, FieldError) else WHOLE: error.message}


def _field_of(detail: ErrorDetails) -> str:
    names = [part for part in detail["loc"] if isinstance(part, str)]
    return names[-1] if names else WHOLE


def _message_of(detail: ErrorDetails) -> Text:
    kind, context = detail["type"], detail.get("ctx", {})
    if kind in _MESSAGES_OF:
        return _MESSAGES_OF[kind](**context)
    return _MESSAGES.get(kind, _MESSAGES["enum"])  # what cannot be typed, a page offers


def _plain(value: object) -> object:
    """Return a bound of a field as people write it: 180 rather than 180.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
