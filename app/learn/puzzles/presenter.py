"""Puzzles as pages show them, and in words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from markupsafe import Markup

from app.core.i18n.formats import signed
from app.core.i18n.text import Text, _, joined, ngettext
from app.core.web.filters import side_name
from app.learn.puzzles.queries import AttemptPage, FirstAttempt, PuzzleInfo, PuzzleProgress
from app.learn.puzzles.refuting import Refutation
from app.learn.puzzles.service import Puzzles, Recorded, Unrated
from app.learn.puzzles.trying import BOARDS, ONE_MORE_TRY, PuzzleAnswer
from app.nugget.drawing import picture_of
from app.people.identity.service import Identity
from app.play.games.boards import BOARDS as PICTURES
from app.play.games.boards.board import by_night
from app.play.games.presenter.page import COLOURS
from engine.puzzles.puzzle import Puzzle
from engine.puzzles.rules import RULES
from engine.puzzles.themes import Theme
from engine.registry import FOR_TWO, GAMES

STREAK = "streak"
"""The series of puzzles that get harder until one is failed."""

HISTORY = 20
"""The attempts on a page of the history."""


@dataclass(frozen=True, slots=True)
class PuzzleView:
    """A puzzle, with the answer to what the player has tried, if anything, and the `line` that stays of it.

    `score` has the points of both sides. `themes` are empty until the attempt is over. After a slip the board
    shows how it is answered.
    """

    info: PuzzleInfo
    answer: PuzzleAnswer
    line: Sequence[str]
    goal: Text
    score: Sequence[tuple[str, float]]
    path: str
    next_path: str
    field: str
    legend: Sequence[tuple[Markup, str]]  # what the marks on the board mean
    board: Markup
    other_moves: Sequence[tuple[str, Text]]
    progress: Text | None
    reply: Text | None
    is_slip: bool
    is_over: bool
    may_undo: bool
    themes: Sequence[Text]
    figures: Text | None


@dataclass(frozen=True, slots=True)
class GameOfPuzzles:
    """A game's puzzle of the day, and what a player has reached in all of its puzzles."""

    game: str
    title: str
    daily_path: str
    goal: Text
    is_attempted: bool
    progress: PuzzleProgress


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


@dataclass(frozen=True, slots=True)
class Judged:
    """What has become of an attempt.

    It is a slip, or was `recorded` (None: not at all), with what the player has reached by it. `refutation`
    is why it is wrong, if that is known.
    """

    is_slip: bool = False
    recorded: Recorded | None = None
    progress: PuzzleProgress | None = None
    refutation: Refutation | None = None


_OPEN = Judged()


def puzzle_view(info: PuzzleInfo, series: str, answer: PuzzleAnswer, judged: Judged = _OPEN) -> PuzzleView:
    """Return a puzzle with the answer to what was tried."""
    puzzle, made = info.puzzle, answer.attempt
    board = BOARDS[puzzle.game]
    is_over = made.is_solved is not None and not judged.is_slip
    is_playable = not is_over and not judged.is_slip
    is_alone = len(puzzle.rules.sides) == 1
    position, line = made.position, made.line
    if judged.is_slip and judged.refutation is not None:
        position, line = judged.refutation.position, judged.refutation.weighed.played.line or line
    if is_over:
        position, line = puzzle.start, puzzle.solution
        for move in line:
            position = puzzle.rules.play(position, move)
    left = len(puzzle.solution) - len(made.line)
    return PuzzleView(
        info=info,
        answer=answer,
        line=answer.moves[:-1] if judged.is_slip else answer.moves,
        goal=goal(puzzle),
        score=_score(info),
        path=puzzle_path(info.id, series),
        next_path=_next_path(puzzle.game, series),
        field=board.field,
        legend=board.legend,
        board=board.draw(position, last_move=line[-1] if line else None, playable=is_playable),
        other_moves=board.other_moves(position) if is_playable else (),
        progress=ngettext("%(count)s more move.", "%(count)s more moves.", left)
        if is_alone and is_playable
        else None,
        reply=_reply(answer, judged),
        is_slip=judged.is_slip,
        is_over=is_over,
        may_undo=is_alone and bool(answer.moves) and is_playable,
        themes=[THEMES[theme] for theme in puzzle.themes] if is_over else (),
        figures=_figures(judged, series),
    )


