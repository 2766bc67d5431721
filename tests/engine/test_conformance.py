"""What holds for every game of the registry."""

import copy
import random

import pytest

from engine.game import IllegalMove, MoveSyntaxError
from engine.registry import GAMES
from engine.squares import names

# Every well-formed move of any game and any board, and then some.
TEXTS = (*names(13), "pass", "z99", "", "A1", "a1 ", "a01", "PASS", "٣")


def option_sets(game):
    """The default options, and each option at the ends of its range."""
    yield {}
    for name, allowed in game.options.items():
        yield {name: allowed.minimum}
        yield {name: allowed.maximum}


CASES = [
    pytest.param(game, options, id=f"{key}-{options}")
    for key, game in GAMES.items()
    for options in option_sets(game)
]


def playout(game, options, seed, plies=120):
    """The positions of a game of random moves."""
    choose = random.Random(seed).choice
    position = game.initial(options)
    yield position
    for _ in range(plies):
        moves = game.legal_moves(position)
        if not moves:
            return
        position = game.play(position, choose(moves))
        yield position


@pytest.mark.parametrize("key", GAMES)
def test_the_key_is_the_games_own(key):
    assert GAMES[key].key == key
    assert GAMES[key].title


@pytest.mark.parametrize(("game", "options"), CASES)
def test_the_first_side_begins(game, options):
    position = game.initial(options)
    assert game.side_to_move(position) == game.sides[0]
    assert game.outcome(position) is None
    assert game.legal_moves(position)


@pytest.mark.parametrize("game", GAMES.values())
def test_unfit_options_are_refused(game):
    with pytest.raises(ValueError, match="colour"):
        game.initial({"colour": 3})
    for name, allowed in game.options.items():
        assert game.initial({}) == game.initial({name: allowed.default})
        for value in (allowed.minimum - 1, allowed.maximum + 1):
            with pytest.raises(ValueError, match=name):
                game.initial({name: value})


@pytest.mark.parametrize(("game", "options"), CASES)
def test_exactly_the_legal_moves_can_be_played(game, options):
    for position in list(playout(game, options, seed=1))[::8]:
        before, text = copy.deepcopy(position), game.format(position)
        legal = game.legal_moves(position)
        assert len(set(legal)) == len(legal)
        for move in legal:
            game.play(position, move)
        for move in set(TEXTS) - set(legal):
            with pytest.raises((IllegalMove, MoveSyntaxError)):
                game.play(position, move)
        assert position == before
        assert game.format(position) == text


@pytest.mark.parametrize(("game", "options"), CASES)
def test_a_position_string_reads_back(game, options):
    for position in playout(game, options, seed=2):
        text = game.format(position)
        again = game.parse(text)
        assert again == position
        assert hash(again) == hash(position)
        assert game.format(again) == text
        assert game.legal_moves(again) == game.legal_moves(position)
        assert game.score(again) == game.score(position)


@pytest.mark.parametrize(("game", "options"), CASES)
def test_a_game_is_over_when_no_move_is_left(game, options):
    for position in playout(game, options, seed=3):
        over = game.outcome(position) is not None
        assert over == (not game.legal_moves(position))
        assert over == (game.side_to_move(position) is None)
        assert over or game.side_to_move(position) in game.sides
        assert game.forced_move(position) in (None, *game.legal_moves(position))
        assert game.score(position)
        if over:
            assert game.outcome(position).winner in (None, *game.sides)


@pytest.mark.parametrize("game", GAMES.values())
@pytest.mark.parametrize(
    "text", ["", " ", "\n", "8", "b 0", "x" * 1000, "9" * 5000, "8/8/8/8/8/8/8/8 b 0 ", "\0"]
)
def test_text_that_is_no_position_is_refused(game, text):
    with pytest.raises(MoveSyntaxError):
        game.parse(text)
