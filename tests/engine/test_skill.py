"""Skills: those that are valid can be played with, in whatever form they are in a game."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.search.jadejack.player import SelectiveSkill
from engine.search.player import Skill

SKILLS = [Skill(1, 10), SelectiveSkill(1, 10, width=1)]


@given(
    st.sampled_from(SKILLS),
    st.integers(0, 10**6),
    st.floats(0, 10),
    st.lists(st.integers(), min_size=20, max_size=20),
)
def test_a_valid_skill_can_play_every_game(skill, noise, form, seeds):
    valid = replace(skill, noise=noise, form=form)
    for seed in seeds:
        valid.in_game(seed)


@pytest.mark.parametrize("skill", SKILLS)
def test_form_changes_errors_by_its_factor(skill):
    able = replace(skill, noise=100)
    assert [able.in_form(factor).noise for factor in (0.5, 1, 3)] == [50, 100, 300]
    assert able.in_game(7) == able
