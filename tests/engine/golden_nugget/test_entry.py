"""The verifier of Golden Nugget: valid entries, and the problem reported for each fault."""

import hashlib
import re
import time
from pathlib import Path

import pytest

from engine.golden_nugget.board import FORCES
from engine.golden_nugget.entry import canonical, verify, verify_file
from engine.golden_nugget.problems import LISTED, Code
from engine.golden_nugget.record import (
    MAX_BYTES,
    Record,
    RecordedBoard,
    from_moves,
    in_short,
    parse,
    to_text,
    without_positions,
)

SHA256 = "f87e909d38877ed87879376ffd24ff0d4b5d4e2838fefce7a6f5db08ff5d174b"
"""The hash of the sample. It must never change, because receipts contain such hashes."""


@pytest.fixture(scope="module")
def record(sample):
    return parse(sample).record


def with_moves(record, number, moves):
    """The record without positions and with other moves on one board."""
    boards = list(without_positions(record).boards)
    boards[number - 1] = RecordedBoard(tuple(moves))
    return Record(tuple(boards))


def problems(record_or_text):
    """The problems of a record as (code, board, move)."""
    text = record_or_text if isinstance(record_or_text, str) else to_text(record_or_text)
    verdict = verify_file(text.encode())
    assert (
        verdict.valid == (verdict.mean is not None) == (verdict.sha256 is not None) == (not verdict.problems)
    )
    for problem in verdict.problems:
        assert problem.message.endswith(".")
    return [(problem.code, problem.board, problem.move) for problem in verdict.problems]


# Valid entries


def test_the_sample_is_valid(sample, record):
    verdict = verify_file(sample.encode())
    assert verdict.valid
    moves = sum(len(board.moves) for board in record.boards)
    assert verdict.as_json() == {
        "valid": True,
        "boards": 20,
        "moves": moves,
        "mean": {"moves": moves, "boards": 20, "text": f"{moves / 20:.2f}"},
        "errors": [],
    }
    assert verdict.record == record
    assert verdict.counts == tuple(len(board.moves) for board in record.boards)


def test_an_entry_has_the_same_hash_in_every_notation(sample, record):
    forms = [
        record,
        without_positions(record),
        in_short(record),
        in_short(without_positions(record)),
    ]
    verdicts = [verify(parse(to_text(form))) for form in forms]
    verdicts.append(verify(from_moves([list(board.moves) for board in record.boards])))
    verdicts.append(
        verify_file(sample.replace("7 ", "7,,").lower().replace("\n", "\r\n").encode("utf-8-sig"))
    )
    assert {verdict.sha256 for verdict in verdicts} == {SHA256}
    assert all(verdict.record == record for verdict in verdicts)


def test_the_canonical_form_is_one_line_per_board(record):
    text = canonical(record)
    assert hashlib.sha256(text.encode()).hexdigest() == SHA256
    lines = text.split("\n")
    assert len(lines) == 21
    assert lines[-1] == ""
    for number, line in enumerate(lines[:-1], start=1):
        assert re.fullmatch(rf"board {number}:( [1-7A-U][2-7])+", line)


