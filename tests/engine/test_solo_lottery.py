"""Boards of the day of the games for one follow from their seeds as the documentation says."""

import hashlib
import random
from collections import Counter

import pytest

from app.core.settings import ROOT
from engine import squares, symmetry
from engine.registry import SOLITAIRE
from engine.solo_lottery import SIZES, draw

games = pytest.mark.parametrize("rules", SOLITAIRE.values(), ids=SOLITAIRE)


def seed_of(number):
    return hashlib.sha256(number.to_bytes(4)).digest()


def drawn_as_documented(seed):
    first, second = (
        int(hashlib.sha256(seed + number.to_bytes(8, "big")).hexdigest(), 16) for number in (1, 2)
    )
    size = first % 5 + 6
    row, column = divmod(second % size**2, size)
    return size, f"{'abcdefghij'[column]}{row + 1}"


@games
def test_a_board_follows_from_its_seed(rules):
    for number in range(200):
        board = draw(rules, seed_of(number))
        assert (board.options["size"], board.first) == drawn_as_documented(seed_of(number))
        assert rules.legal_moves(rules.play(rules.initial(board.options), board.first))


@games
def test_a_position_began_on_a_board_however_that_lies(rules):
    for number in range(20):
        board = draw(rules, seed_of(number))
        size, choose = board.options["size"], random.Random(number).choice
        start, first = rules.initial(board.options), squares.indices(size)[board.first]
        alike = {turn.targets[first] for turn in symmetry.turns(size)}
        assert not board.begins(rules, start)
        assert not board.begins(rules, rules.play(rules.initial({"size": size - 1}), "a1"))
        for square, move in enumerate(rules.legal_moves(start)):
            position = rules.play(start, move)
            for _ in range(4):
                assert board.begins(rules, position) == (square in alike)
                position = rules.play(position, choose(rules.legal_moves(position)))


@games
def test_all_sizes_and_squares_are_equally_likely(rules):
    boards = [draw(rules, seed_of(number)) for number in range(4000)]
    sizes = Counter(board.options["size"] for board in boards)
    assert sizes.keys() == set(SIZES)
    assert max(sizes.values()) < 900
    squares = Counter(board.first for board in boards if board.options["size"] == 6)
    assert len(squares) == 36
    assert max(squares.values()) < 50


@games
def test_the_example_of_the_documentation_is_right(rules):
    board = draw(rules, bytes(range(32)))
    text = (ROOT / "docs" / "solo-days.md").read_text()
    assert f"a board of size {board.options['size']} with the first number on `{board.first}`" in text
