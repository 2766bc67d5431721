"""Game records as text: headers in brackets, then the moves (docs/game-record.md)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine import replay
from engine.game import Game, with_defaults
from engine.registry import FOR_TWO, GAMES, SOLITAIRE, rules_for

MAX_BYTES = 64 * 1024
MAX_PLIES = 5_000
_MAX_HEADERS = 50

_HEADER = re.compile(r'\[([A-Za-z]{1,32}) "((?:[^"\\]|\\.)*)"\]')
_OPTION = re.compile(r"([a-z_]{1,32})=(\d{1,6})")
_NUMBER = re.compile(r"\d+\.")


class RecordError(ValueError):
    """A record is invalid. `ply` is that of the move at fault, counted from 1, or None.

    `reason` is a stable snake_case code; the message is a sentence for people.
    """

    def __init__(self, reason: str, message: str, *, ply: int | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.ply = ply


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game: its key, options and moves, the number of players, and all other headers of the record."""

    game: str
    options: Mapping[str, int]
    moves: Sequence[str]
    headers: Mapping[str, str] = field(default_factory=dict)
    players: int = 2

    @property
    def rules(self) -> Game[Any]:
        """Return the rules of the game."""
        return rules_for(self.game, self.players)

    def positions(self) -> list[Any]:
        """Return the starting position and the position after each ply.

        Raise RecordError at the first move that cannot be played.
        """
        try:
            return list(replay.positions(self.rules, self.options, self.moves))
        except replay.ReplayError as error:
            raise RecordError(error.reason, str(error), ply=error.ply) from error


def to_text(record: GameRecord) -> str:
    """Return a record as text that `parse` accepts."""
    options = " ".join(f"{name}={value}" for name, value in record.options.items())
    headers = {"Game": record.game, "Players": str(record.players), "Options": options, **record.headers}
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in headers.items()]
    sides = len(record.rules.sides)
    rows = [record.moves[first : first + sides] for first in range(0, len(record.moves), sides)]
    return "\n".join([*lines, "", *(f"{number}. {' '.join(row)}" for number, row in enumerate(rows, 1)), ""])


def parse(text: str) -> GameRecord:
    """Return the record that a text describes. Raise RecordError.

    The moves are not checked against the rules; `GameRecord.positions` does that.
    """
    if len(text.encode(errors="replace")) > MAX_BYTES:
        raise RecordError("too_large", f"A record has {MAX_BYTES // 1024} KiB at most.")
    headers: dict[str, str] = {}
    moves: list[str] = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("["):
            header = _HEADER.fullmatch(stripped)
            if header is None or moves or len(headers) >= _MAX_HEADERS:
                raise RecordError(
                    "bad_header", f'Line {number} is not a header like [Game "jadejack"] before the moves.'
                )
            headers[header[1]] = re.sub(r"\\(.)", r"\1", header[2])
        elif not stripped.startswith(";"):
            moves += (word for word in stripped.split() if not _NUMBER.fullmatch(word))
    if len(moves) > MAX_PLIES:
        raise RecordError("too_long", f"A record has {MAX_PLIES} plies at most.")
    game = headers.pop("Game", "")
    if game not in GAMES:
        raise RecordError(
            "unknown_game", f'The header Game names one of {", ".join(GAMES)}, as [Game "jadejack"].'
        )
    players = _players(game, headers.pop("Players", None))
    options = _options(rules_for(game, players), headers.pop("Options", ""))
    return GameRecord(game, options, moves, headers, players)


def _players(game: str, text: str | None) -> int:
    allowed = [str(players) for players, games in ((2, FOR_TWO), (1, SOLITAIRE)) if game in games]
    if text is None:
        return int(allowed[0])
    if text not in allowed:
        raise RecordError(
            "bad_players", f'This game is for {" or ".join(allowed)}, as [Players "{allowed[0]}"].'
        )
    return int(text)


def _options(rules: Game[Any], text: str) -> dict[str, int]:
    settings = [_OPTION.fullmatch(word) for word in text.split()]
    if not all(settings):
        raise RecordError("bad_options", 'The header Options is written as [Options "size=9"].')
    try:
        return with_defaults(rules.options, {match[1]: int(match[2]) for match in settings if match})
    except ValueError as error:
        raise RecordError("bad_options", str(error)) from None


def _escaped(value: str) -> str:
    return re.sub(r'(["\\])', r"\\\1", re.sub(r"\s", " ", value))
