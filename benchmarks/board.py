"""Time to render the board of each game, and all fragments of a move, with warm and cold caches."""

import argparse
import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from app.play.games.boards import BOARDS, jadejack, numbers
from app.play.games.decisions import play_for_side
from app.play.games.game import GameState, Player
from app.play.games.presenter import updates
from engine.game import Game

_PLIES = 70
_ROUNDS = 400
_SIZES = {"jadejack": 10}  # and 12 for the number games
_CACHES = (jadejack._squares("en"), jadejack._stack_svg, numbers._squares("en"), numbers.trail)


def game(rules: Game[Any]) -> GameState:
    """Return a game of at most 70 plies, with moves from different parts of the list of legal moves."""
    options = {"size": _SIZES.get(rules.key, 12)}
    state = GameState(
        id="game",
        game=rules.key,
        options=options,
        status="started",
        players=tuple(Player(place, side, is_guest=False) for place, side in enumerate(rules.sides)),
        version=0,
        position=rules.initial(options),
        moves=(),
        result=None,
        rated=False,
        control=None,
        clock=None,
        takeback=None,
        taken_back_to=None,
        undos=0,
        submitted=False,
        aborted_by=None,
        created_at=datetime.now(UTC),
    )
    for ply in range(_PLIES):
        moves = [move for move in state.legal_moves if move != "pass"]
        decision = play_for_side(state, moves[37 * ply % len(moves)], uuid.uuid4(), 0)
        if decision.after.result:
            break
        state = decision.after
    return state


def milliseconds(work: Callable[[], object], rounds: int) -> float:
    """Return the median time of one call."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return 1000 * sorted(times)[rounds // 2]


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    for rules, board in BOARDS.items():
        state = game(rules)

        def draw(state: GameState = state, board: Any = board) -> object:
            last = state.moves[-1].move
            return board.draw(state.position, last_move=last, playable=True, finished=False, live=True)

        def draw_cold(draw: Callable[[], object] = draw) -> object:
            for cache in _CACHES:
                cache.cache_clear()
            return draw()

        def push(state: GameState = state) -> bytes:
            updates._last = updates._Drawings()
            return updates.moves_update(state, state.side_to_move or "", state.ply - 1, "en").text

        cold, warm = milliseconds(draw_cold, 50), milliseconds(draw, _ROUNDS)
        title = f"{rules.title} {board.size_text(state.options | {'rounds': 1})}, {len(rules.sides)} players"
        print(f"{title}: warm {warm:.3f} ms, cold {cold:.3f} ms ({cold / warm:.1f} times)")
        whole = milliseconds(push, _ROUNDS)
        size = len(push()) / 1000
        print(f"  whole push to a role: {whole:.3f} ms ({whole / warm:.1f} times the board), {size:.1f} kB")


if __name__ == "__main__":
    main()
