"""What the boards of all games have in common: their interface, and their frame, as HTML and as a picture."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Literal

from markupsafe import Markup, escape

from app.core.i18n.languages import current
from app.core.i18n.text import NO_TEXT, Text, _
from app.play.games.boards.film import Film, Part, film, longest_film
from app.play.games.views import BoardAction, MoveKind, Obstacle
from engine import squares
from engine.game import Game, IllegalMove
from engine.game_record import GameRecord
from engine.search.player import Choice

_SPACE = "\N{NO-BREAK SPACE}"
_SQUARE, _EDGE = 40, 24  # of a picture

Theme = Literal["system", "light", "dark"]
"""The colours of a picture; "system" are those that its reader prefers."""

_NIGHT = (
    'rect[fill="#7c5830"]{fill:#3a291a}rect[fill="#dfc493"]{fill:#7d5f40}path[stroke="#a98350"]{stroke:#4f3923}'
    'text[fill="#2b221d"]{fill:#f4e3c4}text[fill="#8a2f0a"]{fill:#ffc49a}path[stroke="#8a4525"]{stroke:#ffc49a}'
    'rect[fill="#faf4e6"]{fill:#d9cdb8}circle{fill:#2b2425}circle,ellipse[stroke="#8a2f1c"]{stroke:#ffc49a}'
)


@dataclass(frozen=True, slots=True)
class Outlook:
    """Where the computer expects territory.

    `territory` has the part of a point that each square is expected to bring the first side (negative: the
    second). `words` say it, and `changes` what a move wins and gives up for its side.
    """

    territory: Sequence[float]
    words: Sequence[Text]
    changes: Mapping[str, Sequence[Text]]


class Board(ABC):
    """What pages need to know of a game beyond its rules."""

    summary: ClassVar[Text]
    """How many may play the game, and what they do, for the list of rules; the same for one and for two."""

    first_steps: ClassVar[Sequence[Text]] = ()
    """What to say beside the board before the first moves in a player's first game, one for each of them."""

    switches: ClassVar[Sequence[tuple[str, Text]]]
    """What a viewer may show or hide on the board: the id that style sheets use, and a label."""

    has_territory: ClassVar[bool] = False
    """Whether `outlook` says where territory is expected."""

    examples: ClassVar[Mapping[str, tuple[str, bool, bool]]]
    """The boards of the rules page, by the names under which it places them.

    Each has a position string, and whether to mark the squares where one may play, and the territory.
    """

    sample: ClassVar[GameRecord]
    """A game that shows what the game looks like."""

    def __init__(self, rules: Game[Any]) -> None:
        self._rules = rules

    def size_text(self, options: Mapping[str, int]) -> Text:
        """Return how large the board is: "9×9"."""
        return _size_text(options["size"])

    def option_text(self, name: str, value: int) -> str:  # noqa: ARG002 - in games whose options differ
        """Return a value of an option other than the size."""
        return str(value)

    @abstractmethod
    def draw(
        self,
        position: Any,
        *,
        last_move: str | None = None,
        playable: bool = False,
        finished: bool = False,
        live: bool = False,
        over: str = "",
    ) -> Markup:
        """Draw a position.

        `playable`: mark the squares where the side to move may play. `finished`: mark the territory. `live`:
        the board of the game page, an ARIA grid with element ids whose playable squares have submit buttons
        named `move`; otherwise a picture of a position, an ARIA table. `over`: what is drawn over squares.
        """

    @abstractmethod
    def ghost(self, position: Any, move: str, label: str) -> str:
        """Draw a move to a square as it would be, in a square of 40 units, with its number in a line: "1"."""

    def outlook(self, position: Any, choice: Choice) -> Outlook | None:  # noqa: ARG002 - few have territory
        """Return where the computer that made a choice expects territory, or None in a game without it."""
        return None

    @abstractmethod
    def picture(self, position: Any, last_move: str | None) -> str:
        """Draw a position as an SVG document of its own."""

    @abstractmethod
    def film_parts(self, record: GameRecord) -> Iterable[Part]:
        """Return what is seen in the course of a game, ply by ply."""

    def film(self) -> str:
        """Return the sample game as an SVG document that plays by itself, over and over."""
        return self._filmed(self.sample, film(self._parts_of(self.sample)), "system")

    def film_of(self, record: GameRecord, theme: Theme) -> tuple[str, Film]:
        """Return a game as such a document, of as many of its last plies as fit, and what it shows."""
        made = longest_film(self._parts_of(record))
        return self._filmed(record, made, theme), made

    def _parts_of(self, record: GameRecord) -> list[Part]:
        return [Part("", len(record.moves)), *self.film_parts(record)]

    def _filmed(self, record: GameRecord, made: Film, theme: Theme) -> str:
        return by_night(framed_picture(self._rules.title, record.options["size"], [made.drawn]), theme)

    def still(self) -> str:
        """Return the last position of the sample game as an SVG document."""
        return by_night(self.picture(self.sample.positions()[-1], self.sample.moves[-1]))

    def actions(self, position: Any) -> Sequence[BoardAction]:  # noqa: ARG002 - there are only squares
        """Return the legal moves that are not squares of the board."""
        return ()

    @abstractmethod
    def note(self, position: Any) -> Text:
        """Return in words what the board cannot show about the next move, or an empty text."""

    @abstractmethod
    def obstacle(self, position: Any, square: str, error: IllegalMove, *, is_yours: bool) -> Obstacle:
        """Return in words why a square is closed to the side to move; `is_yours`: which is the reader's."""

    def score_note(self, position: Any, side: str) -> Text:  # noqa: ARG002 - points need no remark
        """Return a remark on a side's score ("incl. 1.5 komi"), or an empty text."""
        return NO_TEXT

    def kinds(self, position: Any, moves: Sequence[str]) -> list[MoveKind]:  # noqa: ARG002 - all are alike
        """Return the kind of each of the last moves that led to a position."""
        return [MoveKind.PLAIN] * len(moves)

    def describe(self, move: str, side: str, kind: MoveKind, *, automatic: bool) -> Text:  # noqa: ARG002 - all are alike
        """Return a move in words: "White passes", "Black hijacks e5", "e5"."""
        return Text(move)

    @abstractmethod
    def legend(self) -> Sequence[tuple[Markup, str]]:
        """Return what the marks on the board mean: a square that has one, and a sentence."""

    def figures(self) -> Mapping[str, Markup]:
        """Return the drawn `examples`, by their names."""
        return {
            name: self.draw(self._rules.parse(position), playable=playable, finished=finished)
            for name, (position, playable, finished) in self.examples.items()
        }

    @abstractmethod
    def count_rows(self, position: Any) -> Sequence[tuple[str, ...]]:
        """Return what the final scores consist of, row by row: label, then a figure for each side."""


