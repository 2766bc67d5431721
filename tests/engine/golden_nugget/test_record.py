"""The record file of Golden Nugget: valid and invalid forms, and round trips."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.golden_nugget.board import FORCES
from engine.golden_nugget.problems import LISTED
from engine.golden_nugget.record import (
    MAX_BYTES,
    Record,
    RecordedBoard,
    RecordUnreadable,
    decode,
    from_moves,
    in_short,
    is_move,
    parse,
    to_text,
    without_positions,
)

NUMBERS = " ".join(map(str, range(1, 50)))


def moves(text):
    """The moves of each board of a text without problems."""
    parsed = parse(text)
    assert parsed.problems == ()
    assert parsed.in_order == len(parsed.record.boards)
    return [" ".join(board.moves) for board in parsed.record.boards]


def problems(text):
    """The problems as (code, board, move)."""
    return [(problem.code, problem.board, problem.move) for problem in parse(text).problems]


# Valid forms


@pytest.mark.parametrize(
    "text",
    [
        "board 1: P7 54 L6",
        "board 1:p7 54 l6\n",
        "BOARD  01 :P7,54,L6",
        "board 1: P7 , 54 ,\tL6,",
        "\n\n# a comment: board 2\nboard 1: P7 54 # L5\n\nL6",
        "board 1:\nP7\r\n54\rL6",
    ],
)
def test_equivalent_forms_of_a_board(text):
    assert moves(text) == ["P7 54 L6"]


def test_short_notation_is_preserved():
    assert moves("board 1: P 5 l\nboard 2: P7 5 L") == ["P 5 L", "P7 5 L"]


def test_empty_texts_have_no_boards():
    for text in ("", "\n", "# nothing", " ,,, "):
        assert parse(text) == from_moves([])


def test_positions():
    parsed = parse(f"board 1: P\nPosition 1: {NUMBERS}\nboard 2: 5\nposition 2: 01,\n{NUMBERS[2:]}")
    assert parsed.problems == ()
    assert [board.position for board in parsed.record.boards] == [tuple(range(1, 50))] * 2


def test_a_comment_ends_only_at_a_line_end():
    assert parse("# \f\v\x1c\x85\u2028 board 1: P") == parse("")


def test_moves_given_as_lists():
    assert from_moves([["P7", "5"], ["l"]]) == parse("board 1: P7 5\nboard 2: L")
    reported = from_moves([["P"], ["P 7", "", "P8", "5"]]).problems
    assert [(problem.board, problem.move) for problem in reported] == [(2, 1), (2, 2), (2, 3)]


def test_a_byte_order_mark_is_removed():
    assert decode(b"\xef\xbb\xbfboard 1: P") == "board 1: P"


def test_is_move_recognises_moves_only():
    assert all(is_move(force) and is_move(f"{force}7") for force in FORCES)
    assert not any(
        map(
            is_move,
            [
                "",
                "p",
                "V",
                "0",
                "8",
                "P0",
                "P8",
                "P77",
                "PP",
                "7P",
                " P",
                "٣",
                "ß",
                "\u212a",
                "\u017f",
                "\u0131",
                "\u0130",
            ],
        )
    )


# Invalid forms


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("P 5 L", ("syntax", None, None)),
        ("P 5 L\nL", ("syntax", None, None)),
        ("bord 1: P", ("syntax", None, None)),
        (": P", ("syntax", None, None)),
        ("board: P", ("syntax", None, None)),
        ("board one: P", ("syntax", None, None)),
        ("board 1 2: P", ("syntax", None, None)),
        ("board ²: P", ("syntax", None, None)),
        (f"board {'1' * 5000}: P", ("syntax", None, None)),
        ("board 1: P X9 5", ("syntax", 1, 2)),
        ("board 1: P\nboard 2: P7 P0", ("syntax", 2, 2)),
        ("board 1: P;5", ("syntax", 1, 1)),
        ("board 1: P\0", ("syntax", 1, 1)),
        ("board 1: P : 5", ("syntax", 1, 2)),
        ("board 1: P\nposition 1: 1 2 3", ("syntax", 1, None)),
        (f"board 1: P\nposition 1: 0 {NUMBERS[2:]}", ("syntax", 1, None)),
        (f"board 1: P\nposition 1: {NUMBERS} 50", ("syntax", 1, None)),
        (f"board 1: P\nposition 1: {NUMBERS[:-2]}4x", ("syntax", 1, None)),
        ("board 2: P", ("board_order", 2, None)),
        ("board 0: P\nboard 1: 5", ("board_order", 0, None)),
        ("board 1: P\nboard 3: 5\nboard 4: L", ("board_order", 3, None)),
        ("board 1: P\nboard 1: 5", ("board_order", 1, None)),
        (f"position 1: {NUMBERS}", ("board_order", 1, None)),
        (f"board 1: P\nposition 2: {NUMBERS}", ("board_order", 2, None)),
        (f"board 1: P\nposition 1: {NUMBERS}\nposition 1: {NUMBERS}", ("board_order", 1, None)),
    ],
)
def test_each_fault_is_reported(text, problem):
    assert problems(text)[0] == problem
    messages = [each.message for each in parse(text).problems]
    assert all(message.endswith(".") and len(message) < 120 for message in messages)


def test_a_single_fault_is_a_single_problem():
    assert len(problems("P 5\nL\n5 P")) == 1
    assert len(problems("bord 1: P 5\nL what")) == 1
    assert len(problems("board 1: P\nboard 3: 5\nboard 4: L")) == 1


def test_boards_after_a_gap_are_not_in_order():
    assert parse("board 1: P\nboard 3: 5\nboard 4: L").in_order == 1
    assert parse("board 2: P\nboard 3: 5").in_order == 0
    assert parse("board 1: P\nbord 2: P\nboard 3: 5").in_order == 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"x" * (MAX_BYTES + 1), "over 256 KiB"),
        ("board 1: P".encode("utf-16"), "UTF-16"),
        ("board 1: P".encode("utf-16-be"), "NUL"),
        (b"board 1: P\0", "NUL"),
        (b"board 1: \xe9", "not UTF-8 text: see its byte 10"),
    ],
)
def test_bytes_that_are_not_text(data, message):
    with pytest.raises(RecordUnreadable, match=message):
        decode(data)


def test_a_file_may_have_the_maximum_size():
    assert len(decode(b"#" * MAX_BYTES)) == MAX_BYTES


@pytest.mark.parametrize("line", ["board 1:\n", "x:\n", "board 1: x x x x\n", "position 1:\n", "x " * 10_000])
def test_the_list_of_problems_is_limited(line):
    parsed = parse(line * (MAX_BYTES // len(line)))
    assert len(parsed.problems) in (1, LISTED)
    assert parsed.more == (len(parsed.problems) == LISTED)


@given(st.text(st.sampled_from("board position 12:#,\nP7x\0é"), max_size=80) | st.text(max_size=80))
def test_parsing_never_raises(text):
    parsed = parse(text)
    assert 0 <= parsed.in_order <= len(parsed.record.boards)
    if not parsed.problems:
        assert parse(to_text(parsed.record)) == parsed


# Writing

written_moves = st.sampled_from([force + lifted for force in FORCES for lifted in ("", *"1234567")])
positions = st.none() | st.permutations(range(1, 50)).map(tuple)
records = st.lists(
    st.builds(RecordedBoard, st.lists(written_moves, max_size=12).map(tuple), positions), max_size=5
).map(lambda boards: Record(tuple(boards)))


@given(records)
def test_records_survive_a_round_trip(record):
    for form in (record, in_short(record), without_positions(record)):
        parsed = parse(to_text(form))
        assert (parsed.record, parsed.problems, parsed.in_order) == (form, (), len(form.boards))
    assert in_short(record).boards == tuple(
        RecordedBoard(tuple(move[0] for move in board.moves), board.position) for board in record.boards
    )


def test_the_text_of_a_record():
    record = Record((RecordedBoard(("P7", "54"), tuple(range(1, 50))), RecordedBoard(("L",))))
    assert to_text(record) == f"board 1: P7 54\nposition 1: {NUMBERS}\nboard 2: L\n"
