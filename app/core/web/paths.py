"""The types of parameters in paths, such as `/games/{game_id:id}`, registered when this package is imported.

A path that does not match its types does not exist: the answer is 404. No two routes match the same
path, so their order does not matter.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

from starlette.convertors import Convertor, StringConvertor, register_url_convertor

from app.core import ids
from engine.registry import GAMES, SOLITAIRE


class _Number(Convertor[int]):
    """A number of up to four digits, which fits every integer column."""

    regex = "[0-9]{1,4}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


def is_api(path: str) -> bool:
    """Return whether a path is of the JSON API, which knows programs by their tokens and ignores cookies."""
    return path.startswith("/api/v1/")


def is_for_programs(path: str) -> bool:
    """Return whether an address is one of programs, whose errors are problems, and in English."""
    return path.startswith("/api/")


def is_embed(path: str) -> bool:
    """Return whether a path is of a page that other sites frame."""
    return path.startswith("/embed/")


class _Pattern(StringConvertor):
    """Text that a regular expression matches; `choices` are all such texts, if they are listed."""

    choices: tuple[str, ...] = ()


def register_pattern(name: str, pattern: str, read: Callable[[str], str] = str) -> None:
    """Make `{parameter:name}` in a path match a regular expression, which must not match slashes.

    `read` makes the parameter of the text that matches.
    """
    _register(name, pattern, convert=staticmethod(read))


def register_choice(name: str, choices: Iterable[str]) -> None:
    """Make `{parameter:name}` in a path match one of `choices`."""
    texts = tuple(choices)
    _register(name, "|".join(map(re.escape, texts)), choices=texts)


def _register(name: str, pattern: str, **members: Any) -> None:
    register_url_convertor(
        name, type(f"{name.title()}Convertor", (_Pattern,), {"regex": pattern, **members})()
    )


def schema_of(convertor: Convertor[Any]) -> dict[str, Any]:
    """Return what a schema says of a parameter with this type besides that it is text or a number."""
    if isinstance(convertor, _Number):
        return {"minimum": 0, "maximum": 9999}
    if isinstance(convertor, _Pattern):
        return {"enum": [*convertor.choices]} if convertor.choices else {"pattern": f"^{convertor.regex}$"}
    return {}


register_pattern("id", ids.PATTERN)
register_pattern("slug", "[a-z0-9-]{1,64}")
register_pattern("serial", ids.SERIAL)
register_choice("game", GAMES)
register_choice("solo", SOLITAIRE)
register_url_convertor("number", _Number())
