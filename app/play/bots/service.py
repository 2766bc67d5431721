"""The computer players, the evaluations and hints that workers compute, and the coach."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, exists, or_, update
from sqlalchemy.dialects.postgresql import insert

from app.core.database.session import Database, reads_now
from app.core.errors import ConflictError, ForbiddenError, InvalidError, Members, ThrottledError, UnsureError
from app.core.i18n.text import Text, _, joined, ngettext
from app.core.jobs.queue import Asker, BusyError, FailedError, Queue, TooManyJobsError
from app.core.moments import now
from app.core.web.throttle import Limit, Throttle
from app.people.identity import service as accounts
from app.people.identity.devices import Person
from app.play.bots.fair_play import FairPlay
from app.play.bots.models import CoachedGame, HelpedGame
from app.play.games import decisions
from app.play.games.boards import BOARDS
from app.play.games.game import GameState
from app.play.games.models import Game as GameRow
from app.play.games.service import Games
from app.play.games.views import MoveKind
from engine.game import Game, IllegalMove, MoveSyntaxError
from engine.registry import FOR_TWO
from engine.search.player import Choice, EvaluatedMove

EVALUATE = "evaluate_position"
"""The kind of job that evaluates a position."""

WEIGH = "weigh_move"
"""The kind of job that compares a move with the best one."""

_TIMEOUT = 8.0  # seconds
_SHORT_TIMEOUT = 3.0  # seconds, for what a move waits for

_TIME_FOR_COACH = 5_000
"""Milliseconds that a player must have left for the coach to look at a move, as the flag may fall."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A move that was or may be played, and the best one, each with the reply that is expected, if any."""

    best: EvaluatedMove
    played: EvaluatedMove

    @property
    def loss(self) -> float:
        """Return how many points the move loses."""
        return self.best.points - self.played.points

    @property
    def reply(self) -> str | None:
        """Return the reply that is expected to the move, if any."""
        return self.played.line[0] if self.played.line else None


