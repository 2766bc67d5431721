"""Square names and indices."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import IllegalMove, MoveSyntaxError
from engine.squares import indices, locate, names, spans


def test_names_go_row_by_row_from_the_bottom_left():
    assert names(3) == ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
    assert names(13)[-1] == "m13"


@pytest.mark.parametrize("size", range(1, 14))
def test_indices_are_the_inverse_of_names(size):
    assert [indices(size)[name] for name in names(size)] == list(range(size**2))
    assert [locate(name, size) for name in names(size)] == list(range(size**2))


@pytest.mark.parametrize("name", ["j1", "a10", "z99", "a100"])
def test_squares_of_larger_boards_are_off_board(name):
    with pytest.raises(IllegalMove, match=name) as caught:
        locate(name, 9)
    assert caught.value.reason == "off_board"


@pytest.mark.parametrize(
    "text", ["", "a", "1", "A1", "a0", "a01", "a-1", "1a", "aa1", "a1 ", " a1", "a1\n", "a٣", "é1"]
)
def test_other_text_is_not_a_square(text):
    with pytest.raises(MoveSyntaxError):
        locate(text, 9)


@given(st.data(), st.integers(3, 13))
def test_spans_are_runs_in_columns_and_rows_that_have_every_square_once(data, size):
    cells = data.draw(st.sets(st.integers(0, size**2 - 1)))
    named = []
    for first, last in spans(cells, size):
        (row, column), (to_row, to_column) = (divmod(locate(name, size), size) for name in (first, last))
        assert row == to_row or column == to_column
        named += [
            line * size + file for line in range(row, to_row + 1) for file in range(column, to_column + 1)
        ]
    assert sorted(named) == sorted(cells)
