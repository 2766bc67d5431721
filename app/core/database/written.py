"""The texts that players write for others, as models declare them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, true

from app.core import ids
from app.core.i18n.text import Text


@dataclass(frozen=True, kw_only=True, slots=True)
class Written:
    """A text that a player writes for others, who may report it by its kind and id, such as `message:4711`.

    Moderators read its `noun`. The column `author` is the player; one that is also the key has one text.
    Removing it sets the columns in `empty`, of which those that are not null are the text. An account may
    read it if it is `readable`, a condition of the columns. If it `is_named`, its first line is a name of
    which notifications have copies. `page` is the path of its page, with `{}` for the id, and
    `page_of_moderators` that of one for them. An id that is no number matches `form`.
    """

    kind: str
    noun: Text
    author: str = "account_id"
    empty: Mapping[str, Any]
    readable: Callable[[Any, int], ColumnElement[bool]] = lambda _columns, _account_id: true()
    is_named: bool = False
    form: str = ids.PATTERN
    page: str | None = None
    page_of_moderators: str | None = None
