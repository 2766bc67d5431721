"""Playing a board: commands, undo and redo, turning."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.golden_nugget.board import MAX_BOARDS, MOVE_LIMIT, START, IllegalPush, turn
from engine.golden_nugget.play import Play, read_moves, write_moves
from tests.engine.golden_nugget.boards import COLUMNS, ROWS, arranged, walk


def after_commands(play, *words):
    for word in words:
        play = play.commanded(word)
    return play


def reason(play, word):
    with pytest.raises(IllegalPush) as caught:
        play.commanded(word)
    return caught.value.reason


@given(st.integers(0, 2**32), st.integers(1, 40), st.data())
def test_undo_redo_and_to_reach_every_position_of_the_line(seed, count, data):
    end, moves = walk(START, count, random.Random(seed))
    play = after_commands(Play(1, START), *(move.force for move in moves))
    assert (play.board, play.made) == (end, tuple(moves))
    target = data.draw(st.integers(0, count))
    earlier = play.commanded(f"to:{target}")
    assert earlier.board == play.after(target)
    assert after_commands(earlier, *["redo"] * (count - target)) == play
    assert after_commands(play, *["undo"] * (count - target)) == earlier
    assert play.commanded("start").board == START
    assert read_moves(write_moves(play.made)) == play.made


def test_a_new_move_discards_the_undone_moves():
    play = after_commands(Play(1, START), "P", "5", "undo", "L")
    assert [str(move) for move in play.made] == ["P7", "L6"]
    assert play.undone == ()
    assert reason(play, "redo") == "no_such_move"


def test_illegal_commands_are_rejected_with_the_reason():
    play = Play(1, START)
    assert reason(play, "undo") == "no_such_move"
    assert reason(play, "to:1") == "no_such_move"
    assert reason(play, "turn") == "not_solved"
    for word in ("", "V", "p", "PP", "to:", "to:-1", "to:٣", "to:9999999", "board 1", "\0"):
        assert reason(play, word) == "unknown_command"
    full = Play(1, START, made=read_moves("P7 F7 " * 49 + "P7"))
    assert len(full.made) == MOVE_LIMIT
    assert reason(full, "F") == "too_many_moves"


@pytest.mark.parametrize("letters", [ROWS, COLUMNS])
def test_turning_a_solved_board(letters):
    solved = arranged(letters)
    play = Play(7, solved)
    assert not play.is_solved  # no move has been made yet
    moved = play.commanded("2")  # lifts the block on square 7; force M puts it back
    assert reason(moved, "turn") == "not_solved"
    restored = moved.commanded("M")
    assert restored.board == solved
    assert restored.commanded("turn") == Play(8, turn(solved))
    assert reason(Play(MAX_BOARDS, solved, made=restored.made), "turn") == "too_many_boards"
