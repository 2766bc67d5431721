"""Matches between computer players and training, from the command line."""

import json

import pytest

from engine.registry import FOR_TWO
from tests.support.commands import failure, invoke

pytestmark = pytest.mark.usefixtures("compiled_searches")


@pytest.mark.parametrize("game", FOR_TWO)
def test_a_match_is_played_at_every_game_for_two(game):
    done = invoke("match", "1", "plain", "--game", game, "--games", 2)
    assert done.exit_code == 0, done.stderr
    result = json.loads(done.stdout)
    assert (result["game"], result["first"], result["second"], result["games"]) == (game, "1", "plain", 2)
    low, high = result["interval"]
    assert 0 <= low <= high <= 1


def test_a_network_is_trained_and_plays(tmp_path):
    path = tmp_path / "network.npz"
    terms = ["--generations", 1, "--games", 10, "--epochs", 2]
    done = invoke("train", "--out", path, *terms)
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["positions"] > 100
    played = invoke("match", f"8:depth=2,network={path}", "8:depth=2,network=none", "--size", 8, "--games", 2)
    assert json.loads(played.stdout)["games"] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["9:colour=2", "plain"], "'9:colour=2' is no program"),
        (["plain", "strong"], "'strong' is no program"),
        (["1", "2", "--game", "up_and_up"], "Matches are of games for two"),
        (["1", "2", "--size", "99"], "size must be from"),
    ],
)
def test_what_cannot_play_is_named(arguments, message):
    assert message in failure("match", *arguments)
