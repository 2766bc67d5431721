"""The computer players, the evaluations and hints that workers compute, and the coach."""

import hashlib
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert

from app.core.database.session import Database
from app.core.errors import ConflictError, ForbiddenError, InvalidError, Members, ThrottledError, UnsureError
from app.core.i18n.text import Text, _, ngettext
from app.core.jobs.queue import Asker, BusyError, FailedError, Queue, TooManyJobsError
from app.core.moments import now
from app.core.web.throttle import Limit, Throttle
from app.people.identity import service as accounts
from app.people.identity.models import Account
from app.play.bots.fair_play import FairPlay
from app.play.bots.models import CoachedGame
from app.play.games import decisions
from app.play.games.boards import BOARDS
from app.play.games.game import GameState
from app.play.games.service import Games
from app.play.games.views import MoveKind
from engine.game import Game, IllegalMove, MoveSyntaxError
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


MUCH = 3.0
"""How many points a move loses at least for the coach to warn of it."""


class Coach:
    """The coach of the games against the computer that have one."""

    def __init__(
        self,
        database: Database,
        games: Games,
        fair_play: FairPlay,
        evaluations: Evaluations,
        throttle: Throttle,
    ) -> None:
        self._database = database
        self._games = games
        self._fair_play = fair_play
        self._evaluations = evaluations
        self._throttle = throttle

    async def accompany(self, state: GameState, account_id: int) -> None:
        """Watch over the moves of an account in a casual game against the computer from now on.

        Raise ForbiddenError `not_a_player`, ConflictError `game_over` or `no_coach`.
        """
        decisions.side_of(state, account_id, now())
        decisions.check_running(state)
        if state.rated or not state.is_against_computer:
            raise ConflictError("no_coach", _("The coach is for casual games against the computer."))
        async with self._database.transaction() as session:
            await session.execute(insert(CoachedGame).values(game_id=state.id).on_conflict_do_nothing())

    async def check(self, asker: Asker, account_id: int, game_id: str, move: str, ply: int) -> None:
        """Raise UnsureError for a move that loses much, once at each ply of a coached game.

        It states the points that the move would lose (`loss`), and the opponent's reply if one is expected.
        Nothing is raised while no worker can look at the move, for moves that are refused anyway, and for
        positions with which the computer helps the account nowhere.
        """
        state = self._games.store.recent(game_id) or await self._games.get(game_id)
        if state.rated or not state.is_against_computer or state.ply != ply:
            return
        player = state.player_to_move
        if player is None or player.id != account_id:
            return
        query = select(CoachedGame.warned_ply.is_distinct_from(ply)).where(CoachedGame.game_id == game_id)
        async with self._database.reading_now() as session:
            if not await session.scalar(query):
                return
        try:
            await self._fair_play.check([account_id], state.rules, [state.position])
        except ConflictError:
            return
        try:
            await self._throttle.hit(Limit.COMPUTER, f"account:{account_id}")
            warning = await self._warning(asker, state, move)
        except (BusyError, FailedError, TooManyJobsError, ThrottledError, IllegalMove, MoveSyntaxError):
            return
        if warning is not None:
            noted = update(CoachedGame).where(CoachedGame.game_id == game_id).values(warned_ply=ply)
            async with self._database.transaction() as session:
                await session.execute(noted)
            raise warning

    async def _warning(self, asker: Asker, state: GameState, move: str) -> UnsureError | None:
        """Return the warning of a move, or None if it does not lose much."""
        after = state.rules.play(state.position, move)
        choice = await self._evaluations.evaluate_unchecked(asker, state.rules, state.position)
        exact = {each.move: each for each in choice.ranking}
        played = exact.get(move) or await self._played(asker, state, move, after)
        loss = choice.ranking[0].points - played.points
        if loss < MUCH:
            return None
        extra: Members = {"loss": round(loss, 1), "reply": played.line[0] if played.line else None}
        return UnsureError(_sentence(state, after, played, loss), extra=extra)

    async def _played(self, asker: Asker, state: GameState, move: str, after: Any) -> EvaluatedMove:
        """Return the value of a move that is not among the best ones."""
        rules = state.rules
        mover = rules.side_to_move(state.position)
        if rules.side_to_move(after) is None:
            score = rules.score(after)
            own = sum(points if side == mover else -points for side, points in score.items())
            return EvaluatedMove(move, own)
        choice = await self._evaluations.evaluate_unchecked(asker, rules, after)
        best = choice.ranking[0]
        sign = 1 if rules.side_to_move(after) == mover else -1
        return EvaluatedMove(move, sign * best.points, (best.move, *best.line))


def _sentence(state: GameState, after: Any, played: EvaluatedMove, loss: float) -> Text:
    rules, points = state.rules, round(loss)
    reply = played.line[0] if played.line else None
    if reply is not None:
        position = rules.play(after, reply)
        (kind,) = BOARDS[rules].kinds(position, [reply])
        if kind is MoveKind.HIJACK and reply == played.move:
            return ngettext(
                "Are you sure? This square can be hijacked; it would cost about %(count)s point. "
                "Play it again if you are.",
                "Are you sure? This square can be hijacked; it would cost about %(count)s points. "
                "Play it again if you are.",
                points,
            )
        return ngettext(
            "Are you sure? After %(reply)s it would cost about %(count)s point. Play it again if you are.",
            "Are you sure? After %(reply)s it would cost about %(count)s points. Play it again if you are.",
            points,
            reply=reply,
        )
    return ngettext(
        "Are you sure? It would cost about %(count)s point. Play it again if you are.",
        "Are you sure? It would cost about %(count)s points. Play it again if you are.",
        points,
    )
