"""The values that pages about games show: built by the presenter, drawn by the templates."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from markupsafe import Markup

from app.core.i18n.text import NO_TEXT, Text, _
from app.core.web.filters import side_name
from app.core.web.steps import Step, steps
from engine.registry import FOR_TWO

SPECTATOR = "spectator"
"""The role of those who only watch a game."""

WATCH_FILTERS: Sequence[tuple[str, str, Sequence[tuple[str, str]]]] = (
    ("game", _("Game"), (("", _("All games")), *((key, rules.title) for key, rules in FOR_TWO.items()))),
    ("rated", _("Rated"), (("", _("Rated or casual")), ("yes", _("Rated")), ("no", _("Casual")))),
    ("players", _("Players"), (("", _("People and computers")), ("people", _("Only people")))),
)
"""The selects that filter the games in progress: name, label, pairs of value and text."""

_STEPS = (_("First position"), _("One move back"), _("One move on"), _("Last position"))


def steps_of(ply: int, last_ply: int) -> tuple[Step, ...]:
    """Return the steps from a ply of a game to others."""
    return steps(ply, last_ply, _STEPS)


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why a square is closed to the side to move, and the squares to point at."""

    square: str  # "d10"
    text: Text  # "d10: your strength 0, Black's 2: you need at least 2."
    own: tuple[str, ...] = ()  # whose stacks give the side to move strength, or the last number
    opposing: tuple[str, ...] = ()
    rules_path: str = ""  # of the rules about strength, if that is the reason


@dataclass(frozen=True, slots=True)
class SeatClock:
    """A player's time. `deadline` is the moment, by the server's clock, at which a running clock runs out."""

    left: int  # milliseconds at the moment of drawing
    text: str  # "4:59"
    deadline: int | None  # milliseconds since the epoch; None while it is stopped
    low: int  # milliseconds below which it warns
    stop: tuple[int, int] | None = None  # the time in which it stands still next: not counted in `deadline`
    stopped_until: datetime | None = None  # while it stands still
    periods: tuple[int, int] | None = None  # of byo-yomi: how many at the start, milliseconds of each


@dataclass(frozen=True, slots=True)
class SeatView:
    """One side of a game as its player bar shows it."""

    side: str  # "black"
    username: str
    to_move: bool
    score: float
    score_note: Text  # "points", "incl. 1.5 komi"
    won: bool
    state: Text  # "Black, to move", "White, won", "solo"
    who: Markup  # the name, the mark, the rating and its change by this game
    clock: SeatClock | None
    vacation_until: datetime | None  # while the player is on vacation

    @property
    def classes(self) -> str:
        """Return the CSS classes of the bar."""
        marks = " seat-to-move" * self.to_move + " seat-won" * self.won
        return f"seat seat-{self.side}{marks}{' seat-timed' if self.clock else ''}"


class MoveKind(StrEnum):
    """Kinds of moves that the move list tells apart."""

    PLAIN = ""
    HIJACK = "hijack"
    REINFORCEMENT = "reinforcement"


class MoveRow(NamedTuple):
    """One ply of the move list."""

    ply: int
    side: str
    text: str  # "e5", "pass"
    kind: MoveKind
    automatic: bool  # played by the server, since nothing else was legal
    spent: str  # how long the side thought, "0:07", or ""


@dataclass(frozen=True, slots=True)
class BoardAction:
    """A legal move that is not a square of the board, offered as a button that asks once more."""

    move: str  # "pass"
    label: Text  # "Pass"
    question: Text  # what the player is asked before it is sent


@dataclass(frozen=True, slots=True)
class Ending:
    """How a player may end a running game: a command, offered as a button that asks for confirmation."""

    step: str  # "resign"
    label: Text  # "Resign"
    question: Text
    confirm: Text  # the label of the button that does it


@dataclass(frozen=True, slots=True)
class Count:
    """The result of a game, as the page shows it."""

    headline: Text  # "You lost by 11.5 points (12.5 to 24)", "wren won: robin resigned"
    sides: tuple[str, ...]  # the colours, in other games the names of the players
    rows: Sequence[tuple[str, ...]]  # label, then a figure for each side
    rating: Text  # what the game made of the reader's rating, or empty


@dataclass(frozen=True, slots=True)
class TurnView:
    """The state of a game in words: whose turn it is, or how it ended."""

    terms: Text  # "Rated, 5+5"; in a solitaire game the board and the moves taken back
    text: Text  # "Your turn (Black)", "wren is to move", "The game is over"
    is_yours: bool
    note: Text  # what the next move must satisfy, or empty
    count: Count | None  # once the game is over
    paused_until: datetime | None
    true_until: int | None  # milliseconds since the epoch; unless something happens before
    first_move_by: int | None  # milliseconds since the epoch, while that has a limit of its own
    first_move_left: str  # "0:59" as it is drawn
    race_path: str  # "" unless the game is part of a race
    ladder_path: str  # "" unless the players play for a place on a ladder
    scores_path: str  # of the best scores, once a solitaire game is submitted; otherwise ""
    course_path: str  # of the lessons, for those who may need them; otherwise ""


@dataclass(frozen=True, slots=True)
class Again:
    """Another solitaire game on the same board, offered as a button."""

    label: Text
    game: str  # registry key
    size: int


