"""The types of parameters in paths, such as `/games/{game_id:id}`, registered when `app.web` is imported.

A path that does not match its types does not exist: the answer is 404. No two routes match the same
path, so their order does not matter.
"""

import re
from collections.abc import Iterable

from starlette.convertors import Convertor, StringConvertor, register_url_convertor

from app import ids
from engine.registry import GAMES


class _Number(Convertor[int]):
    """A number of up to four digits, which fits every integer column."""

    regex = "[0-9]{1,4}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


def register_pattern(name: str, pattern: str) -> None:
    """Make `{parameter:name}` in a path match a regular expression, which must not match slashes."""
    register_url_convertor(name, type(f"{name.title()}Convertor", (StringConvertor,), {"regex": pattern})())


def register_choice(name: str, choices: Iterable[str]) -> None:
    """Make `{parameter:name}` in a path match one of `choices`."""
    register_pattern(name, "|".join(map(re.escape, choices)))


register_pattern("id", ids.PATTERN)
register_pattern("slug", "[a-z0-9-]{1,64}")
register_pattern("serial", "[0-9]{1,18}")  # an id that counts up
register_choice("game", GAMES)
register_url_convertor("number", _Number())
