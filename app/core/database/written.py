"""The texts that players write for others, as models declare them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, true

from app.core import ids
from app.core.events import Event
from app.core.i18n.text import Text


@dataclass(frozen=True, kw_only=True, slots=True)
class Written:
    """A text that a player writes for others, who may report it by its kind and id, such as `message:4711`.

    Moderators read its `noun`. The column `author` is the player; one that is also the key has one text, one
    that is part of the key one for each id. For columns that others write, too, `authors` has the column with
    who wrote each as it is, null for the `author`. Removing it, and erasing its author, sets the columns in
    `empty`, of which those that are not null are the text, and increments the version of a row that has one.
    An account may read it if it is `readable`, a condition of the columns. `page` is the path of its page,
    with `{}` for the id, `page_of_moderators` that of one for them. An id that is no number matches `form`.
    `removed` makes of its row the events by which open pages learn that it was removed.
    """

    kind: str
    noun: Text
    author: str = "account_id"
    authors: Mapping[str, str] = field(default_factory=dict)
    empty: Mapping[str, Any]
    readable: Callable[[Any, int], ColumnElement[bool]] = lambda _columns, _account_id: true()
    form: str = ids.PATTERN
    page: str | None = None
    page_of_moderators: str | None = None
    removed: Callable[[Any], Sequence[Event]] = lambda _row: ()
