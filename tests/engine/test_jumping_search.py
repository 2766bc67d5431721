"""The computer player of Jumping Farther & Farther: exact where the end is in sight."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.jumping_farther import JUMPING_FARTHER
from engine.search import plain
from engine.search.jumping.player import LEVELS, Skill, choose
from engine.search.jumping.solved import best_play

ALL = Skill(200, 10**9)


def position_after(size, seed, plies):
    generator, position = random.Random(seed), JUMPING_FARTHER.initial({"size": size})
    for _ in range(plies):
        legal = JUMPING_FARTHER.legal_moves(position)
        if not legal:
            break
        position = JUMPING_FARTHER.play(position, generator.choice(legal))
    return position


def best_lead(position):
    """By how much the side to move leads at the end, when both try everything."""
    side = JUMPING_FARTHER.side_to_move(position)
    if side is None:
        first, second = JUMPING_FARTHER.score(position).values()
        return first - second
    leads = [
        best_lead(JUMPING_FARTHER.play(position, move)) for move in JUMPING_FARTHER.legal_moves(position)
    ]
    return max(leads) if side == "first" else min(leads)


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 6), st.integers(0, 10_000))
def test_the_end_of_a_round_is_played_exactly(size, seed):
    position = position_after(size, seed, size**2 - 7)
    side = JUMPING_FARTHER.side_to_move(position)
    if side is None:
        return
    choice = choose(position, ALL, seed, seconds=60)
    lead = best_lead(position)
    assert choice.promises[0].points == (lead if side == "first" else -lead)
    assert best_lead(JUMPING_FARTHER.play(position, choice.move)) == lead


def test_a_small_round_is_seen_to_its_end():
    position = JUMPING_FARTHER.initial({"size": 3})
    assert choose(position, ALL, 1, seconds=60).promises[0].points == best_play(3).value


@settings(max_examples=30, deadline=None)
@given(st.integers(3, 12), st.integers(0, 10_000), st.integers(0, 60), st.sampled_from(sorted(LEVELS)))
def test_a_choice_is_legal_and_always_the_same(size, seed, plies, level):
    position = position_after(size, seed, plies)
    if JUMPING_FARTHER.side_to_move(position) is None:
        return
    skill = replace(LEVELS[level], budget=5_000)
    choice = choose(position, skill, seed, seconds=60)
    assert {promise.move for promise in choice.promises} == set(JUMPING_FARTHER.legal_moves(position))
    assert choose(position, skill, seed, seconds=60) == choice


def test_the_second_round_of_a_match_is_played_too():
    position = JUMPING_FARTHER.initial({"size": 3, "rounds": 2})
    while JUMPING_FARTHER.side_to_move(position) is not None:
        position = JUMPING_FARTHER.play(position, choose(position, LEVELS[4], 1, seconds=60).move)
    # With the sides exchanged, best play in both rounds is a draw.
    assert JUMPING_FARTHER.outcome(position) is not None
    with pytest.raises(ValueError, match="over"):
        choose(position, LEVELS[4], 1)


def test_a_level_beats_the_plain_player():
    leads = []
    for seed in range(6):
        position, ours = position_after(7, seed, 2), seed % 2
        ply = 2
        while JUMPING_FARTHER.side_to_move(position) is not None:
            if ply % 2 == ours:
                move = choose(position, LEVELS[6], seed, seconds=60).move
            else:
                move = plain.choose(JUMPING_FARTHER, position, seed)
            position, ply = JUMPING_FARTHER.play(position, move), ply + 1
        first, second = JUMPING_FARTHER.score(position).values()
        leads.append(second - first if ours else first - second)
    assert sum(lead > 0 for lead in leads) >= 5
