"""Puzzles in words: what is to be found, and the names of themes."""

from collections.abc import Callable, Mapping, Sequence

from app.core.i18n.text import Text, _, ngettext
from app.core.web.filters import side_name
from engine.puzzles.puzzle import Puzzle
from engine.puzzles.themes import Theme

THEMES: Mapping[Theme, Text] = {
    Theme.HIJACK: _("Hijack"),
    Theme.REINFORCE: _("Reinforce"),
    Theme.BLOCK: _("Block"),
    Theme.PASS: _("Pass!"),
    Theme.KEEP_THE_LEAD: _("The only winning move"),
    Theme.SAVE_THE_DRAW: _("Save the draw"),
    Theme.HOLD_BACK: _("Hold back a point"),
    Theme.SHORT_JUMP: _("The shortest jump that scores"),
    Theme.OPENING: _("Opening"),
    Theme.MIDDLE_GAME: _("Middle game"),
    Theme.ENDGAME: _("Endgame"),
    Theme.LONG_LINE: _("Several moves"),
    Theme.IN_THREE: _("Solve in 3"),
    Theme.IN_FOUR: _("Solve in 4"),
    Theme.IN_FIVE: _("Solve in 5"),
    Theme.IN_SIX: _("Solve in 6"),
    Theme.FULL_BOARD: _("Fill the board"),
    Theme.RESET: _("With a reset of k"),
}
"""The name of each theme."""

THEMES_OF: Mapping[str, Sequence[Theme]] = {
    "jadejack": (
        *(Theme.HIJACK, Theme.BLOCK, Theme.REINFORCE, Theme.PASS, Theme.KEEP_THE_LEAD),
        *(Theme.OPENING, Theme.MIDDLE_GAME, Theme.ENDGAME, Theme.LONG_LINE),
    ),
    "golden_nugget": (Theme.IN_THREE, Theme.IN_FOUR, Theme.IN_FIVE, Theme.IN_SIX),
    "jumping_farther": (
        *(Theme.KEEP_THE_LEAD, Theme.SAVE_THE_DRAW, Theme.HOLD_BACK, Theme.SHORT_JUMP),
        Theme.LONG_LINE,
    ),
    "up_and_up": (Theme.FULL_BOARD, Theme.RESET),
}
"""The themes of each game, in the order in which they are listed."""


def goal(puzzle: Puzzle) -> Text:
    """Return what is to be found."""
    return _GOALS[puzzle.game](puzzle)


def _of_jadejack(puzzle: Puzzle) -> Text:
    side = side_name(puzzle.rules.side_to_move(puzzle.start) or "")
    return _("%(side)s is to move. Find the best move.", side=side)


def _of_nugget(puzzle: Puzzle) -> Text:
    return ngettext(
        "Solve the board in %(count)s push.", "Solve the board in %(count)s pushes.", len(puzzle.solution)
    )


def _of_jumping(puzzle: Puzzle) -> Text:
    number = len(puzzle.start.current.cells) + 1
    if Theme.SAVE_THE_DRAW in puzzle.themes:
        return _("You write %(number)s. Find the only square that saves a draw.", number=number)
    return _("You write %(number)s. Find the only square that wins the round.", number=number)


def _of_up_and_up(puzzle: Puzzle) -> Text:
    number = len(puzzle.start.cells) + len(puzzle.solution)
    return _("Find the only way to reach %(number)s.", number=number)


_GOALS: Mapping[str, Callable[[Puzzle], Text]] = {
    "jadejack": _of_jadejack,
    "golden_nugget": _of_nugget,
    "jumping_farther": _of_jumping,
    "up_and_up": _of_up_and_up,
}
