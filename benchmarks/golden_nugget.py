"""The speed of the rules of Golden Nugget: pushes, and verifying the largest possible entry.

The record has 200 boards of 99 random legal moves, in full. They solve no board, but the verifier continues
after an unsolved board, so it reads and replays all 19,800 moves.

    python -m benchmarks.golden_nugget
"""

import argparse
import random
import time
from collections.abc import Callable

from engine.golden_nugget.board import FORCES, MAX_BOARDS, MOVE_LIMIT, START, IllegalPush, Move, push, turn
from engine.golden_nugget.entry import verify_file
from engine.golden_nugget.problems import Code
from engine.golden_nugget.record import Record, RecordedBoard, to_text

ROUNDS = 15


def walks() -> list[list[Move]]:
    """Return the moves of each board."""
    generator = random.Random(1)
    forces = list(FORCES)
    board, boards = START, []
    for _ in range(MAX_BOARDS):
        moves: list[Move] = []
        while len(moves) < MOVE_LIMIT:
            try:
                board, move = push(board, generator.choice(forces))
            except IllegalPush:
                continue
            moves.append(move)
        boards.append(moves)
        board = turn(board)
    return boards


def seconds(step: Callable[[], object]) -> float:
    """Return the minimum of several rounds, because noise only adds time."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        step()
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    boards = walks()
    forces = [[move.force for move in moves] for moves in boards]
    data = to_text(Record(tuple(RecordedBoard(tuple(map(str, moves))) for moves in boards))).encode()

    def replay() -> None:
        board = START
        for moves in forces:
            for force in moves:
                board, _ = push(board, force)
            board = turn(board)

    verdict = verify_file(data)
    assert {problem.code for problem in verdict.problems} == {Code.NOT_SOLVED}
    assert len(verdict.problems) == MAX_BOARDS
    pushes = MAX_BOARDS * MOVE_LIMIT / seconds(replay)
    verifying = seconds(lambda: verify_file(data)) * 1e3
    print(f"{pushes:,.0f} pushes/s")
    print(f"{verifying:.1f} ms to verify {MAX_BOARDS} boards of {MOVE_LIMIT} moves")


if __name__ == "__main__":
    main()
