"""The base of the JSON bodies that programs send, and types of their members."""

from collections.abc import Container
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from uuid import UUID

from fastapi import Body
from msgspec import Meta
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    Strict,
    ValidationInfo,
    model_validator,
)
from pydantic_core import PydanticCustomError

from app.core import json
from app.core.i18n.text import _

_MOST_MEMBERS = 50  # more than any body has

LARGEST_ID = 2**53 - 1
"""The largest number that identifies something: the largest that all programs read exactly."""


def among(options: Container[object]) -> AfterValidator:
    """Return what refuses a value of a field that is none of some options."""

    def check(value: object) -> object:
        if value not in options:
            raise ValueError(_("Choose one of the options."))
        return value

    return AfterValidator(check)


class RequestBody(BaseModel):
    """What a program sends: unknown members are refused, and values of another type, such as 1 for true."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _check_whole(cls, body: Any, info: ValidationInfo) -> Any:
        # Each unknown member is an error of its own, and a body has room for tens of thousands.
        if isinstance(body, dict) and len(body) > _MOST_MEMBERS:
            raise PydanticCustomError("too_many_members", "Too many members")
        if info.mode == "json":  # its parser checks the rest
            return body
        try:
            json.encode(body)
        except UnicodeEncodeError as error:  # JSON may have half of a character, which nothing can store
            raise PydanticCustomError("string_unicode", "Not a text") from error
        except TypeError:  # it is no body, but made of values
            pass
        return body


def bounded(**bounds: int) -> tuple[Any, ...]:
    """Return annotations that bound a member, such as with `le=5`, for Pydantic and for msgspec."""
    return Field(**bounds), Meta(**bounds)  # type: ignore[call-overload]


T = TypeVar("T")

if TYPE_CHECKING:
    OptionalBody = Annotated[T, Body()]
else:

    class OptionalBody:
        """The annotation of a body without required members: no body, or null, is one without members."""

        def __class_getitem__(cls, model: type[RequestBody]) -> Any:
            without_null = BeforeValidator(lambda body: {} if body is None else body)
            return Annotated[model, without_null, Body(default_factory=model)]


_READ_BY_ROUTES: dict[str, type[BaseModel]] = {}


def reference_to(model: type[BaseModel]) -> dict[str, str]:
    """Return the reference to a body that a route reads itself, for what the route adds to the OpenAPI."""
    _READ_BY_ROUTES[model.__name__] = model
    return {"$ref": f"#/components/schemas/{model.__name__}"}


def referred_schemas() -> dict[str, Any]:
    """Return the schemas of the bodies that routes read themselves, by name."""
    return {name: model.model_json_schema() for name, model in _READ_BY_ROUTES.items()}


BodyUuid = Annotated[UUID, Strict(False)]
"""A UUID in a body, where it is text."""
