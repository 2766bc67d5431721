"""What a page about a game shows, as plain values: made by the service, drawn by the templates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class SeatClock:
    """A player's time. `deadline` is the moment, by the server's clock, at which a running one is over."""

    left: int  # milliseconds at the moment of drawing
    text: str  # "4:59"
    deadline: int | None  # milliseconds since the epoch; None while it stands
    low: int  # milliseconds below which it warns


@dataclass(frozen=True, slots=True)
class SeatView:
    """One side of a game as its player bar shows it."""

    side: str  # "black"
    username: str
    mark: str  # "guest", "computer, level 4", or ""
    is_viewer: bool
    to_move: bool
    score: str  # "15.5"
    score_note: str  # "with 1.5 komi", or ""
    won: bool
    rating: str  # "1512", "1500?", or ""
    change: str  # what the game did to the rating: "+12", or ""
    clock: SeatClock | None


@dataclass(frozen=True, slots=True)
class MoveRow:
    """One ply of the move list."""

    ply: int
    side: str
    text: str  # "e5", "pass"
    automatic: bool  # played by the server, since nothing else was legal


@dataclass(frozen=True, slots=True)
class BoardAction:
    """A legal move that is not a square of the board, offered as a button that asks once more."""

    move: str  # "pass"
    label: str  # "Pass"
    question: str  # what the player is asked before it is sent


@dataclass(frozen=True, slots=True)
class Count:
    """The end of a game as the page tells it."""

    headline: str  # "White wins by 3.5 points", "Black wins by resignation"
    rows: Sequence[tuple[str, ...]]  # label, then a figure for each side


@dataclass(frozen=True, slots=True)
class GameView:
    """One game for one role (a side, or a spectator), at the current ply."""

    id: str
    game: str  # registry key, "jadejack"
    title: str  # "JadeJack"
    board_text: str  # "9×9"
    options: Mapping[str, int]
    status: str  # "started", "finished", "aborted"
    role: str  # a side, such as "black", or "spectator"
    version: int  # grows with every change; older pushes are dropped by it
    ply: int
    position: str
    move_id: str
    seats: tuple[SeatView, ...]  # in order of play
    bottom: str  # the side shown below the board: the viewer's, else the first
    your_turn: bool
    turn_text: str  # "Your turn (Black)", "Waiting for White", "The game is over"
    moves: tuple[MoveRow, ...]
    actions: Sequence[BoardAction]
    can_resign: bool
    can_abort: bool
    can_rematch: bool
    can_undo: bool  # the last move of a game for one
    can_submit: bool  # a game for one as an attempt at a record
    can_ask_hint: bool  # a casual game against a computer
    is_race: bool
    undos: int
    submitted: bool
    takeback: str  # "": not to be had, "may ask", "asked" by the viewer, "asks" the opponent
    rated: bool
    control: str  # "5+5", "no clock"
    note: str  # what the next move has to be like, or ""
    switches: Sequence[tuple[str, str]]  # what may be shown or hidden on the board: id and label
    count: Count | None
    board: Markup  # the grid with everything on it

    @property
    def analysis_path(self) -> str:
        """Give the address of the analysis board with the moves of the game."""
        query = {**self.options, "moves": ",".join(row.text for row in self.moves)}
        return f"/analysis/{self.game}?{urlencode(query, safe=',')}"

    @property
    def top(self) -> str | None:
        """Give the side shown above the board, None in a game for one."""
        return next((seat.side for seat in self.seats if seat.side != self.bottom), None)

    @property
    def is_solitaire(self) -> bool:
        """Tell whether the game is for one."""
        return len(self.seats) == 1


@dataclass(frozen=True, slots=True)
class AttendanceView:
    """Who is at a game, as one role sees it."""

    sides: tuple[str, ...]  # whose players are there
    away: tuple[str, ...]  # the names of players who are not
    watching: int
    claim_in: int | None  # seconds until the viewer may claim the win; None: not at all


@dataclass(frozen=True, slots=True)
class MiniView:
    """A game as a little board among others."""

    id: str
    title: str
    names: tuple[tuple[str, str, str, str], ...]  # side, username, rating or mark, score
    terms: str  # "rated, 5+5"
    state: str  # "ply 12", "Black wins on time"
    board: Markup


@dataclass(frozen=True, slots=True)
class ReplayView:
    """A past ply of a game, shown over the live board until the reader comes back to the present."""

    path: str  # of its steps, "/games/k7m2wq9xab"; "" when they have none
    ply: int
    last_ply: int
    text: str  # "Ply 12 of 40: White e5"
    scores: tuple[tuple[str, str], ...]  # ("black", "14"), ("white", "15.5")
    board: Markup


@dataclass(frozen=True, slots=True)
class GameCard:
    """One game in a list of somebody's games."""

    id: str
    title: str
    board: str  # "9×9"
    opponent: str  # "" in a game for one
    side: str
    status: str
    your_turn: bool
    ply: int
    updated_at: datetime
    control: str  # "5+5"
    rated: bool
    deadline: int | None  # milliseconds since the epoch
    result: str  # "won", "lost", "draw", "called off", "24 points", or "" while it goes on
    change: str | None  # of the rating: "+12"
