"""Turned and mirrored boards: the same position, with the same moves in another place."""

import random

import pytest

from engine import squares, symmetry
from engine.registry import FOR_TWO, SOLITAIRE

RULES = [*FOR_TWO.values(), *SOLITAIRE.values()]


def turned(move, turn, size):
    square = squares.indices(size).get(move)
    return move if square is None else squares.names(size)[turn.targets[square]]


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules.key}-{len(rules.sides)}")
def test_a_turned_game_leads_to_the_same_folded_positions_and_moves(rules):
    generator = random.Random(1)
    size = rules.options["size"].default
    for turn in symmetry.turns(size):
        position = image = rules.initial({})
        for _ in range(12):
            assert rules.options_of(position) == rules.options_of(image)
            assert rules.canonical_form(position) == rules.canonical_form(image)
            one, other = symmetry.fold(rules, position), symmetry.fold(rules, image)
            assert one.key == other.key
            legal = rules.legal_moves(position)
            if not legal:
                break
            move = generator.choice(legal)
            assert one.folded(move) == other.folded(turned(move, turn, size))
            assert one.folded(one.unfolded(one.folded(move))) == one.folded(move)
            assert one.unfolded(one.folded(move)) in legal
            position, image = rules.play(position, move), rules.play(image, turned(move, turn, size))
            assert rules.contents(image)[0] == list_of(turn, rules.contents(position)[0])


def list_of(turn, contents):
    laid = [contents[source] for source in turn.sources]
    return type(contents)(laid)


def test_the_empty_board_has_one_move_for_each_class_of_squares():
    rules = FOR_TWO["jadejack"]
    fold = symmetry.fold(rules, rules.initial({"size": 9}))
    assert len({fold.folded(move) for move in squares.names(9)}) == 15
    assert fold.folded("pass") == fold.unfolded("pass") == "pass"


def test_points_that_a_position_states_change_no_key():
    rules = FOR_TWO["jumping_farther"]
    scored, none = (rules.parse(f"5:c3,c5,a5 {points} 0") for points in (1, 0))
    assert scored != none
    assert rules.contents(scored) == rules.contents(none)
    assert symmetry.fold(rules, scored) == symmetry.fold(rules, none)


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules.key}-{len(rules.sides)}")
def test_keys_differ_exactly_where_contents_do(rules):
    generator, kinds = random.Random(2), {}
    for _ in range(30):
        position = rules.initial({})
        for _ in range(4):
            contents, rest = rules.contents(position)
            turns = symmetry.turns(rules.options["size"].default)
            image = min(tuple(contents[source] for source in turn.sources) for turn in turns)
            kinds.setdefault((image, rest), set()).add(symmetry.fold(rules, position).key)
            position = rules.play(position, generator.choice(rules.legal_moves(position)))
    assert all(len(keys) == 1 for keys in kinds.values())
    assert len(set.union(*kinds.values())) == len(kinds)


def test_other_positions_and_games_have_other_keys():
    two, one = FOR_TWO["jumping_farther"], SOLITAIRE["jumping_farther"]
    starts = [(two, {"rounds": 1}), (two, {"rounds": 2}), (two, {"size": 9}), (one, {})]
    assert len({symmetry.fold(rules, rules.initial(options)).key for rules, options in starts}) == 4
