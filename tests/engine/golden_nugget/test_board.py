"""The board of Golden Nugget: the rules by example, then properties of random boards."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import IllegalMove, MoveSyntaxError
from engine.golden_nugget.blocks import COLOURS, Colour, Face
from engine.golden_nugget.board import (
    FORCES,
    START,
    Board,
    IllegalPush,
    Move,
    Strips,
    parse,
    push,
    pushes,
    solved,
    to_text,
    turn,
    undo,
)
from tests.engine.golden_nugget.boards import COLUMNS, ROWS, any_boards, arranged, reached_boards


def after(board, *forces):
    for force in forces:
        board, _ = push(board, force)
    return board


def reason(board, force):
    """The reason why the push is illegal."""
    with pytest.raises(IllegalPush) as caught:
        push(board, force)
    assert str(pushes(board)[force]) == str(caught.value)
    assert str(caught.value).endswith(".")
    return caught.value.reason


# Text


@given(any_boards(), st.data())
def test_a_board_has_exactly_one_text(board, data):
    text = to_text(board)
    assert parse(text) == board
    place = data.draw(st.integers(0, len(text)))
    other = data.draw(st.text("+-_ 0123456789,:AB\n٣", max_size=2))
    changed = text[:place] + other + text[place + data.draw(st.integers(0, 2)) :]
    try:
        read = parse(changed)
    except MoveSyntaxError:
        return
    assert to_text(read) == changed


@pytest.mark.parametrize("written", ["+{}", " {}", "{} ", "0{}", "{}.0", "{}_0"])
def test_a_number_is_written_in_one_way(written):
    with pytest.raises(MoveSyntaxError):
        parse("A:" + ",".join(written.format(block) for block in START.cells))


# Blocks


def spiral():
    """The squares in a clockwise spiral inward from the top left."""
    y, x, dy, dx = 0, 0, 0, 1
    seen = set()
    while len(seen) < 49:
        seen.add((y, x))
        yield 7 * y + x
        if not (0 <= y + dy < 7 and 0 <= x + dx < 7) or (y + dy, x + dx) in seen:
            dy, dx = dx, -dy
        y, x = y + dy, x + dx


def test_face_a_is_the_spiral_of_figure_10():
    cycle = ["yellow", "white", "blue", "white", "pink", "white", "red", "white", "green", "white"] * 5
    assert [COLOURS[Face.A][START.cells[square]] for square in spiral()] == cycle[:49]


@pytest.mark.parametrize("face", Face)
def test_each_face_has_24_white_blocks_and_5_of_each_other_colour(face):
    assert list(COLOURS[face]) == list(range(1, 50))
    assert Counter(COLOURS[face].values()) == dict.fromkeys(Colour, 5) | {Colour.WHITE: 24}


def test_face_b_is_as_in_figure_3():
    coloured = {
        Colour.YELLOW: {4, 7, 8, 21, 24},
        Colour.BLUE: {12, 14, 35, 43, 49},
        Colour.PINK: {9, 15, 29, 34, 42},
        Colour.RED: {19, 37, 38, 39, 46},
        Colour.GREEN: {16, 26, 31, 33, 36},
    }
    for colour, blocks in coloured.items():
        assert {block for block, shown in COLOURS[Face.B].items() if shown is colour} == blocks


def test_twelve_blocks_are_white_on_one_face_only():
    white = [{block for block in COLOURS[face] if COLOURS[face][block] is Colour.WHITE} for face in Face]
    assert [len(white[0] - white[1]), len(white[1] - white[0])] == [12, 12]


# Forces


def test_forces_are_named_clockwise_from_the_top_left():
    assert "".join(FORCES) == "1234567ABCDEFGHIJKLMNOPQRSTU"
    assert [line[0] for line in FORCES.values()] == [
        *range(7),
        *range(6, 49, 7),
        *range(48, 41, -1),
        *range(42, -1, -7),
    ]
    assert [line[-1] for line in FORCES.values()] == [
        *range(42, 49),
        *range(0, 43, 7),
        *range(6, -1, -1),
        *range(48, 5, -7),
    ]
    assert all(len(line) == 7 and len(set(line)) == 7 for line in FORCES.values())


# Pushing


def test_the_published_figures_7_to_9():
    seventh, first = push(START, "P")
    assert seventh.cells[35:42] == (42, 36, 37, 38, 39, 40, 41)
    eighth, second = push(seventh, "5")
    assert eighth.cells[4::7] == (26, 5, 12, 19, 33, 39, 47)
    ninth, third = push(eighth, "L")
    assert [str(first), str(second), str(third)] == ["P7", "54", "L6"]
    assert [first.short, second.short, third.short] == ["P", "5", "L"]
    assert ninth == Board(
        Face.A,
        (
            *(1, 2, 3, 4, 26, 6, 7),
            *(8, 9, 17, 11, 5, 13, 14),
            *(15, 16, 24, 18, 12, 20, 21),
            *(22, 23, 31, 25, 19, 27, 28),
            *(29, 30, 37, 32, 33, 34, 35),
            *(42, 36, 45, 38, 39, 40, 41),
            *(43, 44, 10, 46, 47, 48, 49),
        ),
    )


def test_blocks_beyond_the_lifted_block_stay():
    board = arranged("rwyyyyy gggggww bbbbbww pppppww rrrrwww wwwwwww wwwwwww")
    after, move = push(board, "U")
    assert move == Move("U", 2)
    assert after.cells[:3] == (board.cells[1], board.cells[0], board.cells[2])
    assert after.cells[3:] == board.cells[3:]


def test_a_line_without_white_cannot_be_pushed():
    board = arranged("rrrrryy gggggwy bbbbbwy pppppwy wwwwwww wwwwwww wwwwwww")
    assert reason(board, "U") == reason(board, "A") == "no_white"
    assert str(pushes(board)["A"]) == "The line of force A has no white block to lift."


def test_a_push_must_move_a_coloured_block():
    board = arranged("rwwwwww wwwwwww wgggggw wyyyyyw wbbbbbw wpppppw wwrrrrw")
    assert reason(board, "T") == "no_colour_moves"  # a white line
    assert reason(board, "A") == "no_colour_moves"  # the coloured blocks are beyond the lifted block
    assert isinstance(pushes(board)["U"], Move)
    lone = arranged("wrrrrry gggggyy bbbbbyy pppppww wwwwwww wwwwwww wwwwwww")
    assert reason(lone, "U") == "no_colour_moves"  # the only white block is next to the force
    assert str(pushes(lone)["U"]) == "Force U would move no coloured block."
    assert isinstance(pushes(lone)["A"], Move)


def test_an_unknown_force_is_a_key_error():
    with pytest.raises(KeyError):
        push(START, "V")


def test_every_force_can_push_at_the_start():
    moves = pushes(START)
    assert list(moves) == list(FORCES)
    assert all(isinstance(move, Move) and move.force == force for force, move in moves.items())


@given(reached_boards())
def test_undo_is_the_inverse_of_push(board):
    for force, move in pushes(board).items():
        if isinstance(move, Move):
            pushed, made = push(board, force)
            assert made == move
            assert undo(pushed, made) == board
            assert sorted(pushed.cells) == list(range(1, 50))
            assert pushed.face is board.face
            white = COLOURS[board.face][pushed.cells[FORCES[force][0]]] is Colour.WHITE
            assert white


@given(reached_boards(), st.sampled_from(list(FORCES)), st.integers(-1, 9))
def test_undo_rejects_exactly_the_moves_that_cannot_have_been_made(board, force, lifted):
    move = Move(force, lifted)
    line = [COLOURS[board.face][board.cells[square]] is Colour.WHITE for square in FORCES[force]]
    if 2 <= lifted <= 7 and line[0] and not all(line[1:lifted]) and not any(line[lifted:]):
        assert push(undo(board, move), force) == (board, move)
    else:
        with pytest.raises(IllegalMove, match="cannot be the move") as caught:
            undo(board, move)
        assert caught.value.reason == "not_made"


# Solved boards


@pytest.mark.parametrize("face", Face)
def test_strips_may_run_along_rows_or_columns(face):
    assert solved(arranged(ROWS, face)) is Strips.ROWS
    assert solved(arranged(COLUMNS, face)) is Strips.COLUMNS


def test_boards_that_are_not_solved():
    assert solved(START) is None
    assert (
        solved(arranged("yyyyyww bbbbbww pppppww rrrrrww gggggww wwwwwww wwwwwww")) is None
    )  # not in the middle
    assert (
        solved(arranged("wwwwwww wyyyybw wbbbbyw wpppppw wrrrrrw wgggggw wwwwwww")) is None
    )  # two blocks swapped
    assert solved(arranged("yyyyyww wwwwwww wbbbbbw wpppppw wrrrrrw wgggggw wwwwwww")) is None  # a white row
    assert solved(turn(arranged(ROWS))) is None  # only the visible face counts


@given(any_boards())
def test_turning_keeps_every_block_on_its_square(board):
    turned = turn(board)
    assert turned.cells == board.cells
    assert turned.face is not board.face
    assert turn(turned) == board


def test_boards_are_values():
    assert after(START, "P", "5") == after(START, "P", "5")
    assert replace(START, face=Face.B) == turn(START)
    assert len({START, turn(START), after(START, "P")}) == 3
