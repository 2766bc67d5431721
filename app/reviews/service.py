"""Requesting and reading reviews. Workers evaluate the positions, each in a job of its own (`work`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func
from sqlalchemy.dialects.postgresql import insert

from app.database.session import Database
from app.errors import ConflictError
from app.games.game import GameState
from app.i18n.text import _
from app.jobs.queue import Queue
from app.reviews import queries
from app.reviews.models import GameReview
from engine import replay
from engine.review import Evaluation, Review, review

REVIEW_PLY = "review_ply"
"""The kind of job that evaluates a position of a game."""

_PRIORITY = -10  # behind all that somebody waits for


@dataclass(frozen=True, slots=True)
class GameReviewed:
    """The review of a game as far as it has come: `review` is None until all positions are evaluated."""

    is_requested: bool
    positions: Sequence[Any]
    evaluated: int
    to_evaluate: int
    review: Review | None


class Reviews:
    """The reviews of finished games for two."""

    def __init__(self, database: Database, queue: Queue) -> None:
        self._database = database
        self._queue = queue

    async def request(self, state: GameState) -> None:
        """Request the evaluation of those positions of a game that have none yet.

        Raise ConflictError `not_over` while the game is under way, `no_review` for a game for one.
        """
        if state.is_solitaire:
            raise ConflictError("no_review", _("Only games for two are reviewed."))
        if state.result is None:
            raise ConflictError("not_over", _("A game is reviewed when it is over."))
        async with self._database.transaction() as session:
            row = insert(GameReview).values(game_id=state.id)
            renewed = row.on_conflict_do_update(
                index_elements=[GameReview.game_id], set_={GameReview.requested_at: func.now()}
            )
            await session.execute(renewed)
            known = await queries.evaluations(session, state.id)
        missing = [ply for ply in _plies(state, _positions(state)) if ply not in known]
        await self._queue.add(
            REVIEW_PLY,
            {f"review:{state.id}:{ply}": {"game_id": state.id, "ply": ply} for ply in missing},
            priority=_PRIORITY,
        )

    async def get(self, state: GameState) -> GameReviewed:
        """Return the review of a game."""
        async with self._database.reading_now() as session:
            is_requested = await queries.is_requested(session, state.id)
            known = await queries.evaluations(session, state.id) if is_requested else {}
        positions = _positions(state)
        plies = _plies(state, positions)
        is_done = is_requested and all(ply in known for ply in plies)
        return GameReviewed(
            is_requested,
            positions,
            len(known),
            len(plies),
            _reviewed(state, positions, known) if is_done else None,
        )


def _positions(state: GameState) -> list[Any]:
    return list(replay.positions(state.rules, state.options, [played.move for played in state.moves]))


def _plies(state: GameState, positions: Sequence[Any]) -> list[int]:
    """Return the plies after which a side is to move."""
    return [ply for ply, position in enumerate(positions) if state.rules.side_to_move(position) is not None]


def _reviewed(state: GameState, positions: Sequence[Any], known: Mapping[int, Evaluation]) -> Review:
    return review(state.rules, positions, [played.move for played in state.moves], known)
