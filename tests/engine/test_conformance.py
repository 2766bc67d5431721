"""Properties that every game of the registry must have."""

import copy
import random

import pytest

from engine.canonical import leads_to
from engine.game import MAX_POSITION, IllegalMove, MoveSyntaxError, Side
from engine.jadejack_rows import MAX_HEIGHT
from engine.jadejack_strength import geometry
from engine.registry import FOR_TWO, GAMES, SOLITAIRE, rules_for
from engine.squares import names

# All well-formed moves of all games and boards, and some malformed ones.
TEXTS = (*names(13), "pass", "z99", "", "A1", "a1 ", "a01", "PASS", "٣")


RULES = [
    *(pytest.param(game, id=f"{key}-two") for key, game in FOR_TWO.items()),
    *(pytest.param(game, id=f"{key}-solo") for key, game in SOLITAIRE.items()),
]

TALL = "/".join([f"({'bw' * (MAX_HEIGHT // 2)})" * 13] * 13)
SNAKE = ",".join(
    names(12)[12 * row + column] for row in range(12) for column in range(12)[:: 1 - row % 2 * 2]
)

LONGEST = {
    "jadejack": f"{TALL} b 2 -10.5",
    "jumping_farther": f"12:{SNAKE} 71 71/12:{SNAKE} 71 71",
    "up_and_up": f"12:{SNAKE}",  # in another order, which makes no difference to its length
}
"""Strings as long as those of the highest stacks and of full boards."""


def option_sets(game):
    """The default options, and each option at both ends of its range."""
    yield {}
    for name, allowed in game.options.items():
        yield {name: allowed.minimum}
        yield {name: allowed.maximum}


CASES = [
    pytest.param(*rules.values, options, id=f"{rules.id}-{options}")
    for rules in RULES
    for options in option_sets(*rules.values)
]


def playout(game, options, seed, plies=120):
    """The positions of a random game."""
    generator = random.Random(seed)
    position = game.initial(options)
    yield position
    for _ in range(plies):
        moves = game.legal_moves(position)
        if not moves:
            return
        position = game.play(position, generator.choice(moves))
        yield position


@pytest.mark.parametrize("key", GAMES)
def test_games_are_listed_by_their_key(key):
    assert GAMES[key].key == key
    assert len(GAMES[key].title) >= len(GAMES[key].short_title) > 0


def test_the_rules_for_one_and_for_two_have_as_many_sides():
    assert set(FOR_TWO) | set(SOLITAIRE) == set(GAMES)
    assert all(
        rules_for(key, 2).sides == game.sides and len(game.sides) == 2 for key, game in FOR_TWO.items()
    )
    assert all(rules_for(key, 1).sides == (Side.SOLO,) for key in SOLITAIRE)


@pytest.mark.parametrize(("game", "options"), CASES)
def test_the_first_side_moves_first(game, options):
    position = game.initial(options)
    assert game.side_to_move(position) == game.sides[0]
    assert game.outcome(position) is None
    assert game.legal_moves(position)


@pytest.mark.parametrize("game", RULES)
def test_invalid_options_are_rejected(game):
    with pytest.raises(ValueError, match="colour"):
        game.initial({"colour": 3})
    for name, allowed in game.options.items():
        assert game.initial({}) == game.initial({name: allowed.default})
        assert allowed.minimum <= allowed.proposed <= allowed.maximum
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
def test_position_strings_survive_a_round_trip(game, options):
    for position in playout(game, options, seed=2):
        text = game.format(position)
        again = game.parse(text)
        assert again == position
        assert hash(again) == hash(position)
        assert game.format(again) == text
        assert game.legal_moves(again) == game.legal_moves(position)
        assert game.score(again) == game.score(position)


@pytest.mark.parametrize(("game", "options"), CASES)
def test_a_game_is_over_exactly_when_it_has_no_legal_moves(game, options):
    for position in playout(game, options, seed=3):
        over = game.outcome(position) is not None
        assert over == (not game.legal_moves(position))
        assert over == (game.side_to_move(position) is None)
        assert over or game.side_to_move(position) in game.sides
        assert game.forced_move(position) in (None, *game.legal_moves(position))
        assert game.score(position)
        if over:
            assert game.outcome(position).winner in (None, *game.sides)


