"""Verifying an entry to Golden Nugget: the record is replayed and all problems are reported."""

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from engine.golden_nugget.board import (
    MAX_BOARDS,
    MIN_BOARDS,
    MOVE_LIMIT,
    START,
    Board,
    IllegalPush,
    push,
    solved,
    turn,
)
from engine.golden_nugget.positions import follow
from engine.golden_nugget.problems import Code, Problem, Problems
from engine.golden_nugget.ranking import Mean, mean_of
from engine.golden_nugget.record import (
    Parsed,
    Record,
    RecordedBoard,
    RecordUnreadable,
    decode,
    is_move,
    parse,
    to_text,
    without_positions,
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a verification.

    `record` is the verified record; for a valid entry it is complete, with all moves in full notation and all
    positions. `problems` are in the order of boards and moves; `more` is true if there are others.
    """

    record: Record
    problems: tuple[Problem, ...]
    more: bool = False

    @property
    def valid(self) -> bool:
        """Return whether the record is a valid entry."""
        return not self.problems

    @property
    def counts(self) -> tuple[int, ...]:
        """Return the number of moves on each board of the record, legal or not."""
        return tuple(len(board.moves) for board in self.record.boards)

    @property
    def mean(self) -> Mean | None:
        """Return the mean of moves per board if the entry is valid, else None."""
        return mean_of(self.counts) if self.valid else None

    @property
    def sha256(self) -> str | None:
        """Return the hash that identifies the moves of a valid entry in any notation, else None.

        It is the SHA-256 of the canonical form (docs/golden-nugget-record.md), as 64 hexadecimal digits.
        """
        return hashlib.sha256(canonical(self.record).encode()).hexdigest() if self.valid else None

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as the API and the command line give it."""
        return {
            "valid": self.valid,
            "boards": len(self.counts),
            "moves": sum(self.counts),
            "mean": self.mean.as_json() if self.mean else None,
            "errors": [
                {
                    "board": problem.board,
                    "move": problem.move,
                    "code": problem.code,
                    "message": problem.message,
                }
                for problem in self.problems
            ],
        } | ({"more_errors": True} if self.more else {})


def canonical(record: Record) -> str:
    """Return the canonical form of a record: one line per board, without positions."""
    return to_text(without_positions(record))


def verify_file(data: bytes) -> Verdict:
    """Return the verdict on a record file. Bytes that are not a record are a `syntax` problem."""
    try:
        text = decode(data)
    except RecordUnreadable as error:
        return Verdict(Record(()), (Problem(Code.SYNTAX, str(error)),))
    return verify(parse(text))


def verify(parsed: Parsed) -> Verdict:
    """Return the verdict on a record, with every problem that a replay can reach.

    The replay stops at an illegal or unreadable move: later boards, like those out of order, are only checked
    for syntax. It makes at most 2 * MAX_BOARDS * MOVE_LIMIT pushes: if there is a problem with a move, the
    board is replayed once more.
    """
    problems = Problems(list(parsed.problems), parsed.more)
    count = len(parsed.record.boards)
    if count < MIN_BOARDS:
        problems.report(
            Code.TOO_FEW_BOARDS,
            "An entry has at least %(least)s solved boards, and this record %(boards)s.",
            least=MIN_BOARDS,
            boards=count,
        )
    elif count > MAX_BOARDS:
        problems.report(
            Code.TOO_MANY_BOARDS,
            "An entry has at most %(most)s boards, and this record %(boards)s.",
            MAX_BOARDS + 1,
            most=MAX_BOARDS,
            boards=count,
        )
    completed = []
    board = START
    in_order = parsed.record.boards[: min(parsed.in_order, MAX_BOARDS)]
    for number, recorded in enumerate(in_order, start=1):
        replayed = _replay(board, recorded, number, problems)
        if replayed is None:
            break
        board, moves = replayed
        completed.append(RecordedBoard(moves, board.cells))
        board = turn(board)
    by_move = sorted(problems.listed, key=lambda problem: (problem.board or 0, problem.move or 0))
    return Verdict(
        parsed.record if problems.listed else Record(tuple(completed)), tuple(by_move), problems.more
    )


def _replay(
    board: Board, recorded: RecordedBoard, number: int, problems: Problems
) -> tuple[Board, tuple[str, ...]] | None:
    """Return the board after its last move and the moves in full notation, or None if the replay stops."""
    made = _made(board, recorded.moves) or _made_with_problems(board, recorded, number, problems)
    if made is None:
        return None
    board, moves = made
    if not solved(board):
        problems.report(
            Code.NOT_SOLVED,
            "Board %(number)s is not solved after its last move.",
            number,
            position=board,
            number=number,
        )
    if recorded.position not in (None, board.cells):
        square = next(i for i in range(49) if recorded.position[i] != board.cells[i])
        problems.report(
            Code.WRONG_POSITION,
            "Position %(number)s has block %(block)s in row %(row)s, column %(column)s, where the moves "
            "bring block "
            "%(other)s.",
            number,
            position=board,
            number=number,
            block=recorded.position[square],
            row=square // 7 + 1,
            column=square % 7 + 1,
            other=board.cells[square],
        )
    return board, moves


def _made(board: Board, moves: Sequence[str]) -> tuple[Board, tuple[str, ...]] | None:
    """Return the board after moves and these in full notation, or None if there is a problem with one."""
    if len(moves) <= MOVE_LIMIT and all(map(is_move, moves)):
        with suppress(IllegalPush):
            way = follow(board, "".join(move[0] for move in moves))
            if all(written in (made, made[0]) for written, made in zip(moves, way.moves, strict=True)):
                return way.end, way.moves
    return None


def _made_with_problems(
    board: Board, recorded: RecordedBoard, number: int, problems: Problems
) -> tuple[Board, tuple[str, ...]] | None:
    """Report the problems with moves, and return as `_made` does, or None if the replay stops at one."""
    moves = []
    for count, written in enumerate(recorded.moves, start=1):
        if count > MOVE_LIMIT:
            problems.report(
                Code.TOO_MANY_MOVES,
                "Board %(number)s has %(moves)s moves; %(most)s may be made on a board.",
                number,
                count,
                board,
                number=number,
                moves=len(recorded.moves),
                most=MOVE_LIMIT,
            )
            return None
        if not is_move(written):
            problems.locate(number, count, board)
            return None
        before = board
        try:
            board, move = push(board, written[0])
        except IllegalPush as illegal:
            problems.report(Code(illegal.reason), illegal.message, number, count, board, **illegal.figures)
            return None
        made = str(move)
        if written not in (made, move.force):
            problems.report(
                Code.WRONG_LIFT,
                "Force %(force)s lifts the block on square %(square)s there: the move is %(made)s.",
                number,
                count,
                before,
                force=move.force,
                square=move.lifted,
                made=made,
            )
        moves.append(made)
    return board, tuple(moves)