def test_a_board_may_continue_after_a_solved_position(record):
    first = record.boards[0].moves
    for there in FORCES:
        for back in FORCES:
            if not problems(longer := with_moves(record, 1, [*first, there, back])):
                assert verify(parse(to_text(longer))).counts[0] == len(first) + 2
                most = with_moves(record, 1, [*first, *[there, back] * ((99 - len(first)) // 2)])
                over = with_moves(record, 1, [*first, *[there, back] * ((101 - len(first)) // 2)])
                assert problems(most) == []
                assert problems(over) == [("too_many_moves", 1, 100)]
                return
    raise AssertionError


# A problem for each code


def test_syntax(record):
    moves = list(record.boards[4].moves)
    moves[6] = "X9"
    moves[8] = "P0"
    assert problems(with_moves(record, 5, moves)) == [("syntax", 5, 7), ("syntax", 5, 9)]


def test_board_order(record):
    text = to_text(without_positions(record))
    assert problems(text.replace("board 7:", "board 8:"))[0] == ("board_order", 8, None)
    lines = text.splitlines()
    assert problems("\n".join(lines[:6] + lines[7:])) == [
        ("too_few_boards", None, None),
        ("board_order", 8, None),
    ]
    assert problems("\n".join([*lines[:6], lines[5], *lines[6:]])) == [
        ("board_order", 6, None),
    ]


def test_boards_out_of_order_are_only_checked_for_syntax(record):
    text = to_text(without_positions(record)).replace("board 20:", "board 20: X")
    text = text.replace("board 3:", "board 3: 1 1 1 1 1 1 1 1 1").replace("board 2:", "board 22:")
    assert ("syntax", 20, 1) in problems(text)
    assert not {"not_solved", "no_white", "no_colour_moves"} & {code for code, _, _ in problems(text)}


def test_no_colour_moves(record):
    assert problems(with_moves(record, 2, ["1"] * 30))[0][:2] == ("no_colour_moves", 2)
    text = "board 1: 1 1 1 1"
    (problem,) = (each for each in verify_file(text.encode()).problems if each.board)
    assert (problem.code, problem.move) == ("no_colour_moves", 4)
    assert problem.message == "Force 1 would move no coloured block."


def test_no_white():
    text = "board 1: 2 4 6 C"  # three columns bring colours into the gaps of row 3
    (problem,) = (each for each in verify_file(text.encode()).problems if each.board)
    assert (problem.code, problem.move) == ("no_white", 4)
    assert problem.message == "The line of force C has no white block to lift."


def test_an_illegal_move_ends_the_replay_but_not_the_syntax_check(record):
    moves = list(record.boards[2].moves)
    broken = with_moves(record, 3, [*["1"] * 30, "X", *moves])
    boards = list(broken.boards)
    boards[10] = RecordedBoard(("P", "what"))
    reported = problems(Record(tuple(boards)))
    assert [code for code, _, _ in reported] == ["no_colour_moves", "syntax", "syntax"]
    assert reported[1:] == [("syntax", 3, 31), ("syntax", 11, 2)]


def test_wrong_lift(record):
    moves = list(record.boards[2].moves)
    force, lifted = moves[3]
    moves[3] = force + ("7" if lifted != "7" else "6")
    moves[5] = moves[5][0]  # the short notation has no lifted square
    assert problems(with_moves(record, 3, moves)) == [("wrong_lift", 3, 4)]
    (problem,) = verify(parse(to_text(with_moves(record, 3, moves)))).problems
    assert problem.message == (
        f"Force {force} lifts the block on square {lifted} there: the move is {force}{lifted}."
    )


def test_too_many_moves():
    assert ("too_many_moves", 1, 100) in problems("board 1: " + "U A " * 51)


def test_not_solved(record):
    moves = record.boards[19].moves
    assert problems(with_moves(record, 20, moves[:-1])) == [("not_solved", 20, None)]
    assert problems(with_moves(record, 20, [])) == [("not_solved", 20, None)]


def test_wrong_position(record):
    boards = list(record.boards)
    cells = list(boards[4].position)
    cells[8], cells[9] = cells[9], cells[8]
    boards[4] = RecordedBoard(boards[4].moves, tuple(cells))
    cells = (boards[6].position[0],) * 49
    boards[6] = RecordedBoard(boards[6].moves, cells)
    assert problems(Record(tuple(boards))) == [("wrong_position", 5, None), ("wrong_position", 7, None)]
    message = verify(parse(to_text(Record(tuple(boards))))).problems[0].message
    assert message.startswith(f"Position 5 has block {boards[4].position[8]} in row 2, column 2, where ")


def test_too_few_boards(record):
    assert problems(Record(record.boards[:19])) == [("too_few_boards", None, None)]
    assert problems("") == [("too_few_boards", None, None)]


def test_too_many_boards(record):
    text = "".join(f"board {number}: P\n" for number in range(1, 202))
    assert ("too_many_boards", 201, None) in problems(text)
    assert ("too_many_boards", 201, None) not in problems(text.replace("board 201: P\n", ""))


def test_every_code_is_tested():
    source = Path(__file__).read_text(encoding="utf-8")
    assert all(f"def test_{code}(" in source for code in Code)


# Hostile files


@pytest.mark.parametrize(
    "data",
    [
        b"x" * 300 * 1024,
        b"board 1: P\0",
        "board 1: P".encode("utf-16"),
        b"\xff" * 1000,
    ],
)
def test_bytes_that_are_not_text_are_a_syntax_problem(data):
    verdict = verify_file(data)
    assert [(problem.code, problem.board) for problem in verdict.problems] == [("syntax", None)]
    assert verdict.as_json()["mean"] is None


@pytest.mark.parametrize(
    "line",
    [
        "board 1:\n",
        "board 1: 1\n",
        "x\n",
        "x:\n",
        ":",
        ",",
        "#",
        "\n",
        "U A ",
        "board 1: " + "U A " * 1000,
        "position 1: 1\n",
        "(((((",
        "é",
    ],
)
def test_hostile_files_are_verified_quickly(line):
    data = (line * MAX_BYTES).encode()[:MAX_BYTES] if len(line) < 100 else (line * 60).encode()
    started = time.process_time()
    verdict = verify_file(data)
    assert time.process_time() - started < 3  # takes 0.3 s at most on a quiet machine
    assert not verdict.valid
    assert len(verdict.problems) <= LISTED
    assert verdict.as_json().get("more_errors", False) == (len(verdict.problems) == LISTED)
