"""The computer player of Jumping Farther & Farther, which plays the end of a round exactly."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.jumping_farther import JUMPING_FARTHER
from engine.search import plain
from engine.search.jumping.player import LEVELS, choose, is_lost
from engine.search.jumping.solved import best_play
from engine.search.player import Skill
from tests.support.effort import cases

pytestmark = pytest.mark.usefixtures("compiled_searches")

FULL_DEPTH = Skill(200, 10**9)


def position_after(size, seed, plies, rounds=1):
    """Return a random position after so many plies of the last round of a match, or at the end."""
    generator, position = random.Random(seed), JUMPING_FARTHER.initial({"size": size, "rounds": rounds})
    while len(position.rounds) < rounds or len(position.current.cells) < plies:
        legal = JUMPING_FARTHER.legal_moves(position)
        if not legal:
            break
        position = JUMPING_FARTHER.play(position, generator.choice(legal))
    return position


def best_lead(position):
    """The lead of the first side at the end, by exhaustive minimax."""
    side = JUMPING_FARTHER.side_to_move(position)
    if side is None:
        first, second = JUMPING_FARTHER.score(position).values()
        return first - second
    leads = [
        best_lead(JUMPING_FARTHER.play(position, move)) for move in JUMPING_FARTHER.legal_moves(position)
    ]
    return max(leads) if side == "first" else min(leads)


@settings(max_examples=cases(40), deadline=None)
@given(st.integers(3, 6), st.integers(0, 10_000), st.integers(1, 2))
def test_the_end_of_a_match_is_exact(size, seed, rounds):
    position = position_after(size, seed, size**2 - 7, rounds)
    side = JUMPING_FARTHER.side_to_move(position)
    if side is None:
        return
    choice = choose(position, FULL_DEPTH, seed, seconds=60)
    lead = best_lead(position)
    assert choice.ranking[0].points == (lead if side == "first" else -lead)
    assert best_lead(JUMPING_FARTHER.play(position, choice.move)) == lead


def test_a_small_round_is_searched_to_its_end():
    position = JUMPING_FARTHER.initial({"size": 3})
    assert choose(position, FULL_DEPTH, 1, seconds=60).ranking[0].points == best_play(3).value


@settings(max_examples=cases(30), deadline=None)
@given(st.integers(3, 12), st.integers(0, 10_000), st.integers(0, 60), st.sampled_from(sorted(LEVELS)))
def test_choices_are_legal_and_deterministic(size, seed, plies, level):
    position = position_after(size, seed, plies)
    if JUMPING_FARTHER.side_to_move(position) is None:
        return
    skill = replace(LEVELS[level], budget=5_000)
    choice = choose(position, skill, seed, seconds=60)
    assert {evaluated.move for evaluated in choice.ranking} == set(JUMPING_FARTHER.legal_moves(position))
    assert choose(position, skill, seed, seconds=60) == choice


def test_both_rounds_of_a_match_are_played():
    position = JUMPING_FARTHER.initial({"size": 3, "rounds": 2})
    while JUMPING_FARTHER.side_to_move(position) is not None:
        position = JUMPING_FARTHER.play(position, choose(position, LEVELS[4], 1, seconds=60).move)
    assert JUMPING_FARTHER.outcome(position) is not None
    with pytest.raises(ValueError, match="over"):
        choose(position, LEVELS[4], 1)


def test_two_plies_beat_the_plain_player():
    leads = []
    for seed in range(6):
        position, ours = position_after(7, seed, 2), seed % 2
        ply = 2
        while JUMPING_FARTHER.side_to_move(position) is not None:
            if ply % 2 == ours:
                move = choose(position, Skill(2, 20_000), seed, seconds=60).move
            else:
                move = plain.choose(JUMPING_FARTHER, position, seed)
            position, ply = JUMPING_FARTHER.play(position, move), ply + 1
        first, second = JUMPING_FARTHER.score(position).values()
        leads.append(second - first if ours else first - second)
    assert sum(lead > 0 for lead in leads) >= 5


def test_who_has_lost_does_not_even_draw():
    found = 0
    for seed in range(600):
        generator = random.Random(seed)
        options = {"size": generator.choice((3, 4, 5)), "rounds": generator.choice((1, 2))}
        position, lost = JUMPING_FARTHER.initial(options), set()
        while (side := JUMPING_FARTHER.side_to_move(position)) is not None:
            if is_lost(position):
                lost.add(side)
            position = JUMPING_FARTHER.play(position, generator.choice(JUMPING_FARTHER.legal_moves(position)))
        assert not lost or JUMPING_FARTHER.outcome(position).winner not in {*lost, None}
        found += bool(lost)
    assert found > 10
