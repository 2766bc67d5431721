"""Verifying an entry: the whole record is replayed, and every problem that can be reached is told."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.golden_nugget.board import MAX_MOVES, START, Board, IllegalPush, Push, is_solved, push, turn
from engine.golden_nugget.ranking import MAX_BOARDS, MIN_BOARDS, Mean, mean_of
from engine.golden_nugget.record import (
    MAX_PROBLEMS,
    Problem,
    WrittenBoard,
    WrittenRecord,
    parse,
    parse_lists,
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a verifier finds: the boards that replay to a solution, from board 1 on, and the problems."""

    boards: tuple[tuple[Push, ...], ...]
    problems: tuple[Problem, ...]

    @property
    def is_valid(self) -> bool:
        """Tell whether this may be an entry."""
        return not self.problems

    @property
    def counts(self) -> list[int]:
        """Give the moves on each board."""
        return [len(moves) for moves in self.boards]

    @property
    def mean(self) -> Mean | None:
        """Give the mean of the boards, or None when there is none."""
        return mean_of(self.counts) if self.boards else None

    def as_dict(self) -> dict[str, Any]:
        """Give the verdict as the API and the command line tell it."""
        return {
            "valid": self.is_valid,
            "boards": len(self.boards),
            "moves": sum(self.counts),
            "mean": self.mean.as_dict() if self.mean else None,
            "errors": [problem.as_dict() for problem in self.problems],
        }


def verify(text: str) -> Verdict:
    """Verify the text of a record file."""
    return _verify(parse(text))


def verify_lists(boards: Sequence[Sequence[str]]) -> Verdict:
    """Verify a record whose moves come as lists of words, one for each board."""
    return _verify(parse_lists(boards))


def _verify(record: WrittenRecord) -> Verdict:
    problems = list(record.problems)
    out_of_order = {problem.board for problem in problems if problem.code == "board_order"}
    solved: list[tuple[Push, ...]] = []
    start: Board | None = START
    for written in record.boards:
        if start is None or written.number in out_of_order:
            break  # what follows could be checked for its writing only, and has been
        end, moves = _replay(start, written, problems)
        start = turn(end) if end is not None else None
        if end is not None:
            solved.append(moves)
    _check_length(len(record.boards), problems)
    problems.sort(key=lambda problem: (problem.board or 0, problem.move or MAX_MOVES + 1))
    return Verdict(tuple(solved), tuple(problems[:MAX_PROBLEMS]))


def _replay(
    board: Board, written: WrittenBoard, problems: list[Problem]
) -> tuple[Board | None, tuple[Push, ...]]:
    """Replay one board; gives how it lies when solved (None: it is not) and its moves."""
    moves: list[Push] = []

    def tell(move: int | None, code: str, message: str) -> None:
        problems.append(Problem(written.number, move, code, message, board))

    for number, move in enumerate(written.moves, 1):
        if move is None:
            _locate(problems, written.number, number, board)
            return None, ()
        if number > MAX_MOVES:
            tell(number, "too_many_moves", f"A board has at most {MAX_MOVES} moves.")
            return None, ()
        try:
            after, made = push(board, move.force)
        except IllegalPush as illegal:
            tell(number, illegal.reason, f"Force {move.force}: {illegal}")
            return None, ()
        if move.lifted not in (None, made.lifted):
            written_move = f"{move.force}{move.lifted}"
            tell(number, "wrong_lift", f"{written_move} should be {made.full}: the farthest white is lifted.")
        board = after
        moves.append(made)
    if not is_solved(board):
        tell(len(moves) or None, "not_solved", "After its last move the board is not solved.")
        return None, ()
    if written.position not in (None, board.cells):
        tell(None, "wrong_position", "The position written differs from the one reached.")
    return board, tuple(moves)


def _locate(problems: list[Problem], board: int, move: int, position: Board) -> None:
    """Tell of a move that could not be read how the board lay there."""
    for place, problem in enumerate(problems):
        if (problem.board, problem.move) == (board, move):
            problems[place] = replace(problem, position=position)


def _check_length(boards: int, problems: list[Problem]) -> None:
    if boards < MIN_BOARDS:
        problems.append(
            Problem(
                boards or None,
                None,
                "too_few_boards",
                f"An entry has at least {MIN_BOARDS} boards, not {boards}.",
            )
        )
    if boards > MAX_BOARDS:
        problems.append(
            Problem(
                MAX_BOARDS + 1,
                None,
                "too_many_boards",
                f"An entry has at most {MAX_BOARDS} boards, not {boards}.",
            )
        )
