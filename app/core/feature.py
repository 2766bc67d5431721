"""What a feature consists of besides its code: its `feature.py` says it, and the server collects it."""

import importlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from fastapi import APIRouter

from app.core.settings import ROOT, Settings
from app.core.web.channels import MessageChannel


def import_all(stem: str) -> None:
    """Import the files of a name of all features."""
    for path in sorted(ROOT.glob(f"app/**/{stem}.py")):
        importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


@dataclass(frozen=True, slots=True)
class Schedule:
    """A function and when to run it: a cron expression, with seconds as its sixth field if it has one."""

    name: str
    cron: str
    function: Callable[..., Awaitable[object]]
    only_if: Callable[[Settings], bool] = lambda _settings: True


@dataclass(frozen=True, kw_only=True)
class Feature:
    """The routes and the work of a feature, which `app.server.features` lists.

    Functions and methods are given the parts that their annotations name, see `app.core.parts`.
    """

    live: Sequence[APIRouter] = ()
    """The websockets of its pages."""

    api: Sequence[APIRouter] = ()
    pages: Sequence[APIRouter] = ()

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
