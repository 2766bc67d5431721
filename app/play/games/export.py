"""Exports of a game (its record, score graph and picture), and records imported as text."""

from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup

from app.core.errors import InvalidError, Members
from app.core.i18n.text import _, reason_of
from app.core.web.charts import lines
from app.play.games.boards import BOARDS
from app.play.games.boards.board import Theme
from app.play.games.boards.film import Film
from app.play.games.game import GameState
from app.play.games.presenter.board import replay_of
from app.play.games.views import ReplayView
from app.play.games.wording import clock_code, rating_text
from engine.game_record import GameRecord, RecordError, parse, to_text
from engine.glicko2 import Rating
from engine.variations import Tree


@dataclass(frozen=True, slots=True)
class ScoreGraph:
    """The score of each side after each ply, as a chart and as figures."""

    chart: Markup
    sides: tuple[str, ...]
    rows: tuple[tuple[int, str, tuple[float, ...]], ...]  # ply, move, a figure for each side


def record_of(state: GameState) -> GameRecord:
    """Return the record of a game, finished or not."""
    headers = {"Date": f"{state.created_at:%Y-%m-%d}"}
    for side, player in zip(state.rules.sides, state.players, strict=True):
        headers[side.capitalize()] = player.username
        if player.rating is not None and not player.is_guest:
            headers[f"{side.capitalize()}Rating"] = rating_text(Rating(player.rating, player.deviation or 0))
    headers["TimeControl"] = clock_code(state.control)
    headers["Rated"] = "yes" if state.rated else "no"
    if state.voided:
        headers["Voided"] = "yes"
    if state.result:
        headers["Result"] = state.result.winner or "none"
        headers["Termination"] = state.result.termination
        headers["Score"] = " ".join(f"{name}={figure:g}" for name, figure in state.score.items())
    if any(played.spent is not None for played in state.moves):
        headers["Spent"] = " ".join(_seconds(played.spent) for played in state.moves)
    moves = Tree.of_moves(played.move for played in state.moves)
    return GameRecord(state.game, state.options, moves, headers, len(state.players))


def _seconds(spent: int | None) -> str:
    """Return milliseconds as seconds for the header Spent: 3.214, or - if they are not known."""
    return "-" if spent is None else f"{spent / 1000:.15g}"  # all digits, without an exponent


def export(state: GameState) -> str:
    """Return the record of a game as text (docs/game-record.md)."""
    return to_text(record_of(state))


def read(text: str) -> GameRecord:
    """Read a record and check all of its moves. Raise InvalidError with the ply and the reason."""
    try:
        record = parse(text)
        record.positions()
    except RecordError as error:
        extra: Members = {"reason": error.reason, "ply": error.ply}
        raise InvalidError("bad_record", reason_of(error), extra=extra) from None
    return record


def score_graph(record: GameRecord) -> ScoreGraph:
    """Return the score after each ply."""
    rules = record.rules
    scores = [rules.score(position) for position in record.positions()]
    sides = tuple(str(side) for side in rules.sides)
    chart = lines(
        _("Score by move"),
        [[score[side] for score in scores] for side in sides],
        (_("start"), _("move %(ply)s", ply=len(record.moves))),
    )
    labels = [_("start"), *record.moves]
    rows = tuple(
        (ply, move, tuple(score[side] for side in sides))
        for ply, (move, score) in enumerate(zip(labels, scores, strict=True))
    )
    return ScoreGraph(chart, sides, rows)


def replay_of_record(record: GameRecord, ply: int, path: str = "", over: str = "") -> ReplayView:
    """Return a ply of a record as a replay shows it at a path; a ply past the end shows the end.

    `over` is what is drawn over the squares.
    """
    rules, board = record.rules, BOARDS[record.rules]
    positions = record.positions()
    ply = max(0, min(ply, len(record.moves)))
    words = _("the start")
    if ply:
        move = record.moves[ply - 1]
        (kind,) = board.kinds(positions[ply], [move])
        side = rules.side_to_move(positions[ply - 1])
        assert side is not None
        words = board.describe(move, side, kind, automatic=False)
    return replay_of(rules, positions[ply], record.moves, ply, words, path, over=over)


def film(state: GameState, theme: Theme) -> tuple[str, Film]:
    """Return a game as an SVG document that plays by itself, and which of its plies are seen."""
    moves = tuple(played.move for played in state.moves)
    return _film(state.game, tuple(state.options.items()), len(state.players), moves, theme)


@lru_cache(64)  # a page that is read by many shows its film to all of them
def _film(
    game: str, options: tuple[tuple[str, int], ...], players: int, moves: tuple[str, ...], theme: Theme
) -> tuple[str, Film]:
    record = GameRecord(game, dict(options), Tree.of_moves(moves), players=players)
    return BOARDS[record.rules].film_of(record, theme)


def picture(state: GameState, ply: int) -> str:
    """Return an image of a game after a ply as an SVG document; a ply past the end shows the end."""
    ply = max(0, min(ply, state.ply))
    last_move = state.moves[ply - 1].move if ply else None
    position = state.position if ply == state.ply else state.position_after(ply)
    return BOARDS[state.rules].picture(position, last_move)
