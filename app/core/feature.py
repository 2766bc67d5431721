"""What a feature adds to the server. Each wing lists its features in `features.py`."""

import importlib
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from pkgutil import iter_modules

from fastapi import APIRouter
from sqlalchemy import ColumnElement

from app.core.settings import Settings
from app.core.web.channels import MessageChannel

LONG = 3_600.0
"""Seconds that a run may take which sends or writes all there is."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """A function and when to run it: a cron expression, with seconds as its sixth field if it has one.

    A run that has not ended `within` so many seconds is cancelled. The function is run only if it `has_work`:
    a condition in SQL that is cheap to decide, None if there always is something to do.
    """

    name: str
    cron: str
    function: Callable[..., Awaitable[object]]
    only_if: Callable[[Settings], bool] = lambda _settings: True
    within: float = 600.0
    has_work: ColumnElement[bool] | None = None


@dataclass(frozen=True)
class Feature:
    """A package with a feature: its routes, which are in its files of these names, and its work.

    Functions and methods are given the parts that their annotations name, see `app.core.parts`.
    """

    package: str
    _: KW_ONLY

    channels: Sequence[MessageChannel] = ()
    """The sockets and streams of programs, with their messages."""

    on_start: Sequence[Callable[..., Awaitable[object]]] = ()
    """What prepares a web process before it serves; tried again while PostgreSQL is away."""

    tasks: Mapping[str, Callable[..., Awaitable[None]]] = field(default_factory=dict)
    """What each web process keeps running, by a name for the log."""

    schedules: Sequence[Schedule] = ()
    """What the web processes do at fixed times, each time in one of them."""

    stands_for: Mapping[type, type] = field(default_factory=dict)
    """Its classes by the protocols of other features for which they stand."""

    def routers(self, role: str) -> Iterator[APIRouter]:
        """Yield the routers that its files of a role make: `live` (websockets of pages), `api` or `pages`."""
        path = importlib.import_module(self.package).__path__
        for name in (module.name for module in iter_modules(path)):
            if name == role or name.endswith(f"_{role}"):
                members = vars(importlib.import_module(f"{self.package}.{name}")).values()
                yield from (member for member in members if isinstance(member, APIRouter))
