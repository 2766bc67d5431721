"""What the computer makes of a position: its best moves and how it will end. Asked for by the web server."""

import hashlib
from dataclasses import dataclass
from typing import Any

from app.errors import ConflictError, ForbiddenError, InvalidError
from app.games import decisions
from app.games.game import GameState
from app.jobs.queue import Queue
from engine.game import Game, Side

KIND = "think"

_WITHIN = 8.0  # seconds


@dataclass(frozen=True, slots=True)
class Thought:
    """A move, and by how many points its side would win by it (negative: lose)."""

    move: str
    points: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What the computer makes of a position: the best moves of the side to move, the best first."""

    side: Side
    thoughts: tuple[Thought, ...]
    depth: int

    @property
    def lead(self) -> float:
        """Give by how many points the side to move would win with its best move."""
        return self.thoughts[0].points


async def evaluate(queue: Queue, rules: Game[Any], position: Any) -> Evaluation:
    """Have a position of a game for two looked at.

    Raises InvalidError `game_over`, BusyError, FailedError.
    """
    text = rules.format(position)
    side = rules.side_to_move(position)
    if side is None:
        raise InvalidError("game_over", "The game is over: there is nothing to look for.")
    name = hashlib.sha256(text.encode()).hexdigest()[:32]
    result = await queue.ask(
        KIND, f"{KIND}:{rules.key}:{name}", {"game": rules.key, "position": text}, within=_WITHIN
    )
    thoughts = tuple(Thought(move, points) for move, points in result["thoughts"])
    return Evaluation(side, thoughts, result["depth"])


async def hint(queue: Queue, state: GameState, account_id: int) -> str:
    """Give a good move to the player whose turn it is in a casual game against the computer.

    Raises ForbiddenError `not_a_player`, `not_your_turn`, ConflictError `game_over`, `no_hints`, BusyError,
    FailedError.
    """
    side = decisions.side_of(state, account_id)
    decisions.check_running(state)
    if state.rated or not state.is_against_computer:
        raise ConflictError("no_hints", "Hints are for casual games against the computer.")
    if side != state.side_to_move:
        raise ForbiddenError("not_your_turn", "It is the computer's turn; ask again when it has moved.")
    return (await evaluate(queue, state.rules, state.position)).thoughts[0].move
