"""Which rows of a table belong to an account, as each table that refers to accounts declares it.

A test fails if one does not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

OWN = ("account_id",)
"""The usual column that says whose row it is."""

KEEP: Mapping[str, Any] = MappingProxyType({})
"""Erasing leaves the rows but for the text in `__written__`: they name nobody, and others need them."""


class Handover(StrEnum):
    """How the rows of a guest come along to the account that the guest logs in to."""

    CHOSEN = "chosen"  # each of them, if the account may have it
    WITH_GAMES = "with_games"  # all but those of games that stay with the guest
    UNLESS_KNOWN = "unless_known"  # as WITH_GAMES, but what the account has as well stays with the guest
    ONCE = "once"  # as WITH_GAMES, but of what the account has as well only one is kept
    STAY = "stay"  # guests have none, or they are about the guest


@dataclass(frozen=True, slots=True)
class Personal:
    """The rows of a table in which one of the columns `owners` is the account.

    Erasing sets the columns in `erased`, or deletes the rows if that is None. What stays loses the text that
    the account has written in it (`app.core.database.written`). An export has those rows in which one of
    `exported_by` is the account (None: one of `owners`), without the columns `secret`.
    """

    owners: Sequence[str]
    erased: Mapping[str, Any] | None = None
    exported_by: Sequence[str] | None = None
    secret: Sequence[str] = field(default=())
    handover: Handover = Handover.STAY
