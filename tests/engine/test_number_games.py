"""Jumping Farther & Farther and Up And Up: agreement with a naive model, and each rule by example."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import IllegalMove, MoveSyntaxError, Side, Termination
from engine.jumping_farther import JUMPING_FARTHER, JUMPING_SOLITAIRE
from engine.perft import perft
from engine.up_and_up import UP_AND_UP
from tests.engine import naive_numbers as naive

# The published sample game of Up And Up on 6 × 6, row by row from the top; 0 is an empty square.
SAMPLE = """
23 0 0 0 0 6
9 15 14 8 10 7
0 3 12 2 11 0
18 16 0 1 17 19
22 0 0 21 0 20
24 4 13 0 0 5
"""


def random_game(rules, size, seed, plies=1000):
    """The moves of a random game, and its last position."""
    generator, moves = random.Random(seed), []
    position = rules.initial({"size": size})
    while len(moves) < plies and (legal := rules.legal_moves(position)):
        moves.append(generator.choice(legal))
        position = rules.play(position, moves[-1])
    return moves, position


@given(st.integers(3, 12), st.integers(0, 2**32), st.integers(0, 144))
def test_jumping_agrees_with_the_naive_model(size, seed, plies):
    moves, position = random_game(JUMPING_FARTHER, size, seed, plies)
    first, second = naive.jumping_points(moves)
    assert JUMPING_FARTHER.legal_moves(position) == naive.jumping_moves(size, moves)
    assert JUMPING_FARTHER.score(position) == {"first": first, "second": second}
    alone = JUMPING_SOLITAIRE.parse(JUMPING_FARTHER.format(position))
    assert JUMPING_SOLITAIRE.legal_moves(alone) == JUMPING_FARTHER.legal_moves(position)
    assert JUMPING_SOLITAIRE.score(alone) == {"solo": first + second}


@given(st.integers(1, 12), st.integers(0, 2**32), st.integers(0, 144))
def test_up_and_up_agrees_with_the_naive_model(size, seed, plies):
    moves, position = random_game(UP_AND_UP, size, seed, plies)
    k, allowed, resets = naive.up_and_up(size, moves)
    assert UP_AND_UP.legal_moves(position) == allowed
    assert UP_AND_UP.score(position) == {"solo": len(moves), "resets": resets}
    assert position.step == k


@given(st.integers(3, 12), st.integers(0, 2**32))
def test_a_match_is_two_rounds_with_the_sides_exchanged(size, seed):
    (round_1, _), (round_2, _) = (random_game(JUMPING_FARTHER, size, seed + n) for n in (0, 1))
    match = JUMPING_FARTHER.initial({"size": size, "rounds": 2})
    for move in round_1:
        match = JUMPING_FARTHER.play(match, move)
    assert JUMPING_FARTHER.outcome(match) is None
    assert JUMPING_FARTHER.side_to_move(match) == Side.SECOND
    assert JUMPING_FARTHER.legal_moves(match) == naive.empty(size, [])
    for move in round_2:
        match = JUMPING_FARTHER.play(match, move)
    (odd, even), (odd_again, even_again) = naive.jumping_points(round_1), naive.jumping_points(round_2)
    first, second = odd + even_again, even + odd_again
    assert JUMPING_FARTHER.score(match) == {"first": first, "second": second}
    outcome = JUMPING_FARTHER.outcome(match)
    assert outcome.termination == Termination.NO_MOVE
    assert outcome.winner == (None if first == second else Side.FIRST if first > second else Side.SECOND)


def test_the_published_sample_game_is_legal():
    rows = [line.split() for line in SAMPLE.strip().splitlines()]
    at = {int(text): f"{'abcdef'[x]}{6 - y}" for y, row in enumerate(rows) for x, text in enumerate(row)}
    position = UP_AND_UP.parse(f"6:{','.join(at[number] for number in range(1, 25))}")
    assert UP_AND_UP.score(position)["solo"] == 24
    assert UP_AND_UP.outcome(position) is not None


def test_only_longer_jumps_score_and_never_the_first():
    position = JUMPING_FARTHER.initial({"size": 5})
    scores = []
    for move in ("c3", "c5", "a5", "a2", "b1"):  # jumps of 2, 2, 3, 1
        position = JUMPING_FARTHER.play(position, move)
        scores.append(tuple(JUMPING_FARTHER.score(position).values()))
    assert scores == [(0, 0), (0, 0), (0, 0), (0, 1), (0, 1)]


def test_occupied_squares_do_not_block_lines():
    position = JUMPING_FARTHER.parse("5:c2,a2 0 0")
    assert "e2" in JUMPING_FARTHER.legal_moves(position)  # over c2


def test_the_points_of_a_position_string_are_accepted():
    position = JUMPING_FARTHER.parse("5:c3,c5,a5 1 0")
    assert JUMPING_FARTHER.score(position) == {"first": 1, "second": 0}
    assert JUMPING_FARTHER.score(JUMPING_FARTHER.play(position, "a1")) == {"first": 1, "second": 1}


def test_k_resets_only_if_no_square_at_k_is_free():
    position = UP_AND_UP.parse("3:a1,a2")
    assert (position.k, position.step) == (2, 2)
    assert UP_AND_UP.legal_moves(position) == ["c2"]
    position = UP_AND_UP.play(position, "c2")
    assert (position.k, position.step) == (3, 1)  # three squares away is off the board
    position = UP_AND_UP.play(position, "c1")
    assert (position.k, position.resets) == (2, 1)


@pytest.mark.parametrize(
    ("rules", "position", "move", "reason"),
    [
        (JUMPING_FARTHER, "5:c3,c5 0 0", "c3", "occupied"),
        (JUMPING_FARTHER, "5:c3,c5 0 0", "b3", "not_on_a_line"),
        (JUMPING_FARTHER, "5:c3,c5 0 0", "f5", "off_board"),
        (JUMPING_FARTHER, "3:c2,b2,c3,a1,a2,b3,a3,c1,b1 0 2", "b2", "game_over"),
        (JUMPING_SOLITAIRE, "5:c3,c5 0 0", "b3", "not_on_a_line"),
        (UP_AND_UP, "6:a1,a2", "a1", "occupied"),
        (UP_AND_UP, "6:a1,a2", "d2", "not_k_away"),
        (UP_AND_UP, "6:a1,a2", "b3", "not_k_away"),
        (UP_AND_UP, "6:a1,a2", "b2", "reset_not_allowed"),
        (UP_AND_UP, "3:a1,a2,c2", "a3", "not_k_away"),
        (UP_AND_UP, "1:a1", "a1", "game_over"),
    ],
)
def test_illegal_moves_are_rejected_with_the_reason(rules, position, move, reason):
    with pytest.raises(IllegalMove) as caught:
        rules.play(rules.parse(position), move)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        (JUMPING_FARTHER, "5:c3,c5,a5 0 1"),  # the even side has only written 2
        (JUMPING_FARTHER, "5:c3,c5,a5 2 0"),
        (JUMPING_FARTHER, "5:c3,b1 0 0"),
        (JUMPING_FARTHER, "5:c3"),
        (JUMPING_FARTHER, "2: 0 0"),
        (JUMPING_FARTHER, "3:a1 0 0/3:a1 0 0"),  # the first round is not over
        (JUMPING_FARTHER, "3:c2,b2,c3,a1,a2,b3,a3,c1,b1 0 2/4:a1 0 0"),
        (JUMPING_FARTHER, "3:c2,b2,c3,a1,a2,b3,a3,c1,b1 0 2//"),
        (JUMPING_SOLITAIRE, "3: 0 0/"),
        (UP_AND_UP, "6:a1,a2,b2"),
        (UP_AND_UP, "6:a1,"),
        (UP_AND_UP, "13:"),
        (UP_AND_UP, "0:"),
    ],
)
def test_impossible_positions_are_rejected(rules, text):
    with pytest.raises(MoveSyntaxError):
        rules.parse(text)


@pytest.mark.parametrize("size", [3, 4])
def test_perft_agrees_with_the_naive_model(size):
    def count(moves, depth, following):
        legal = following(moves)
        return sum(count([*moves, move], depth - 1, following) for move in legal) if depth and legal else 1

    def up_and_up(moves):
        return naive.up_and_up(size, moves)[1]

    for depth in (1, 2, 3, 4):
        expected = count([], depth, lambda moves: naive.jumping_moves(size, moves))
        assert perft(JUMPING_FARTHER, JUMPING_FARTHER.initial({"size": size}), depth) == expected
        assert perft(UP_AND_UP, UP_AND_UP.initial({"size": size}), depth) == count([], depth, up_and_up)