class Evaluations:
    """The computer players, and what workers compute for people and programs."""

    def __init__(self, database: Database, fair_play: FairPlay, queue: Queue) -> None:
        self._database = database
        self._fair_play = fair_play
        self._queue = queue

    computers = reads_now(accounts.computers)

    async def evaluate(self, asker: Asker, person: Person, rules: Game[Any], line: Sequence[Any]) -> Choice:
        """Return the best moves in the last position of a line in a game for two, the best one first.

        Raise InvalidError `solitaire` for a game for one, ConflictError as `FairPlay.check` does, and what
        `evaluate_unchecked` raises.
        """
        if rules is not FOR_TWO.get(rules.key):
            raise InvalidError("solitaire", _("The computer evaluates positions of games for two only."))
        await self._fair_play.check(person, rules, line)
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
        # Workers of the version before do not say what they expect.
        expected, *after = map(tuple, result.get("expected", [()] * (1 + len(result["ranking"]))))
        ranking = tuple(
            EvaluatedMove(move, points, tuple(*line), then)
            for (move, points, *line), then in zip(result["ranking"], after, strict=True)
        )
        return Choice(ranking, result["depth"], result["positions"], expected)

    async def weigh(
        self, asker: Asker, rules: Game[Any], position: Any, move: str, *, best: str | None = None
    ) -> Weighed:
        """Compare a legal move with the best one for a caller that has looked at fair play.

        The best one is searched for unless it is known. Raise TooManyJobsError, BusyError, FailedError.
        """
        text = rules.format(position)
        payload = {"game": rules.key, "position": text, "move": move, "best": best}
        digest = hashlib.sha256(f"{text} {move} {best or ''}".encode()).hexdigest()[:32]
        key = f"{WEIGH}:{rules.key}:{digest}"
        result = await self._queue.ask(WEIGH, key, payload, asker=asker, within=_SHORT_TIMEOUT)
        of_best, of_move = (
            EvaluatedMove(move, points, tuple(line)) for move, points, line in result["moves"]
        )
        return Weighed(of_best, of_move)

    async def hint(self, asker: Asker, person: Person, state: GameState, account_id: int) -> str:
        """Return a good move for the player whose turn it is in a casual game against the computer.

        Raise ForbiddenError `not_a_player` or `not_your_turn`, ConflictError `game_over`, `no_hints`, or as
        `FairPlay.check` does, TooManyJobsError, BusyError, FailedError.
        """
        await self._fair_play.check(person, state.rules, [state.position])
        side = decisions.side_of(state, account_id, now())
        decisions.check_running(state)
        if state.rated or not state.is_against_computer:
            raise ConflictError("no_hints", _("Hints are for casual games against the computer."))
        if side != state.side_to_move:
            raise ForbiddenError(
                "not_your_turn", _("It is the computer's turn; ask again when it has moved.")
            )
        choice = await self.evaluate_unchecked(asker, state.rules, state.position)
        async with self._database.transaction() as session:
            await session.execute(insert(HelpedGame).values(game_id=state.id).on_conflict_do_nothing())
        return choice.move


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

    async def watches(self, state: GameState) -> bool:
        """Return whether a game has a coach."""
        if state.rated or not state.is_against_computer:
            return False
        async with self._database.reading_now() as session:
            return await session.get(CoachedGame, state.id) is not None

    def may_warn(self, account_id: int, game_id: str, ply: int) -> bool:
        """Return whether `check` might warn of a move, as it never does in most games."""
        state = self._games.store.recent(game_id)
        return state is None or (state.ply == ply and _may_be_looked_at(state, account_id))

    async def check(self, person: Person, game_id: str, move: str, ply: int, *, is_sure: bool | None) -> None:
        """Raise UnsureError for a move that loses much in a coached game, unless its player is sure of it.

        It states the points that the move would lose (`loss`), the best move, and the opponent's reply if one
        is expected. None: nobody says whether the player is sure, so there is one warning at each ply.
        Nothing is raised while no worker can look at the move, for moves that are refused anyway, for
        positions with which the computer helps the person nowhere, and if so little time is left that the
        flag could fall meanwhile.
        """
        if is_sure:
            return
        state = self._games.store.recent(game_id) or await self._games.get(game_id)
        if state.ply != ply or not _may_be_looked_at(state, person.account_id):
            return
        async with self._database.reading_now() as session:
            coached = await session.get(CoachedGame, game_id)
        if coached is None or (is_sure is None and coached.warned_ply == ply):
            return
        try:
            await self._fair_play.check(person, state.rules, [state.position])
        except ConflictError:
            return
        try:
            await self._throttle.hit(Limit.COMPUTER, f"account:{person.account_id}")
            # A move is looked at even if its player has left: the answer may be asked for again.
            warning = await self._warning(Asker(f"account:{person.account_id}", _stays), state, move)
        except (BusyError, FailedError, TooManyJobsError, ThrottledError, IllegalMove, MoveSyntaxError):
            return
        state = self._games.store.recent(game_id) or state
        if warning is not None and state.ply == ply:  # a copy of the move may have been played meanwhile
            noted = update(CoachedGame).where(CoachedGame.game_id == game_id).values(warned_ply=ply)
            async with self._database.transaction() as session:
                await session.execute(noted)
            raise warning

    async def _warning(self, asker: Asker, state: GameState, move: str) -> UnsureError | None:
        """Return the warning of a move, or None if it does not lose much."""
        after = state.rules.play(state.position, move)
        weighed = await self._evaluations.weigh(asker, state.rules, state.position, move)
        if weighed.loss < MUCH:
            return None
        best = weighed.best.move
        extra: Members = {"loss": round(weighed.loss, 1), "reply": weighed.reply, "best": best}
        sentence = joined(_cost(state, after, weighed), _("%(best)s is better.", best=best), _AGAIN)
        return UnsureError(sentence, extra=extra)


def _may_be_looked_at(state: GameState, account_id: int | None) -> bool:
    """Return whether an account is to move in a game that may have a coach, and has time for it."""
    player = state.player_to_move
    if state.rated or not state.is_against_computer or player is None or player.id != account_id:
        return False
    return state.deadline is None or state.deadline - now() >= _TIME_FOR_COACH


async def _stays() -> bool:
    return False


_AGAIN = _("Play it again if you are sure.")


def _cost(state: GameState, after: Any, weighed: Weighed) -> Text:
    rules, points, reply = state.rules, round(weighed.loss), weighed.reply
    if reply is None:
        return ngettext(
            "It would cost about %(count)s point.", "It would cost about %(count)s points.", points
        )
    (kind,) = BOARDS[rules].kinds(rules.play(after, reply), [reply])
    if kind is MoveKind.HIJACK and reply == weighed.played.move:
        return ngettext(
            "This square can be hijacked; it would cost about %(count)s point.",
            "This square can be hijacked; it would cost about %(count)s points.",
            points,
        )
    return ngettext(
        "After %(reply)s it would cost about %(count)s point.",
        "After %(reply)s it would cost about %(count)s points.",
        points,
        reply=reply,
    )


def was_helped() -> ColumnElement[bool]:
    """Return the condition that in a game against the computer its opponent was helped.

    That is by a hint, by the coach, who names the best move in a warning, or by a takeback.
    """
    has_hint = exists().where(HelpedGame.game_id == GameRow.id)
    was_warned = exists().where(CoachedGame.game_id == GameRow.id, CoachedGame.warned_ply.is_not(None))
    return or_(GameRow.taken_back_to.is_not(None), has_hint, was_warned)
