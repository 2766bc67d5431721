"""Names and numbers from the engine, as types of the JSON API whose schemas list them or state their bounds.

The rules check them, with errors that say more than a schema can.
"""

from collections.abc import Iterable
from itertools import chain
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypeAliasType

from engine.game import Side, Termination
from engine.puzzles.rules import RULES
from engine.registry import FOR_TWO, GAMES, SOLITAIRE

_LONGEST = 32  # characters


def one_of(*values: str | int) -> Any:
    """Return what describes a value as one of these."""
    return Field(json_schema_extra={"enum": [*values]})


def within(numbers: range) -> Any:
    """Return what describes a number as one of a range."""
    return Field(json_schema_extra={"minimum": numbers[0], "maximum": numbers[-1]})


def _options() -> dict[str, Any]:
    """Return the schema of each option, with the widest bounds that it has at a game."""
    ranges: dict[str, list[tuple[int, int]]] = {}
    for rules in chain(FOR_TWO.values(), SOLITAIRE.values()):
        for name, limits in rules.options.items():
            ranges.setdefault(name, []).append((limits.minimum, limits.maximum))
    return {
        name: {
            "type": "integer",
            "minimum": min(least for least, _ in bounds),
            "maximum": max(most for _, most in bounds),
        }
        for name, bounds in ranges.items()
    }


def _key(games: Iterable[str]) -> Any:
    return Field(json_schema_extra={"enum": [*games], "maxLength": _LONGEST})


GameKey = TypeAliasType("GameKey", Annotated[str, _key(GAMES)])
"""The key of a game."""

PuzzleGameKey = TypeAliasType("PuzzleGameKey", Annotated[str, _key(RULES)])
"""The key of a game with puzzles: Golden Nugget has some, too."""

SideName = TypeAliasType("SideName", Annotated[str, one_of(*Side)])
"""A side of a game."""

Ending = TypeAliasType("Ending", Annotated[str, one_of(*Termination)])
"""Why a game ended."""

Options = TypeAliasType(
    "Options",
    Annotated[
        dict[str, int],
        Field(
            json_schema_extra={"properties": _options(), "additionalProperties": False},
            examples=[{"size": 9}],
        ),
    ],
)
"""The options of a game, by name; `GET /games/kinds` lists those of each game."""
