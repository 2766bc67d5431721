"""What a check of a server finds."""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How bad a finding is."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """The outcome of one check; `advice` says what to do unless all is well."""

    check: str
    level: Level
    detail: str
    advice: str = ""
