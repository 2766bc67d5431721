"""Puzzles as pages show them."""

from collections.abc import Sequence
from urllib.parse import urlencode

from app.core.i18n.text import Text, _, ngettext
from app.core.web.filters import side_name
from app.learn.puzzles.boards import BOARDS
from app.learn.puzzles.queries import Past, PuzzleInfo, PuzzleProgress
from app.learn.puzzles.service import Judged
from app.learn.puzzles.trying import Answer
from app.learn.puzzles.views import GameOfPuzzles, PastAttempt, PuzzleOfDay, PuzzlesOfGame, PuzzleView
from app.learn.puzzles.wording import THEMES, THEMES_OF, goal
from app.play.games.presenter.page import COLOURS
from app.play.games.wording import change_text
from engine.puzzles.rules import RULES
from engine.registry import FOR_TWO

STREAK = "streak"
"""The series of puzzles that get harder until one is failed."""

HISTORY = 20
"""The attempts on a page of the history."""


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
    answer: Answer,
    judged: Judged | None = None,
    progress: PuzzleProgress | None = None,
) -> PuzzleView:
    """Return a puzzle with the answer to what was tried, and what a recorded attempt changed."""
    puzzle, made = info.puzzle, answer.attempt
    board = BOARDS[puzzle.game]
    is_over, is_solved = made.is_solved is not None, made.is_solved is True
    is_alone = len(puzzle.rules.sides) == 1
    position, line = made.position, made.line
    if is_over:
        position, line = info.puzzle.start, puzzle.solution
        for move in line:
            position = puzzle.rules.play(position, move)
    left = len(puzzle.solution) - len(made.line)
    return PuzzleView(
        title=puzzle.rules.title,
        goal=goal(puzzle),
        rating=round(info.rating.rating),
        score=_score(info),
        path=puzzle_path(info.id, series),
        list_path=f"/puzzles/{puzzle.game}",
        rules_path=f"/rules/{puzzle.game}",
        next_path=_next_path(puzzle.game, series),
        field=board.field,
        line=",".join(answer.moves),
        board=board.draw(position, last_move=line[-1] if line else None, playable=not is_over),
        other_moves=() if is_over else board.other_moves(position),
        progress=ngettext("%(count)s more move.", "%(count)s more moves.", left)
        if is_alone and not is_over
        else None,
        reply=_reply(answer),
        obstacle=answer.obstacle,
        is_over=is_over,
        is_solved=is_solved,
        may_undo=is_alone and bool(answer.moves) and not is_over,
        solution=" ".join(puzzle.solution) if is_over else "",
        themes=[THEMES[theme] for theme in puzzle.themes] if is_over else (),
        source_path=f"/games/{info.source[0]}" if is_over and info.source else "",
        figures=_figures(judged, progress, series),
    )


def _score(info: PuzzleInfo) -> Sequence[tuple[str, float]]:
    rules = FOR_TWO.get(info.puzzle.game)
    if rules is None:
        return ()
    score, solver = rules.score(info.puzzle.start), rules.side_to_move(info.puzzle.start)
    roles = {side: _("you") if side == solver else _("the opponent") for side in rules.sides}
    return [(side_name(side) if side in COLOURS else roles[side], score[side]) for side in rules.sides]


def _reply(answer: Answer) -> Text | None:
    if answer.refusal is not None:
        return answer.refusal
    made = answer.attempt
    if made.is_solved is None:
        return _("Right so far. The reply is %(move)s.", move=made.reply) if made.reply else None
    if made.is_solved:
        return _("You found it.")
    return _("That is not the solution.") if made.line else _("Here is how it goes.")


def _figures(judged: Judged | None, progress: PuzzleProgress | None, series: str) -> Text | None:
    """Return what an attempt changed, or why it changed nothing."""
    if judged is None or progress is None:
        return None
    if judged.rating_change is None:
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
        change=change_text(judged.rating_change),
    )


def game_of_puzzles(
    game: str, daily: PuzzleInfo, progress: PuzzleProgress, *, is_attempted: bool
) -> GameOfPuzzles:
    """Return the puzzles of a game for the list of games."""
    of_day = PuzzleOfDay(RULES[game].title, f"/puzzles/{daily.id}", goal(daily.puzzle), is_attempted)
    return GameOfPuzzles(RULES[game].title, f"/puzzles/{game}", of_day, progress)


def puzzles_of_game(
    game: str, progress: PuzzleProgress, history: Sequence[Past], has_more: bool
) -> PuzzlesOfGame:
    """Return the page of a game's puzzles."""
    path = f"/puzzles/{game}"
    older = f"{path}?{urlencode({'before': history[-1].attempted_at})}" if history and has_more else ""
    return PuzzlesOfGame(
        title=RULES[game].title,
        path=path,
        progress=progress,
        themes=[(THEMES[theme], _next_path(game, theme)) for theme in THEMES_OF[game]],
        history=[_past(each) for each in history],
        older_path=older,
    )


def _past(past: Past) -> PastAttempt:
    info = past.puzzle
    change = change_text(past.rating_change) if past.rating_change else ""
    return PastAttempt(
        puzzle_path(info.id, ""),
        goal(info.puzzle),
        round(info.rating.rating),
        past.solved,
        change,
        past.attempted_at,
    )
