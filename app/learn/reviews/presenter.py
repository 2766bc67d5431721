"""Reviews of games as pages show them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.core.i18n.formats import number
from app.core.i18n.text import NO_TEXT, Text, _, ngettext
from app.core.moments import now
from app.core.web.filters import side_name
from app.learn.puzzles.collection import may_be_puzzle
from app.learn.reviews.graph import chart, graph_of_results, mark
from app.learn.reviews.service import Reviewed
from app.nugget.drawing import draw_still
from app.nugget.queries import EntryRecord
from app.play.games.boards import BOARDS, ghosts
from app.play.games.export import record_of, replay_of_record
from app.play.games.game import GameState
from app.play.games.presenter.page import analysis_path
from app.play.games.refusals import unsettled
from app.play.games.views import BoardAction, ReplayView
from app.play.lobby.presenter import WAYS
from engine.game import Side
from engine.golden_nugget.play import Play
from engine.review import Review, ReviewedMove
from engine.search.levels import USUAL

_AS_GOOD = 0.5  # points lost, below which a move is as good as the best


@dataclass(frozen=True, slots=True)
class Figures:
    """How well a player played: the accuracy in percent, and the mean loss of a move in points."""

    username: str
    accuracy: float
    loss: float


@dataclass(frozen=True, slots=True)
class TryingAgain:
    """The board before a move that lost points, and what is said of the one that the reader tries instead.

    `actions` are the other moves that may be tried.
    """

    board: Markup
    text: Text
    actions: Sequence[BoardAction]


@dataclass(frozen=True, slots=True)
class ReviewView:
    """A finished review, at one ply of the game.

    `moves` are all moves, each with its mark ("??") if it is costly; `costly` the costliest in words.
    """

    chart: Markup
    legend: Text
    figures: Sequence[Figures]
    moves: Sequence[tuple[ReviewedMove, str]]
    costly: Sequence[tuple[ReviewedMove, Text]]
    turning_point: Text | None
    note: Text | None  # on the move that led to the ply shown


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """The page of a review: `review` is None until it is finished.

    The first of the `players` is the one below the board.
    """

    path: str
    title: Text
    reviewed: Reviewed
    replay: ReplayView
    review: ReviewView | None
    game_path: str  # of the game or board that is reviewed
    players: Sequence[tuple[str, str, float, bool]] = ()  # side, name, score, whether it is to move
    again: TryingAgain | None = None
    analysis_path: str = ""
    play_on: Sequence[tuple[int, Text]] = ()  # levels of the computer, where a side is to move
    usual_level: int = USUAL
    makes_puzzle: bool = False  # whether a puzzle may be made of the position
    may_try_again: bool = False  # to find better moves than the costly ones
    refusal: Text = NO_TEXT  # why no review may be asked for


def review_page(
    state: GameState, reviewed: Reviewed, ply: int, reader: int | None, tried: str | None
) -> ReviewPage:
    """Return the page of a game's review at a ply; a ply past the end shows the end.

    The side of the account that reads it comes first. `tried` is the move that the reader tries in place of
    the one that was played, "" before the first one.
    """
    path = f"/games/{state.id}/review"
    ply = min(ply, state.ply)
    goes_on = state.result is not None and ply < state.ply
    replay = replay_of_record(record_of(state), ply, path, _better(state, reviewed.review, ply))
    to_move = state.rules.side_to_move(state.position_after(ply))
    own_side = state.side_of(reader)
    return ReviewPage(
        path=path,
        game_path=f"/games/{state.id}",
        title=_("%(players)s: review", players=tuple(player.username for player in state.players)),
        reviewed=reviewed,
        replay=replay,
        players=[
            (side, state.player_at(Side(side)).username, score, goes_on and side == to_move)
            for side, score in sorted(replay.scores, key=lambda scored: scored[0] != own_side)
        ],
        again=None if tried is None or not goes_on else _trying_again(state, reviewed.review, ply, tried),
        review=None if reviewed.review is None else _review(state, reviewed.review, ply, path),
        analysis_path=analysis_path(state, ply),
        play_on=WAYS.levels[state.rules.key] if goes_on and not state.is_solitaire else (),
        makes_puzzle=goes_on and may_be_puzzle(state, ply),
        may_try_again=True,
        refusal=refusal.message if (refusal := unsettled(state, now())) else NO_TEXT,
    )


def _better(state: GameState, review: Review | None, ply: int) -> str:
    """Return the move that was better than that of a ply as a ghost, with the points that it is better."""
    move = None if review is None else review.move_of(ply)
    if move is None or move.loss < _AS_GOOD or not move.best:
        return ""
    size, before = state.options["size"], state.position_after(ply - 1)
    ghost = ghosts.line(state.rules, BOARDS[state.rules], before, [move.best])
    value = ghosts.value(move.best, size, f"+{number(round(move.loss, 1))}")
    return f'<div class="ghost-layer">{ghosts.layer(size, [ghost, value])}</div>'


def board_review_page(entry: EntryRecord, play: Play, reviewed: Reviewed, ply: int) -> ReviewPage:
    """Return the page of the review of a board of an entry at a ply; a ply past the end shows the end."""
    board_path = f"/nugget/entries/{entry.id}/boards/{play.number}"
    path, last = f"{board_path}/review", len(play.made)
    ply = min(ply, last)
    made = play.made[ply - 1] if ply else _("the start")
    return ReviewPage(
        path=path,
        title=_("Board %(number)s of %(player)s: review", number=play.number, player=entry.username),
        reviewed=reviewed,
        replay=ReplayView(
            path=path,
            ply=ply,
            last_ply=last,
            text=_("Move %(ply)s of %(last)s: %(move)s", ply=ply, last=last, move=made),
            scores=(),
            board=draw_still(play.after(ply)),
            end_label=_("The end"),
        ),
        review=None if reviewed.review is None else _board_review(entry.username, reviewed.review, ply, path),
        game_path=f"{board_path}?move={ply}",
    )


def _board_review(username: str, review: Review, ply: int, path: str) -> ReviewView:
    moves = [-review.start, *(-move.lead for move in review.moves)]
    return ReviewView(
        chart=graph_of_results(list(range(len(moves))), moves, ply, path, review),
        legend=_("Solid: the moves on this board in the end, as the computer expects. Dashed: those made."),
        figures=_figures(review, {Side.SOLO: username}),
        moves=[(move, mark(move)) for move in review.moves],
        costly=[(move, _of_costly_push(move)) for move in review.costliest()],
        turning_point=None,
        note=None if (move := review.move_of(ply)) is None else _note_on_push(move),
    )


def _of_costly_push(move: ReviewedMove) -> Text:
    return ngettext(
        "%(ply)s. %(move)s cost %(count)s move; %(best)s was better.",
        "%(ply)s. %(move)s cost %(count)s moves; %(best)s was better.",
        round(move.loss),
        ply=move.ply,
        move=move.move,
        best=move.best or _("turning the blocks"),
    )


def _note_on_push(move: ReviewedMove) -> Text:
    if move.loss < 1:
        return _("The computer knows nothing better.")
    return _of_costly_push(move)


def _trying_again(state: GameState, review: Review | None, ply: int, tried: str) -> TryingAgain | None:
    move = None if review is None else review.move_of(ply + 1)
    if move is None or not mark(move):
        return None
    position, rules = state.position_after(ply), state.rules
    is_found = tried == move.best
    board = BOARDS[rules]
    drawn = board.draw(
        rules.play(position, tried) if is_found else position,
        last_move=tried if is_found else None,
        playable=not is_found,
        live=True,
    )
    return TryingAgain(drawn, _of_trying(move, tried), () if is_found else board.actions(position))


def _of_trying(move: ReviewedMove, tried: str) -> Text:
    if tried == move.best:
        return _("You found it: %(move)s.", move=tried)
    if tried == move.move:
        return _("%(move)s is what was played. Try another move.", move=tried)
    if tried:
        return _("The computer prefers another move to %(move)s. Try again.", move=tried)
    return ngettext(
        "%(ply)s. %(move)s lost %(count)s point. Find a better move.",
        "%(ply)s. %(move)s lost %(count)s points. Find a better move.",
        round(move.loss, 1),
        ply=move.ply,
        move=move.move,
    )


def _review(state: GameState, review: Review, ply: int, path: str) -> ReviewView:
    turning_point = review.turning_point()
    return ReviewView(
        chart=chart(state, review, ply, path),
        legend=_legend(state),
        figures=_figures(review, {side: state.player_at(side).username for side in state.rules.sides}),
        moves=[(move, mark(move)) for move in review.moves],
        costly=[(move, _of_costly(state, move)) for move in review.costliest()],
        turning_point=None if turning_point is None else _of_turning_point(state, turning_point),
        note=None if (move := review.move_of(ply)) is None else _note(state, move),
    )


def _figures(review: Review, names: Mapping[Side, str]) -> list[Figures]:
    return [
        Figures(username, round(review.accuracy(side) or 0, 1), round(loss, 2))
        for side, username in names.items()
        if (loss := review.average_loss(side)) is not None
    ]


def _legend(state: GameState) -> Text:
    if state.is_solitaire:
        return _("Solid: the best score that the computer saw within reach. Dashed: the score at the time.")
    return _(
        "By how much %(first)s leads. Solid: as the computer expects the end. Dashed: the score at the time.",
        first=side_name(state.rules.sides[0]),
    )


def _of_costly(state: GameState, move: ReviewedMove) -> Text:
    return ngettext(
        "%(ply)s. %(move)s by %(player)s lost %(count)s point; %(best)s was better.",
        "%(ply)s. %(move)s by %(player)s lost %(count)s points; %(best)s was better.",
        round(move.loss, 1),
        ply=move.ply,
        move=move.move,
        player=state.player_at(move.side).username,
        best=move.best,
    )


def _of_turning_point(state: GameState, move: ReviewedMove) -> Text:
    leader = state.rules.sides[0] if move.lead > 0 else state.rules.sides[1]
    return _(
        "%(player)s was ahead for good after %(ply)s. %(move)s.",
        player=state.player_at(leader).username,
        ply=move.ply,
        move=move.move,
    )


def _note(state: GameState, move: ReviewedMove) -> Text:
    if move.move == move.best:
        return _("The computer would have played the same.")
    if move.loss < _AS_GOOD:
        return _("As good as %(best)s, which the computer prefers.", best=move.best)
    if move.loss >= 1 and not move.is_costly:
        return _("The game was decided. The computer prefers %(best)s.", best=move.best)
    return _of_costly(state, move)
