"""The rows of dumps, and dumps in the JSON API."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from app.core.web.shown import Shown, example


class _Row(BaseModel):
    """The base of rows: their schema is a part of each dump."""

    model_config = ConfigDict(extra="forbid", strict=True)


_Name = Annotated[str | None, Field(description="The player's name, null for a guest or a closed account")]
_Moment = Annotated[datetime, Field(description="In UTC")]
_GameKey = Annotated[str, Field(description="The key of the game, such as jadejack")]


class PlayerRow(_Row):
    """A player with a public name."""

    username: str
    is_computer: bool


class GameRow(_Row):
    """A game that is over, in the order of its end. Lists of players are in the order of the sides."""

    id: str
    game: _GameKey
    options: dict[str, int]
    seats: Annotated[int, Field(description="1 for a solitaire, 2 for a game for two")]
    first: _Name
    second: _Name
    rated: bool
    time_control: dict[str, Any] | None
    ratings: Annotated[list[float], Field(description="As the game began, empty if it had none")]
    deviations: Annotated[list[float], Field(description="Of the ratings")]
    winner_seat: Annotated[int | None, Field(description="0 or 1: the winner's place, null without one")]
    termination: Annotated[str, Field(description="Why it ended, such as passes, resign or time")]
    first_ply: Annotated[int, Field(description="How many moves led to the position in which it began")]
    undos: Annotated[int, Field(description="Moves taken back in a solitaire")]
    moves: list[str]
    spent: Annotated[list[int | None], Field(description="Milliseconds of each move, null without a clock")]
    created_at: _Moment
    ended_at: _Moment
    rated_at: Annotated[
        _Moment | None, Field(description="When it changed the players' ratings, null if it changed none")
    ] = None
    helped: Annotated[
        bool,
        Field(description="Whether there was a takeback, a hint of the computer or a warning of its coach"),
    ] = False


class ScoreRow(_Row):
    """The score of a submitted solitaire game. Of equal points, the smaller tie-break is better."""

    game_id: str
    username: _Name
    game: _GameKey
    size: int
    points: int
    tie_break: int
    undos: int
    is_best: Annotated[bool, Field(description="Whether it is the player's best at that game and size")]
    submitted_at: _Moment


class EntryRow(_Row):
    """A published record of Golden Nugget."""

    id: str
    username: _Name
    counts: Annotated[list[int], Field(description="The moves on each board")]
    record: Annotated[str, Field(description="The moves themselves, as a record file")]
    record_sha256: str
    assisted: Annotated[bool, Field(description="Whether the computer helped")]
    common: Annotated[bool, Field(description="Whether enough of its boards come from other players")]
    submitted_at: _Moment
    revealed_at: Annotated[
        _Moment | None, Field(description="When the record was revealed, if its player had committed to it")
    ] = None
    published_at: _Moment


class LinkRow(_Row):
    """A link of the public ledger of Golden Nugget."""

    sequence: int
    entry: Annotated[str | None, Field(description="The id of the entry; none for a commitment")]
    hash: str
    line: Annotated[str, Field(description="The link as `gorrion verify-ledger` reads it")]


class PuzzleRow(_Row):
    """A puzzle with its rating."""

    id: str
    game: _GameKey
    position: str
    solution: list[str]
    themes: list[str]
    rating: float
    deviation: float
    volatility: float
    attempts: int
    solved: int
    game_id: Annotated[str | None, Field(description="The game of the dump in which the position occurred")]
    ply: int | None
    created_at: _Moment


class DumpedFile(Shown):
    """A file of a dump, compressed by zstd, with its size in bytes and its SHA-256."""

    name: Annotated[str, example("games.jsonl.zst")]
    bytes: Annotated[int, example(48213)]
    sha256: Annotated[str, example("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    url: Annotated[str, example("/api/v1/dumps/2026-11-27/games.jsonl.zst")]


class DumpedSheet(Shown):
    """A kind of rows of a dump, with the files that have them: JSON lines and CSV."""

    name: Annotated[str, example("games")]
    rows: Annotated[int, example(1204)]
    files: Sequence[DumpedFile]


class NightlyDump(Shown):
    """The dump of a day; its manifest has the JSON Schema of each sheet."""

    day: Annotated[date, example("2026-11-27")]
    licence: Annotated[str, example("CC0-1.0")]
    manifest: Annotated[str, example("/api/v1/dumps/2026-11-27/manifest.json")]
    checksums: Annotated[str, example("/api/v1/dumps/2026-11-27/SHA256SUMS")]
    sheets: Sequence[DumpedSheet]


class NightlyDumps(Shown):
    """The dumps of the last nights, the latest first."""

    dumps: Sequence[NightlyDump]