@dataclass(frozen=True, slots=True)
class OfferView:
    """What the viewer may offer the opponent, or what one of them offers the other."""

    state: str  # "may ask", "may take" (no answer is needed), "asked", "asks" (the opponent does), or ""
    text: Text = NO_TEXT  # what is asked for, as a sentence, once somebody asks
    takeback_to: int | None = None  # the ply to which a takeback leads


NO_OFFER = OfferView("")


@dataclass(frozen=True, slots=True)
class ActionsView:
    """What a viewer may do in a game beside playing on a square."""

    path: str  # of the game, "/games/k7m2wq9xab"
    moves: tuple[BoardAction, ...]
    ending: Ending | None
    takeback: OfferView
    pause: OfferView
    is_paused: bool
    can_rematch: bool
    undo_to: int | None  # the ply before the last move of a solitaire game, if that may be taken back
    version_to_submit: int | None  # of a solitaire game, as a best score
    day_path: str  # of the board of the day that the game is played on; otherwise ""
    can_ask_hint: bool  # in a casual game against a computer
    is_over: bool
    again: Again | None
    analysis_path: str  # once the game is over; otherwise ""
    can_review: bool
    can_share_board: bool
    opponent: str  # whom the viewer may report, or ""
    conditions_path: str  # of the viewer's conditional moves; "" where there are none
    tournament_path: str  # "" for a game outside tournaments


@dataclass(frozen=True, slots=True)
class HintView:
    """A good move at a version of a game."""

    move: str
    text: Text
    version: int


@dataclass(frozen=True, slots=True)
class LiveView:
    """What changes of a game on the page of one role (a side, or a spectator), beside the board."""

    version: int  # grows with every change; older pushes are dropped by it
    ply: int
    status: str  # "started", "finished", "aborted"
    move_id: str  # for the next move of the page, the same in each copy of it
    turn: TurnView
    actions: ActionsView


@dataclass(frozen=True, slots=True)
class GameView:
    """What stays the same of a game on the page of one role (a side, or a spectator)."""

    id: str
    title: str  # "JadeJack"
    board_text: Text  # "9×9"
    role: str  # a side, such as "black", or "spectator"
    players: tuple[tuple[str, str], ...]  # side and name, in order of play
    key: str  # registry key of the game
    switches: Sequence[tuple[str, Text]]  # what may be shown or hidden on the board: id and label
    legend: Sequence[tuple[Markup, str]]  # what the marks on the board mean: a square and a sentence
    first_steps: Sequence[Text]
    pauses_when_hidden: bool  # whether hidden tabs may close their connections: nobody waits
    shows_attendance: bool  # whether it will be told who is present

    @property
    def bottom(self) -> str:
        """Return the side whose player is shown below the board: the viewer's, or the first."""
        return self.players[0][0] if self.role == SPECTATOR else self.role

    @property
    def players_text(self) -> Text:
        """Return the players' names: "wren and robin"."""
        return _("%(players)s", players=tuple(name for _side, name in self.players))

    @property
    def headline(self) -> Text:
        """Return the game in a line: "JadeJack 9×9: wren (Black) and robin (White)"."""
        players = self.players_with_sides
        return _("%(game)s %(board)s: %(players)s", game=self.title, board=self.board_text, players=players)

    @property
    def players_with_sides(self) -> tuple[str, ...]:
        """Return the players' names with their sides, such as "wren (Black)"; without in a solitaire game."""
        if self.is_solitaire:
            return tuple(name for _side, name in self.players)
        return tuple(
            _("%(player)s (%(side)s)", player=name, side=side_name(side)) for side, name in self.players
        )

    @property
    def is_solitaire(self) -> bool:
        """Return whether the game has one player."""
        return len(self.players) == 1


@dataclass(frozen=True, slots=True)
class AttendanceView:
    """Who is at a game, as one role sees it."""

    sides: tuple[str, ...]  # whose players are there
    here: tuple[str, ...]  # the names of opponents who look at it
    away: tuple[str, ...]  # the names of players who do not
    watching: int
    claim_at: int | None  # milliseconds since the epoch, when the viewer may claim the win; None: not at all
    claim_aborts: bool  # the game is aborted instead of won until both sides have moved
    left: Text  # who has left


@dataclass(frozen=True, slots=True)
class MiniView:
    """A game as a small board among others."""

    id: str
    title: Text  # "JadeJack 9×9"
    names: tuple[tuple[str, str, str, float], ...]  # side, username, rating or mark, score
    terms: Text  # "Rated, 5+5"
    state: Text  # "move 12", "Black wins on time"
    board: Markup


@dataclass(frozen=True, slots=True)
class ReplayView:
    """A past ply of a game, shown in place of the live board until the reader returns to that."""

    path: str  # of its steps, "/games/k7m2wq9xab"; "" when they have none
    ply: int
    last_ply: int
    text: Text  # "Move 12 of 40: White e5"
    scores: tuple[tuple[str, float], ...]  # ("black", 14), ("white", 15.5)
    board: Markup
    end_label: Text  # of the link to the last ply: "The end"
    analysis_path: str = ""  # of the position, once the game is over

    @property
    def steps(self) -> tuple[Step, ...]:
        """Return the steps to other plies."""
        return steps_of(self.ply, self.last_ply)
