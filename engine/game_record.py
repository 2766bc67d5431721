"""Game records as text: headers in brackets, then the moves, also with variations (docs/game-record.md)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine import replay, variations
from engine.game import ExplainedError, Game, MoveSyntaxError, with_defaults
from engine.registry import FOR_TWO, GAMES, SOLITAIRE, rules_for
from engine.variations import Tree, VariationsError, joined

MAX_BYTES = 256 * 1024
"""More than any export has: a game or a study with all of its numbers and headers, and a chat as comments."""

MAX_PLIES = 5_000
_MAX_HEADERS = 50
_WHY = "%(why)s"  # the sentence of another error

_HEADER = re.compile(r'\[([A-Za-z]{1,32}) "((?:[^"\\]|\\.)*)"\]')
_BRACE = re.compile(r"\\.|([{}])")  # "" for what is escaped
_OPTION = re.compile(r"([a-z_]{1,32})=(-?\d{1,6})")


class RecordError(ExplainedError):
    """A record is invalid. `ply` is that of the move at fault, counted from 1, or None.

    `reason` is a stable snake_case code; the message is a sentence for people.
    """

    def __init__(self, reason: str, message: str, *, ply: int | None = None, **figures: Any) -> None:
        super().__init__(message, **figures)
        self.reason = reason
        self.ply = ply


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game: its key, options and moves, the number of players, and all other headers of the record.

    `position` is the position string from which the moves are played, "" for the start of the game.
    """

    game: str
    options: Mapping[str, int]
    tree: Tree
    headers: Mapping[str, str] = field(default_factory=dict)
    players: int = 2
    position: str = ""

    @property
    def rules(self) -> Game[Any]:
        """Return the rules of the game."""
        return rules_for(self.game, self.players)

    @property
    def moves(self) -> list[str]:
        """Return the moves that were played: the main line."""
        return self.tree.moves

    @property
    def start(self) -> Any:
        """Return the position before the first move."""
        return self.rules.parse(self.position) if self.position else self.rules.initial(self.options)

    def positions(self) -> list[Any]:
        """Return the starting position and the position after each ply of the main line.

        Raise RecordError at the first move that cannot be played, also in a variation.
        """
        try:
            positions = self.tree.positions(self.rules, self.start)
        except replay.ReplayError as error:
            raise RecordError(error.reason, _WHY, ply=error.ply, why=error) from error
        return positions[: len(self.moves) + 1]


def to_text(record: GameRecord) -> str:
    """Return a record as text that `parse` accepts."""
    options = " ".join(f"{name}={value}" for name, value in record.options.items())
    headers = {"Game": record.game, "Players": str(record.players), "Options": options}
    if record.position:
        headers["Position"] = record.position
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in {**headers, **record.headers}.items()]
    return "\n".join([*lines, "", *_rows(record), ""])


def _rows(record: GameRecord) -> list[str]:
    """Return the moves, the main line in numbered rows of a move for each side."""
    tree, sides = record.tree, len(record.rules.sides)
    rows: list[list[str]] = [[]]
    for number, word in tree.words():
        is_move = number > 0 and not word.startswith("{")
        if is_move and tree.nodes[number].depth == number and (number - 1) % sides == 0:
            rows.append([f"{number}."])
        rows[-1].append(word)
    return [joined(row) for row in rows if row]


def parse(text: str) -> GameRecord:
    """Return the record that a text describes. Raise RecordError.

    The moves are not checked against the rules; `GameRecord.positions` does that.
    """
    if len(text.encode(errors="replace")) > MAX_BYTES:
        raise RecordError("too_large", "A record has %(most)s KiB at most.", most=MAX_BYTES // 1024)
    headers: dict[str, str] = {}
    rows: list[str] = []
    is_in_comment = False
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("[") and not is_in_comment:
            header = _HEADER.fullmatch(stripped)
            if header is None or rows or len(headers) >= _MAX_HEADERS:
                raise RecordError(
                    "bad_header",
                    'Line %(number)s is not a header like [Game "jadejack"] before the moves.',
                    number=number,
                )
            headers[header[1]] = _in_spaces(re.sub(r"\\(.)", r"\1", header[2]))
        elif stripped and (is_in_comment or not stripped.startswith(";")):
            rows.append(stripped)
            if braces := "".join(_BRACE.findall(stripped)):
                is_in_comment = braces[-1] == "{"
    game = headers.pop("Game", "")
    if game not in GAMES:
        raise RecordError(
            "unknown_game",
            'The header Game names one of %(games)s, as [Game "jadejack"].',
            games=", ".join(GAMES),
        )
    players = _players(game, headers.pop("Players", None))
    rules = rules_for(game, players)
    options = _options(rules, headers.pop("Options", ""))
    position = headers.pop("Position", "")
    if position:
        options = _options_of_position(rules, position)
    return GameRecord(game, options, _tree("\n".join(rows)), headers, players, position)


def _tree(text: str) -> Tree:
    try:
        tree = variations.parse(text)
    except VariationsError as error:
        raise RecordError("bad_variations", _WHY, why=error) from None
    if len(tree.nodes) > MAX_PLIES + 1:
        raise RecordError("too_long", "A record has %(most)s plies at most.", most=MAX_PLIES)
    return tree


def _options_of_position(rules: Game[Any], text: str) -> dict[str, int]:
    try:
        return dict(rules.options_of(rules.parse(text)))
    except MoveSyntaxError as error:
        raise RecordError("bad_position", _WHY, why=error) from None


def _players(game: str, text: str | None) -> int:
    allowed = [str(players) for players, games in ((2, FOR_TWO), (1, SOLITAIRE)) if game in games]
    if text is None:
        return int(allowed[0])
    if text not in allowed:
        raise RecordError(
            "bad_players",
            'The number of players is one of %(allowed)s here, as [Players "%(first)s"].',
            allowed=", ".join(allowed),
            first=allowed[0],
        )
    return int(text)


def _options(rules: Game[Any], text: str) -> dict[str, int]:
    settings = [_OPTION.fullmatch(word) for word in text.split()]
    if not all(settings):
        raise RecordError("bad_options", 'The header Options is written as [Options "size=9"].')
    try:
        return with_defaults(rules.options, {match[1]: int(match[2]) for match in settings if match})
    except ExplainedError as error:
        raise RecordError("bad_options", _WHY, why=error) from None


def _escaped(value: str) -> str:
    return re.sub(r'(["\\])', r"\\\1", _in_spaces(value))


def _in_spaces(value: str) -> str:
    """Return the value of a header with a space for each tab and line break."""
    return re.sub(r"\s", " ", value)
