"""Requesting and reading reviews. Workers evaluate the positions, each in a job of its own (`work`)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func
from sqlalchemy.dialects.postgresql import insert

from app.core.database.session import Database
from app.core.errors import ConflictError
from app.core.i18n.text import _
from app.core.jobs.queue import Queue
from app.learn.reviews import queries
from app.learn.reviews.models import GameReview, ReviewedPly
from app.play.bots.fair_play import FairPlay
from app.play.games.game import GameState
from engine import solo_review
from engine.game import Side
from engine.review import Evaluation, Review, review
from engine.solo_review import Line

REVIEW_PLY = "review_ply"
"""The kind of job that evaluates a position of a game."""

PRIORITY = -10
"""Reviews are behind all that somebody waits for."""


@dataclass(frozen=True, slots=True)
class GameReviewed:
    """The review of a game as far as it has come: `review` is None until all positions are evaluated."""

    is_requested: bool
    positions: Sequence[Any]
    evaluated: int
    to_evaluate: int
    review: Review | None


class Reviews:
    """The reviews of finished games."""

    def __init__(self, database: Database, fair_play: FairPlay, queue: Queue) -> None:
        self._database = database
        self._fair_play = fair_play
        self._queue = queue

    async def request(self, state: GameState, account_ids: Collection[int]) -> None:
        """Request the evaluation of those positions of a game that have none yet.

        Raise ConflictError `not_over` while the game is under way, or its last move may be taken back, and as
        `FairPlay.check` does for the accounts.
        """
        await self._fair_play.check(account_ids, state.rules, [state.position])
        if state.result is None:
            raise ConflictError("not_over", _("A game is reviewed when it is over."))
        if state.may_be_undone:
            raise ConflictError("not_over", _("Submit the score first: then the game is over for good."))
        async with self._database.transaction() as session:
            row = insert(GameReview).values(game_id=state.id)
            renewed = row.on_conflict_do_update(
                index_elements=[GameReview.game_id], set_={GameReview.requested_at: func.now()}
            )
            await session.execute(renewed)
            known = await queries.plies(session, state.id)
        missing = [ply for ply in _plies(state) if ply not in known]
        await self._queue.add(
            REVIEW_PLY,
            {f"review:{state.id}:{ply}": {"game_id": state.id, "ply": ply} for ply in missing},
            priority=PRIORITY,
        )

    async def get(self, state: GameState, account_ids: Collection[int]) -> GameReviewed:
        """Return the review of a game.

        Raise ConflictError as `FairPlay.check` does for the accounts, unless nobody has requested a review.
        """
        async with self._database.reading_now() as session:
            is_requested = await queries.is_requested(session, state.id)
            known = await queries.plies(session, state.id) if is_requested else {}
        plies = _plies(state)
        positions = state.positions()
        if is_requested:
            await self._fair_play.check(account_ids, state.rules, positions)
        is_done = is_requested and all(ply in known for ply in plies)
        reviewed = _reviewed(state, positions, known) if is_done else None
        return GameReviewed(is_requested, positions, len(known), len(plies), reviewed)


def _plies(state: GameState) -> range:
    """Return the plies of a game whose positions are evaluated: those after which a side is to move.

    What could have followed the end of a game for one is nobody's loss.
    """
    ends = state.is_solitaire or state.rules.side_to_move(state.position) is None
    return range(state.first_ply, state.ply if ends else state.ply + 1)


def _reviewed(state: GameState, positions: Sequence[Any], known: Mapping[int, ReviewedPly]) -> Review:
    if state.is_solitaire:
        lines = {ply: Line(row.line or (), row.points) for ply, row in known.items()}
        return solo_review.review(_moves(state), state.score[Side.SOLO], lines, state.first_ply)
    evaluations = {
        ply: Evaluation(row.best, row.points, row.played, row.is_exact) for ply, row in known.items()
    }
    return review(state.rules, positions, _moves(state), evaluations, state.first_ply)


def _moves(state: GameState) -> list[str]:
    return [played.move for played in state.moves]
