"""Where an analysis of a game begins."""

import pytest

from app.learn.studies.analysis import ground
from app.play.games.creation import complete_options
from engine.registry import FOR_TWO


@pytest.mark.parametrize("game", FOR_TWO)
@pytest.mark.parametrize("given", [{}, {"size": 8}])
def test_an_analysis_begins_with_the_game_that_a_challenge_proposes(game, given):
    assert ground(game, given).options == complete_options(FOR_TWO[game], given)