@pytest.mark.parametrize("game", FOR_TWO.values(), ids=FOR_TWO)
def test_a_game_ends_in_a_draw_only_if_its_rules_allow_that(game):
    options = {name: allowed.minimum for name, allowed in game.options.items()}
    ends = [list(playout(game, options, seed))[-1] for seed in range(60)]
    outcomes = [outcome for outcome in map(game.outcome, ends) if outcome is not None]
    assert any(outcome.winner is None for outcome in outcomes) == game.has_draws


@pytest.mark.parametrize(("game", "options"), CASES)
def test_moves_lead_to_the_canonical_forms_after_them(game, options):
    for position in list(playout(game, options, seed=6))[::8]:
        form, legal = game.canonical_form(position), game.legal_moves(position)
        assert form or len(legal) < 2
        assert hash(form) == hash(game.canonical_form(game.parse(game.format(position))))
        for move in legal[::8]:
            after = game.play(position, move)
            assert set(game.moves_towards(position, [after], 1)) <= set(legal)
            assert leads_to(game, position, {game.canonical_form(after): after}, 1)


@pytest.mark.parametrize(("game", "options"), CASES)
def test_mover_agrees_with_side_to_move(game, options):
    positions = list(playout(game, options, seed=4, plies=300))
    movers = [game.side_to_move(position) for position in positions]
    for ply, position in enumerate(positions):
        assert [game.mover(position, earlier) for earlier in range(1, ply + 1)] == movers[:ply]


@pytest.mark.parametrize(
    ("key", "options"), [(key, o) for key, game in SOLITAIRE.items() for o in option_sets(game)]
)
def test_no_solitaire_score_exceeds_the_ceiling(key, options):
    game = SOLITAIRE[key]
    *_, end = playout(game, options, seed=5, plies=300)
    score, ceiling = game.score(end), game.ceiling(options)
    assert score[Side.SOLO] <= (score[Side.SOLO] if ceiling is None else ceiling)
    assert game.tie_break is None or game.tie_break in score
    assert game.outcome(end).winner is None


def wrong_option_sets(game):
    """An option that no game has, and each option beyond both ends of its range."""
    yield {"colour": 1}
    for name, allowed in game.options.items():
        yield {name: allowed.minimum - 1}
        yield {name: allowed.maximum + 1}


@pytest.mark.parametrize("game", RULES)
def test_whatever_takes_options_refuses_wrong_ones(game):
    functions = [game.initial]
    if game.sides == (Side.SOLO,):
        functions += [game.ceiling, game.least_tie_break]
    for function in functions:
        function({})
        for options in wrong_option_sets(game):
            with pytest.raises(ValueError, match=r"option|must be from"):
                function(options)


@pytest.mark.parametrize("game", RULES)
def test_only_strings_longer_than_those_of_any_game_are_refused_for_their_length(game):
    assert len(LONGEST[game.key]) <= MAX_POSITION
    with pytest.raises(MoveSyntaxError, match=f"{MAX_POSITION} characters"):
        game.parse("9" * (MAX_POSITION + 1))


@pytest.mark.parametrize("key", ["jadejack", "jumping_farther"])
def test_the_longest_string_is_a_position(key):
    assert GAMES[key].format(GAMES[key].parse(LONGEST[key])) == LONGEST[key]


def test_no_stack_is_higher_than_the_strength_allows():
    board = geometry(13)
    lines = zip(board.orthogonals, board.diagonals, strict=True)
    strongest = max(sum(len(ray) for ray, *_ in (*straight, *diagonal)) for straight, diagonal in lines)
    assert strongest + 2 == MAX_HEIGHT  # hijacked with all of it, and reinforced
    with pytest.raises(MoveSyntaxError, match=f"{MAX_HEIGHT} disks"):
        GAMES["jadejack"].parse(f"({'b' * (MAX_HEIGHT + 1)})7/8/8/8/8/8/8/8 b 0")


@pytest.mark.parametrize("game", RULES)
@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n",
        "8",
        "b 0",
        "x" * 1000,
        "9" * 5000,
        "8/8/8/8/8/8/8/8 b 0 ",
        "\0",
        "3:a1,a1",
        "3:a1,c2",
        "3:d1",
        "99:",
    ],
)
def test_invalid_position_strings_are_rejected(game, text):
    with pytest.raises(MoveSyntaxError):
        game.parse(text)
