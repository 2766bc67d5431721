"""Means of moves per board as the JSON API shows them."""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import core_schema

from app.core.web.shown import ShownAs, example
from engine.golden_nugget.ranking import Mean


@dataclass(frozen=True, slots=True)
class MeanShown:
    """Moves per board, as an exact fraction and rounded to two decimals."""

    moves: int
    boards: int
    text: Annotated[str, example("35.60")]

    @classmethod
    def of(cls, mean: Mean) -> "MeanShown":
        """Return a mean as the API shows it."""
        return cls(mean.moves, mean.boards, mean.text)


class _AsMeanShown(ShownAs):
    def __get_pydantic_core_schema__(
        self, member: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Return the schema of a mean, which nothing checks: unlike that of anything, it has no title."""
        shown = super().__get_pydantic_core_schema__(member, handler)
        return core_schema.no_info_wrap_validator_function(
            lambda mean, _check: mean, handler(member), serialization=shown["serialization"]
        )


ShownMean = Annotated[Mean, _AsMeanShown(MeanShown, MeanShown.of)]
"""A mean that programs see as MeanShown."""
