"""Puzzles as pages show them, and in words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from markupsafe import Markup

from app.core.i18n.text import Text, _, ngettext
from app.core.web.filters import side_name
from app.learn.puzzles.queries import FirstAttempt, PuzzleInfo, PuzzleProgress
from app.learn.puzzles.trying import BOARDS, PuzzleAnswer
from app.play.games.presenter.page import COLOURS
from app.play.games.wording import change_text
from engine.puzzles.puzzle import Puzzle
from engine.puzzles.rules import RULES
from engine.puzzles.themes import Theme
from engine.registry import FOR_TWO

STREAK = "streak"
"""The series of puzzles that get harder until one is failed."""

HISTORY = 20
"""The attempts on a page of the history."""


@dataclass(frozen=True, slots=True)
class PuzzleView:
    """A puzzle, with the answer to what the player has tried, if anything.

    `score` has the points of both sides. `themes` are empty until the attempt is over.
    """

    info: PuzzleInfo
    answer: PuzzleAnswer
    goal: Text
    score: Sequence[tuple[str, float]]
    path: str
    next_path: str
    field: str
    board: Markup
    other_moves: Sequence[tuple[str, Text]]
    progress: Text | None
    reply: Text | None
    is_over: bool
    may_undo: bool
    themes: Sequence[Text]
    figures: Text | None


@dataclass(frozen=True, slots=True)
class GameOfPuzzles:
    """The puzzles of a game in the list of games, with the goal of that of the day."""

    game: str
    title: str
    daily_path: str
    goal: Text
    is_attempted: bool
    progress: PuzzleProgress


@dataclass(frozen=True, slots=True)
class PuzzlesOfGame:
    """The page of a game's puzzles: themes with addresses, attempts with goals and changes of the rating."""

    title: str
    path: str
    progress: PuzzleProgress
    themes: Sequence[tuple[Text, str]]
    history: Sequence[tuple[FirstAttempt, Text, str]]
    older_path: str


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


def puzzle_path(puzzle_id: str, series: str) -> str:
    """Return the address of a puzzle in a series: `STREAK`, a theme, or none."""
    return f"/puzzles/{puzzle_id}" + (f"?{urlencode({'series': series})}" if series else "")


def _next_path(game: str, series: str) -> str:
    if series == STREAK:
        return f"/puzzles/{game}/streak"
    return f"/puzzles/{game}/next" + (f"?{urlencode({'theme': series})}" if series else "")


def puzzle_view(
    info: PuzzleInfo,
    series: str,
    answer: PuzzleAnswer,
    change: float | None = None,
    progress: PuzzleProgress | None = None,
) -> PuzzleView:
    """Return a puzzle with the answer to what was tried.

    Of an attempt that was recorded, `progress` is what the player has reached with it, and `change` that of
    the rating, None if it does not count.
    """
    puzzle, made = info.puzzle, answer.attempt
    board = BOARDS[puzzle.game]
    is_over = made.is_solved is not None
    is_alone = len(puzzle.rules.sides) == 1
    position, line = made.position, made.line
    if is_over:
        position, line = puzzle.start, puzzle.solution
        for move in line:
            position = puzzle.rules.play(position, move)
    left = len(puzzle.solution) - len(made.line)
    return PuzzleView(
        info=info,
        answer=answer,
        goal=goal(puzzle),
        score=_score(info),
        path=puzzle_path(info.id, series),
        next_path=_next_path(puzzle.game, series),
        field=board.field,
        board=board.draw(position, last_move=line[-1] if line else None, playable=not is_over),
        other_moves=() if is_over else board.other_moves(position),
        progress=ngettext("%(count)s more move.", "%(count)s more moves.", left)
        if is_alone and not is_over
        else None,
        reply=_reply(answer),
        is_over=is_over,
        may_undo=is_alone and bool(answer.moves) and not is_over,
        themes=[THEMES[theme] for theme in puzzle.themes] if is_over else (),
        figures=_figures(change, progress, series),
    )


def _score(info: PuzzleInfo) -> Sequence[tuple[str, float]]:
    rules = FOR_TWO.get(info.puzzle.game)
    if rules is None:
        return ()
    score, solver = rules.score(info.puzzle.start), rules.side_to_move(info.puzzle.start)
    roles = {side: _("you") if side == solver else _("the opponent") for side in rules.sides}
    return [(side_name(side) if side in COLOURS else roles[side], score[side]) for side in rules.sides]


def _reply(answer: PuzzleAnswer) -> Text | None:
    if answer.refusal is not None:
        return answer.refusal
    made = answer.attempt
    if made.is_solved is None:
        return _("Right so far. The reply is %(move)s.", move=made.reply) if made.reply else None
    if made.is_solved:
        return _("You found it.")
    return _("That is not the solution.") if made.line else _("Here is how it goes.")


def _figures(change: float | None, progress: PuzzleProgress | None, series: str) -> Text | None:
    """Return what an attempt changed, or why it changed nothing."""
    if progress is None:
        return None
    if change is None:
        return _("Only your first attempt at a puzzle counts.")
    if series == STREAK:
        return ngettext(
            "%(count)s puzzle in a row. Your best: %(best)s.",
            "%(count)s puzzles in a row. Your best: %(best)s.",
            progress.streak,
            best=progress.best_streak,
        )
    return _(
        "Your rating: %(rating)s (%(change)s).",
        rating=round(progress.rating.rating),
        change=change_text(change),
    )


def game_of_puzzles(
    game: str, daily: PuzzleInfo, progress: PuzzleProgress, *, is_attempted: bool
) -> GameOfPuzzles:
    """Return the puzzles of a game for the list of games."""
    path = puzzle_path(daily.id, "")
    return GameOfPuzzles(game, RULES[game].title, path, goal(daily.puzzle), is_attempted, progress)


def puzzles_of_game(
    game: str, progress: PuzzleProgress, history: Sequence[FirstAttempt], has_more: bool
) -> PuzzlesOfGame:
    """Return the page of a game's puzzles."""
    path = f"/puzzles/{game}"
    older = f"{path}?{urlencode({'before': history[-1].attempted_at})}" if history and has_more else ""
    return PuzzlesOfGame(
        title=RULES[game].title,
        path=path,
        progress=progress,
        themes=[(THEMES[theme], _next_path(game, theme)) for theme in THEMES_OF[game]],
        history=[
            (past, goal(past.puzzle.puzzle), change_text(past.rating_change) if past.rating_change else "")
            for past in history
        ],
        older_path=older,
    )
