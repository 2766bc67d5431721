"""Where an analysis of a game begins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import InvalidError
from app.learn.studies.analysis import ground
from app.play.games.creation import complete_options
from engine.registry import FOR_TWO, SOLITAIRE

ALL_RULES = [*FOR_TWO.values(), *SOLITAIRE.values()]
NAMES = sorted({name for rules in ALL_RULES for name in rules.options} | {"sise", "players", "position"})
OPTIONS = st.dictionaries(st.sampled_from(NAMES), st.integers(-12, 21), max_size=3)


@pytest.mark.parametrize("game", FOR_TWO)
@pytest.mark.parametrize("options", [{}, {"size": 8}])
def test_an_analysis_begins_with_the_game_that_a_challenge_proposes(game, options):
    assert ground(game, options=options).options == complete_options(FOR_TWO[game], options)


def begun(*arguments):
    """Return the options of the analysis that begins so, or None if it is refused."""
    try:
        return ground(*arguments).options
    except InvalidError:
        return None


@pytest.mark.parametrize("rules", ALL_RULES, ids=lambda rules: f"{rules.key}-{len(rules.sides)}")
@given(options=OPTIONS)
def test_no_option_is_ignored(rules, options):
    """An analysis has each option that was given, or is refused; also where a position says which it has."""
    where = (rules.key, len(rules.sides))
    found = begun(*where, options)
    allowed = all(
        name in rules.options and rules.options[name].minimum <= value <= rules.options[name].maximum
        for name, value in options.items()
    )
    assert (found is not None) == allowed
    default = {name: each.default for name, each in rules.options.items()}
    if found is not None:
        assert {**default, **found}.items() >= options.items()
    own = ground(*where)
    position = rules.format(own.start)
    fits = allowed and {**default, **own.options}.items() >= options.items()
    assert begun(*where, options, position) == (own.options if fits else None)
