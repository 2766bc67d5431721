"""Types of members that many objects of the API have, each with an example of its values.

What the API returns are values such as frozen dataclasses of queries: their names, docstrings and members
are those of the OpenAPI's schemas, and FastAPI makes JSON of them as they are.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import PydanticOmit, core_schema

T = TypeVar("T")


class Shown(BaseModel):
    """The base of schemas of which a value has the members as attributes, and more besides."""

    model_config = ConfigDict(from_attributes=True)


class ShownAs:
    """Shows a member as another type in JSON, made from the value by a function if there is one.

    The type describes what is shown and never refuses it: what is stored need not have the bounds of what is
    asked today.
    """

    def __init__(self, kind: Any = None, made_by: Callable[[Any], Any] = lambda value: value) -> None:
        self._kind = kind
        self._made_by = made_by

    def __get_pydantic_core_schema__(
        self, member: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Return the schema of any value, with what makes it the other type, or its own if none is named."""
        shown = handler(member) if self._kind is None else handler.generate_schema(self._kind)
        return core_schema.any_schema(
            serialization=core_schema.wrap_serializer_function_ser_schema(
                lambda value, _serialize: self._made_by(value),
                # A union of one, since only what is inside of something has a name in the description.
                schema=core_schema.union_schema([shown]),
            )
        )

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the schema of the other type."""
        return handler(cast("Any", schema)["serialization"]["schema"])


class _NotShown(ShownAs):
    def __get_pydantic_json_schema__(self, *_schema_and_handler: Any) -> JsonSchemaValue:
        raise PydanticOmit


Hidden = Annotated[T, _NotShown(Any), Field(exclude=True)]
"""A member that the server needs and programs do not see."""

Unchecked = Annotated[T, ShownAs()]
"""A member of a type that may refuse values, shown as it is."""

AS_TEXT = ShownAs(str)
"""For members of enumerations to which more may be added: programs have to expect any text."""


def example(value: Any) -> Any:
    """Return what gives a type an example."""
    return Field(examples=[value])


Id = Annotated[str, example("k7m2wq9xab")]
"""The id of something that has a page."""

GameId = Annotated[str, example("x3p8mk2rtz")]
"""The id of a game."""

Username = Annotated[str, example("wren")]
"""The name of a player."""

Opponent = Annotated[str, example("finch")]
"""The name of another player than the one whom an object is about."""

NextCursor = Annotated[str, example("WzE2MTIsNDJd")]
"""The `cursor` of the next page of a ranking."""

Move = Annotated[str, example("e5")]
"""A move in the notation of its game."""

Position = Annotated[str, example("9/9/9/9/9/2b6/9/9/9 w 0")]
"""A position in the notation of its game."""

Score = Annotated[Mapping[str, float], example({"black": 4, "white": 1.5})]
"""What each side has."""

Rating = Annotated[int, example(1612)]
"""A rating, rounded."""

Text = Annotated[str, example("We play on Sundays.")]
"""What somebody has written; may be empty."""
