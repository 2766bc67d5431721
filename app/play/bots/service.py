"""The list of computer players, and the evaluations and hints that workers compute."""

import hashlib
from collections.abc import Collection, Sequence
from typing import Any

from app.core.database.session import Database
from app.core.errors import ConflictError, ForbiddenError, InvalidError
from app.core.i18n.text import _
from app.core.jobs.queue import Asker, Queue
from app.core.moments import now
from app.people.identity import service as accounts
from app.people.identity.models import Account
from app.play.bots.fair_play import FairPlay
from app.play.games import decisions
from app.play.games.game import GameState
from engine.game import Game
from engine.search.player import Choice, EvaluatedMove

EVALUATE = "evaluate_position"
"""The kind of job that evaluates a position."""

_TIMEOUT = 8.0  # seconds


class Evaluations:
    """The computer players, and what workers compute for people and programs."""

    def __init__(self, database: Database, fair_play: FairPlay, queue: Queue) -> None:
        self._database = database
        self._fair_play = fair_play
        self._queue = queue

    async def computers(self) -> list[Account]:
        """Return the accounts of the computer players, the weakest first."""
        async with self._database.reading_now() as session:
            return await accounts.computers(session)

    async def evaluate(
        self, asker: Asker, account_ids: Collection[int], rules: Game[Any], line: Sequence[Any]
    ) -> Choice:
        """Return the best moves in the last position of a line in a game for two, the best one first.

        Raise ConflictError as `FairPlay.check` does for the accounts, and what `evaluate_unchecked` raises.
        """
        await self._fair_play.check(account_ids, rules, line)
        return await self.evaluate_unchecked(asker, rules, line[-1])

    async def evaluate_unchecked(self, asker: Asker, rules: Game[Any], position: Any) -> Choice:
        """Return the best moves in a position for a caller that has looked at fair play.

        Raise InvalidError `game_over` if no side is to move, TooManyJobsError, BusyError, FailedError.
        """
        if rules.side_to_move(position) is None:
            raise InvalidError("game_over", _("The game is over: there is nothing to evaluate."))
        text = rules.format(position)
        digest = hashlib.sha256(text.encode()).hexdigest()[:32]
        result = await self._queue.ask(
            EVALUATE,
            f"{EVALUATE}:{rules.key}:{digest}",
            {"game": rules.key, "position": text},
            asker=asker,
            within=_TIMEOUT,
        )
        ranking = tuple(
            EvaluatedMove(move, points, tuple(*line)) for move, points, *line in result["ranking"]
        )
        return Choice(ranking, result["depth"], result["positions"])

    async def hint(
        self, asker: Asker, account_ids: Collection[int], state: GameState, account_id: int
    ) -> str:
        """Return a good move for the player whose turn it is in a casual game against the computer.

        Raise ForbiddenError `not_a_player` or `not_your_turn`, ConflictError `game_over`, `no_hints`, or as
        `FairPlay.check` does for the accounts, TooManyJobsError, BusyError, FailedError.
        """
        await self._fair_play.check(account_ids, state.rules, [state.position])
        side = decisions.side_of(state, account_id, now())
        decisions.check_running(state)
        if state.rated or not state.is_against_computer:
            raise ConflictError("no_hints", _("Hints are for casual games against the computer."))
        if side != state.side_to_move:
            raise ForbiddenError(
                "not_your_turn", _("It is the computer's turn; ask again when it has moved.")
            )
        return (await self.evaluate_unchecked(asker, state.rules, state.position)).move
