"""Rendering: a 10x10 board, and the whole push of a move, warm (squares cached) and cold."""

import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime

from app.games import present
from app.games.boards import BOARDS
from app.games.boards import jadejack as drawing
from app.games.state import GameState, Player
from engine.registry import GAMES

_PLIES = 70
_ROUNDS = 400


def game() -> GameState:
    """Give a game of 70 plies, each a legal move from somewhere else in the list."""
    rules = GAMES["jadejack"]
    players = (Player(1, "black", is_guest=False), Player(2, "white", is_guest=False))
    start = rules.initial({"size": 10})
    state = GameState(
        "game", "jadejack", {"size": 10}, "started", players, 0, start, (), None, datetime.now(UTC)
    )
    for ply in range(_PLIES):
        moves = state.legal_moves[:-1]
        state = state.after(moves[37 * ply % len(moves)], uuid.uuid4())
    return state


def milliseconds(work: Callable[[], object], rounds: int) -> float:
    """Give the median time of one call."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return 1000 * sorted(times)[rounds // 2]


def main() -> None:
    state = game()
    board = BOARDS["jadejack"]
    last = state.moves[-1].move

    def draw() -> object:
        return board.draw(state.position, last_move=last, playable=True, finished=False, live=True)

    def draw_cold() -> object:
        drawing._square.cache_clear()
        drawing._stack_svg.cache_clear()
        return draw()

    def push() -> str:
        present._rendered.cache_clear()
        return present.update(state, "black", state.ply - 1)

    cold, warm = milliseconds(draw_cold, 50), milliseconds(draw, _ROUNDS)
    print(f"10x10 board: warm {warm:.3f} ms, cold {cold:.3f} ms ({cold / warm:.1f} times)")
    whole = milliseconds(push, _ROUNDS)
    size = len(push()) / 1000
    print(f"whole push to a role: {whole:.3f} ms ({whole / warm:.1f} times the board), {size:.1f} kB")


if __name__ == "__main__":
    main()
