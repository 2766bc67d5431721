"""What the pages of the analysis board and of studies show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from app.core.i18n.text import Text, _
from app.core.web.steps import Step
from app.learn.studies.queries import Visibility
from app.play.games.views import BoardAction

VISIBILITIES: Sequence[tuple[Visibility, Text]] = (
    (Visibility.PRIVATE, _("Only you")),
    (Visibility.LINK, _("Everybody with the link")),
    (Visibility.PUBLIC, _("Everybody, in the list of studies")),
)
"""Who may see a study, as its author chooses."""

SYMBOLS: Sequence[tuple[str, Text]] = (
    ("", _("no symbol")),
    ("!", _("! good")),
    ("?", _("? mistake")),
    ("!!", _("!! brilliant")),
    ("??", _("?? blunder")),
    ("!?", _("!? interesting")),
    ("?!", _("?! doubtful")),
)
"""The symbols of moves, as a select shows them."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the tree: a move (with its key), a comment, or a bracket of a variation.

    `number` is the ply before a move of the main line or at the beginning of a variation, or None.
    """

    kind: str  # "move", "comment", "open", "close"
    text: str = ""
    key: str = ""
    number: int | None = None
    is_shown: bool = False
    is_main: bool = False


@dataclass(frozen=True, slots=True)
class EvaluationView:
    """The computer's view of a position: the bar, the headline, and the best moves."""

    bar: tuple[str, str, int]
    headline: Text
    depth: int
    thoughts: Sequence[tuple[str, str, str]]  # move, points, what is expected after it
    arrows: Markup


@dataclass(frozen=True, slots=True)
class Forms:
    """Where the forms of a board are sent.

    Each is a method and an address. `edit` takes the values of an `EditForm` beside `fields`, `go` takes `at`
    beside `go_fields`.
    """

    edit: tuple[str, str]
    go: tuple[str, str]
    fields: Mapping[str, str]
    go_fields: Mapping[str, str]
    evaluation: str
    may_annotate: bool
    may_comment: bool


@dataclass(frozen=True, slots=True)
class AnalysisView:
    """The board of a tree at one node."""

    game: str
    title: str
    board_text: Text
    board: Markup
    actions: Sequence[BoardAction]
    note: Text
    to_move: Text | None
    scores: Sequence[tuple[str, float]]
    forms: Forms
    key: str
    move: str  # the move that led here, "" at the start
    symbol: str
    comment: str
    steps: Sequence[tuple[Step, str | None]]  # with the key of its target
    beside: Sequence[tuple[str, Text, str]]  # the variations before and after: a name, a label, the key
    words: Sequence[Word]
    turning_points: Sequence[tuple[int, str, float, str]]  # ply, move, points lost, key of the node before
    fields: Mapping[str, str]  # what an address or a form needs to open the tree here
    can_evaluate: bool
    position: str  # as a position string
    link: str
    record: str


@dataclass(frozen=True, slots=True)
class StudyView:
    """A study beside its board."""

    id: str
    path: str
    title: str
    author: str
    visibility: Visibility
    is_own: bool
    is_shared: bool
    live_path: str | None  # of the connection that shows its players what changes after this version
    game_path: str | None


@dataclass(frozen=True, slots=True)
class StudyRowView:
    """A study in a list."""

    path: str
    title: str
    author: str
    game: str
    visibility: Visibility
    updated_at: datetime