def _score(info: PuzzleInfo) -> Sequence[tuple[str, float]]:
    rules = FOR_TWO.get(info.puzzle.game)
    if rules is None:
        return ()
    score, solver = rules.score(info.puzzle.start), rules.side_to_move(info.puzzle.start)
    roles = {side: _("you") if side == solver else _("the opponent") for side in rules.sides}
    return [(side_name(side) if side in COLOURS else roles[side], score[side]) for side in rules.sides]


def _reply(answer: PuzzleAnswer, judged: Judged) -> Text | None:
    if answer.refusal is not None:
        return answer.refusal
    made = answer.attempt
    if made.is_solved is None:
        return _("Right so far. The reply is %(move)s.", move=made.reply) if made.reply else None
    if made.is_solved:
        return _("You found it.")
    if not made.line:
        return _("Here is how it goes.")
    verdict = _("Not quite.") if judged.is_slip else _("That is not the solution.")
    why = () if judged.refutation is None else (_why(judged.refutation),)
    return joined(verdict, *why, *((ONE_MORE_TRY,) if judged.is_slip else ()))


def _why(refutation: Refutation) -> Text:
    """Return what answers a wrong move, and what it costs."""
    weighed, (own, other), (best, best_other) = refutation.weighed, refutation.own, refutation.best
    moves = {"move": weighed.played.move, "reply": weighed.reply}
    if best - best_other > own - other:
        scores = {"score": _score_text(own, other), "best": _score_text(best, best_other)}
        if weighed.reply is None:
            return _("After %(move)s it ends %(score)s, after the best move %(best)s.", **moves, **scores)
        return _(
            "After %(move)s and %(reply)s it is %(score)s, after the best move and its reply %(best)s.",
            **moves,
            **scores,
        )
    return ngettext(
        "%(move)s costs about %(count)s point.",
        "%(move)s costs about %(count)s points.",
        max(1, round(weighed.loss)),
        **moves,
    )


def _score_text(own: float, other: float) -> Text:
    return _("%(own)s to %(other)s", own=own, other=other)


_UNRATED: Mapping[Unrated, Text] = {
    Unrated.KNOWN: _("Only your first attempt at a puzzle counts."),
    Unrated.SLIPPED: _("You found it on the second try: your rating stays as it was."),
    Unrated.NEWCOMER: _("Your first puzzle as a guest is not rated."),
    Unrated.TOLD: _(
        "Its game, its theme or another account may have told you the answer, so it is not rated."
    ),
}


def _figures(judged: Judged, series: str) -> Text | None:
    """Return what an attempt changed, or why it changed nothing."""
    recorded, progress = judged.recorded, judged.progress
    if recorded is None or progress is None:
        return None
    if recorded.unrated is not None or recorded.change is None:
        return _UNRATED.get(recorded.unrated or Unrated.KNOWN)
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
        change=signed(recorded.change),
    )


async def puzzles_of_today(puzzles: Puzzles, viewer: Identity | None, game: str) -> GameOfPuzzles:
    """Return a game's puzzle of the day, and what the viewer has reached in its puzzles."""
    daily = await puzzles.daily_for(viewer, game)
    return GameOfPuzzles(
        game=game,
        title=RULES[game].title,
        daily_path=puzzle_path(daily.info.id, ""),
        goal=goal(daily.info.puzzle),
        is_attempted=daily.is_attempted,
        progress=daily.progress,
    )


def picture_of_puzzle(puzzle: Puzzle) -> str:
    """Return the position of a puzzle as an SVG document."""
    if puzzle.game not in GAMES:
        return by_night(picture_of(puzzle.start))
    return by_night(PICTURES[GAMES[puzzle.game]].picture(puzzle.start, None))


def themes_of(game: str) -> list[tuple[Text, str]]:
    """Return the themes of a game's puzzles, each with the address of a puzzle of it."""
    return [(THEMES[theme], _next_path(game, theme)) for theme in THEMES_OF[game]]


def history_rows(past: AttemptPage) -> list[tuple[FirstAttempt, Text, str]]:
    """Return attempts, each with what was to be found, and by how much it changed the rating, if at all."""
    return [
        (each, goal(each.puzzle.puzzle), signed(each.rating_change) if each.rating_change else "")
        for each in past.attempts
    ]