@cache
def _size_text(size: int) -> Text:
    return Text(f"{size}×{size}")


def framed(cells: Sequence[str], size: int, *, live: bool, filled: int, over: str) -> Markup:
    """Return a board of drawn squares, which come row by row from the bottom left.

    A live board is an ARIA grid, any other an ARIA table; in text browsers a row is a line. `filled` is how
    many disks or numbers are on it, by which scripts recognise a move. `over` is drawn over the squares.
    """
    start, end = _frame(size, live, current())
    parts = [f'<div class="board board-n{size}" data-filled="{filled}">', start]
    for row in range(size, 0, -1):
        parts.append('<div role="row" class="board-row">')
        parts += cells[(row - 1) * size : row * size]
        parts.append(f'<span class="board-number" aria-hidden="true"> {row}</span></div>')
    return Markup("".join((*parts, "</div>", over, end)))  # noqa: S704 - our own strings


@cache
def place(name: str, *, is_live: bool) -> str:
    """Return the attributes of a square by its name; a sample in a legend has no name and is no cell."""
    if is_live:
        return f' role="gridcell" id="sq-{name}"'
    return ' role="cell"' if name else ""


def said(words: str, sign: str) -> str:
    """Return what is on a square in words, for screen readers, and as a sign, for text browsers."""
    return f'<span class="sq-say" role="img" aria-label="{words}">{sign.center(3, _SPACE)}</span>'


def may(words: str) -> str:
    """Return in words, which follow those on the square, that it is open to the side to move."""
    return f'<span class="sq-may" role="img" aria-label="{words}"></span>'


@cache
def _frame(size: int, live: bool, _language: str) -> tuple[str, str]:
    """Return the HTML before the first row's squares and after the last row's."""
    letters = "".join(f"<span>{letter.center(3, _SPACE)}</span>" for letter in squares.COLUMNS[:size])
    role = "grid" if live else "table"
    label = escape(_("Board of %(size)s by %(size)s", size=size))
    start = f'<div class="board-frame"><div class="board-squares" role="{role}" aria-label="{label}">'
    return start, f'<div class="board-letters" aria-hidden="true">{letters}</div></div></div>'


def framed_picture(title: str, size: int, inside: Iterable[str]) -> str:
    """Return an SVG document of a board whose squares are 40 wide, with its pieces."""
    side = size * _SQUARE
    whole = side + 2 * _EDGE
    lines = "".join(
        f"M{_EDGE + at} {_EDGE}v{side}M{_EDGE} {_EDGE + at}h{side}" for at in range(0, side + 1, _SQUARE)
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}" font-family="serif">',
        f"<title>{escape(title)} {size}×{size}</title>",
        f'<rect width="{whole}" height="{whole}" fill="#7c5830"/>',
        f'<rect x="{_EDGE}" y="{_EDGE}" width="{side}" height="{side}" fill="#dfc493"/>',
        f'<path d="{lines}" stroke="#a98350" fill="none"/>',
    ]
    for place in range(size):
        middle = _EDGE + place * _SQUARE + _SQUARE / 2
        style = 'fill="#fbeed6" font-size="13" text-anchor="middle"'
        parts.append(f'<text x="{middle}" y="{whole - 8}" {style}>{squares.COLUMNS[place]}</text>')
        parts.append(f'<text x="{_EDGE / 2}" y="{middle + 4}" {style}>{size - place}</text>')
    return "".join([*parts, *inside, "</svg>"])


def by_night(picture: str, theme: Theme = "system") -> str:
    """Return a picture of this module in a theme: that of its reader, light, or the colours of the night."""
    styles = {
        "system": f"<style>@media (prefers-color-scheme:dark){{{_NIGHT}}}</style>",
        "light": "",
        "dark": f"<style>{_NIGHT}</style>",
    }
    return picture.replace("</svg>", f"{styles[theme]}</svg>")


def middle_of(square: int, size: int) -> tuple[float, float]:
    """Return the middle of a square, an index as in `squares.names`, in the units of the image."""
    row, column = divmod(square, size)
    return _EDGE + (column + 0.5) * _SQUARE, _EDGE + (size - row - 0.5) * _SQUARE
