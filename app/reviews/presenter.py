"""Reviews as pages show them."""

from app.games.export import record_of, replay_of_record
from app.games.game import GameState
from app.games.presenter.page import analysis_path
from app.i18n.text import Text, _, ngettext
from app.lobby.presenter import CHOICES
from app.reviews.chart import graph
from app.reviews.service import GameReviewed
from app.reviews.views import Costly, Figures, ReviewPage, ReviewView
from engine.review import Review, ReviewedMove
from engine.search.levels import USUAL


def review_page(state: GameState, reviewed: GameReviewed, ply: int) -> ReviewPage:
    """Return the page of a game's review at a ply; a ply past the end shows the end."""
    path = f"/games/{state.id}/review"
    ply = min(ply, state.ply)
    return ReviewPage(
        path=path,
        game_path=f"/games/{state.id}",
        title=_("%(players)s: review", players=tuple(player.username for player in state.players)),
        is_requested=reviewed.is_requested,
        evaluated=reviewed.evaluated,
        to_evaluate=reviewed.to_evaluate,
        replay=replay_of_record(record_of(state), ply, path),
        analysis_path=analysis_path(state, ply),
        play_on=CHOICES["levels"] if state.result and ply < state.ply else (),
        usual_level=USUAL,
        review=None if reviewed.review is None else _review(state, reviewed, reviewed.review, ply, path),
    )


def _review(state: GameState, reviewed: GameReviewed, review: Review, ply: int, path: str) -> ReviewView:
    rules = state.rules
    first, second = rules.sides
    scores = [rules.score(position) for position in reviewed.positions]
    turning_point = review.turning_point()
    return ReviewView(
        chart=graph(
            [score[first] - score[second] for score in scores],
            [review.start, *(move.lead for move in review.moves)],
            ply,
            path,
        ),
        figures=[
            Figures(side, player.username, round(review.accuracy(side) or 0, 1), round(loss, 2))
            for side, player in zip(rules.sides, state.players, strict=True)
            if (loss := review.average_loss(side)) is not None
        ],
        costly=[
            Costly(_of_costly(state, move), f"{path}?ply={move.ply - 1}", move.ply - 1 == ply)
            for move in review.costliest()
        ],
        turning_point=None if turning_point is None else _of_turning_point(state, turning_point),
        note=_note(review.moves[ply - 1]) if ply else None,
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
