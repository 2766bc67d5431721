"""Reviews of games as pages show them."""

from collections.abc import Sequence

from markupsafe import Markup

from app.core.i18n.text import Text, _, ngettext
from app.core.web.filters import side_name
from app.learn.puzzles.collection import may_be_puzzle
from app.learn.reviews.boards import BoardReviewed
from app.learn.reviews.chart import graph_of_leads, graph_of_results
from app.learn.reviews.service import GameReviewed
from app.learn.reviews.views import Costly, Figures, ReviewPage, ReviewView
from app.nugget.drawing import draw_still
from app.nugget.queries import EntryInfo
from app.play.games.export import record_of, replay_of_record
from app.play.games.game import GameState
from app.play.games.presenter.page import analysis_path
from app.play.games.views import ReplayView
from app.play.lobby.presenter import CHOICES
from engine.game import Side
from engine.review import Review, ReviewedMove


def review_page(state: GameState, reviewed: GameReviewed, ply: int) -> ReviewPage:
    """Return the page of a game's review at a ply; a ply past the end shows the end."""
    path = f"/games/{state.id}/review"
    ply = min(ply, state.ply)
    goes_on = state.result is not None and ply < state.ply
    return ReviewPage(
        path=path,
        game_path=f"/games/{state.id}",
        title=_("%(players)s: review", players=tuple(player.username for player in state.players)),
        is_requested=reviewed.is_requested,
        evaluated=reviewed.evaluated,
        to_evaluate=reviewed.to_evaluate,
        replay=replay_of_record(record_of(state), ply, path),
        review=None if reviewed.review is None else _review(state, reviewed, reviewed.review, ply, path),
        analysis_path=analysis_path(state, ply),
        play_on=CHOICES["levels"] if goes_on and not state.is_solitaire else (),
        makes_puzzle=goes_on and may_be_puzzle(state, ply),
    )


def board_review_page(entry: EntryInfo, reviewed: BoardReviewed, ply: int) -> ReviewPage:
    """Return the page of the review of a board of an entry at a ply; a ply past the end shows the end."""
    play = reviewed.play
    board_path = f"/nugget/entries/{entry.id}/boards/{play.number}"
    path, last = f"{board_path}/review", len(play.made)
    ply = min(ply, last)
    made = play.made[ply - 1] if ply else _("the start")
    return ReviewPage(
        path=path,
        title=_("Board %(number)s of %(player)s: review", number=play.number, player=entry.username),
        is_requested=reviewed.is_requested,
        evaluated=reviewed.evaluated,
        to_evaluate=reviewed.to_evaluate,
        replay=ReplayView(
            path=path,
            ply=ply,
            last_ply=last,
            text=_("Ply %(ply)s of %(last)s: %(move)s", ply=ply, last=last, move=made),
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
        chart=graph_of_results(list(range(len(moves))), moves, ply, path),
        legend=_("Solid: the moves on this board in the end, as the computer expects. Dashed: those made."),
        figures=[
            Figures(
                Side.SOLO,
                username,
                round(review.accuracy(Side.SOLO) or 0, 1),
                round(review.average_loss(Side.SOLO) or 0, 2),
            )
        ],
        costly=_costly_moves(review, path, ply, [_of_costly_push(move) for move in review.costliest()]),
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
    return ngettext(
        "%(best)s was better by %(count)s move.",
        "%(best)s was better by %(count)s moves.",
        round(move.loss),
        best=move.best or _("Turning the blocks"),
    )


def _review(state: GameState, reviewed: GameReviewed, review: Review, ply: int, path: str) -> ReviewView:
    turning_point = review.turning_point()
    return ReviewView(
        chart=_chart(state, reviewed, review, ply, path),
        legend=_legend(state),
        figures=[
            Figures(side, player.username, round(review.accuracy(side) or 0, 1), round(loss, 2))
            for side, player in zip(state.rules.sides, state.players, strict=True)
            if (loss := review.average_loss(side)) is not None
        ],
        costly=_costly_moves(review, path, ply, [_of_costly(state, move) for move in review.costliest()]),
        turning_point=None if turning_point is None else _of_turning_point(state, turning_point),
        note=None if (move := review.move_of(ply)) is None else _note(move),
    )


def _chart(state: GameState, reviewed: GameReviewed, review: Review, ply: int, path: str) -> Markup:
    first_ply = review.first_ply
    scores = [state.rules.score(position) for position in reviewed.positions[first_ply:]]
    expected = [review.start, *(move.lead for move in review.moves)]
    if state.is_solitaire:
        (side,) = state.rules.sides
        return graph_of_results([score[side] for score in scores], expected, ply, path, first_ply)
    first, second = state.rules.sides
    leads = [score[first] - score[second] for score in scores]
    return graph_of_leads(leads, expected, ply, path, first_ply)


def _legend(state: GameState) -> Text:
    if state.is_solitaire:
        return _("Solid: the best score that the computer saw within reach. Dashed: the score at the time.")
    return _(
        "By how much %(first)s leads. Solid: as the computer expects the end. Dashed: the score at the time.",
        first=side_name(state.rules.sides[0]),
    )


def _costly_moves(review: Review, path: str, ply: int, texts: Sequence[Text]) -> list[Costly]:
    return [
        Costly(text, f"{path}?ply={move.ply - 1}", move.ply - 1 == ply)
        for move, text in zip(review.costliest(), texts, strict=True)
    ]


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


def _note(move: ReviewedMove) -> Text:
    """Return a remark on a move."""
    if move.move == move.best:
        return _("The computer would have played the same.")
    if move.loss < 0.5:
        return _("As good as %(best)s, which the computer prefers.", best=move.best)
    return ngettext(
        "%(best)s was better by %(count)s point.",
        "%(best)s was better by %(count)s points.",
        round(move.loss, 1),
        best=move.best,
    )
