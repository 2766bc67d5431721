"""The mean of moves per board, and the examples that schemas share."""

from typing import Any, Self

from pydantic import BaseModel, ConfigDict

from engine.golden_nugget.ranking import Mean

MEAN = {"moves": 712, "boards": 20, "text": "35.60"}
ENTRY_ID = "k7m2wq9xab"


def example(**members: Any) -> ConfigDict:
    """Return the configuration of a schema with one example."""
    return ConfigDict(json_schema_extra={"examples": [members]})


class MeanShown(BaseModel):
    """Moves per board, as an exact fraction and rounded to two decimals."""

    model_config = example(**MEAN)

    moves: int
    boards: int
    text: str

    @classmethod
    def of(cls, mean: Mean) -> Self:
        """Return a mean as the API shows it."""
        return cls.model_validate(mean.as_json())
