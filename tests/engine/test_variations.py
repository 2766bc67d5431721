"""Trees of variations: editing them, and writing them as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game_record import GameRecord, parse, to_text
from engine.registry import GAMES
from engine.replay import ReplayError
from engine.variations import START, SYMBOLS, Tree, VariationsError
from engine.variations import parse as parse_tree
from tests.engine.strategies import generators

comments = st.text(st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(" {}\\();")).map(
    lambda text: " ".join(text.split())
)
TEXT = "{The start.} c4! g6 (d4? {Too slow.} f6 (e4 f7)) (h8) f6"


@st.composite
def trees(draw):
    """Trees of legal moves on the smallest board, with symbols and comments."""
    rules, generator = GAMES["jumping_farther"], draw(generators)
    tree, positions = Tree(), {"": rules.initial({"size": 3})}
    for _ in range(draw(st.integers(0, 30))):
        number = generator.randrange(len(tree.nodes))
        position = positions[tree.keys[number]]
        if legal := rules.legal_moves(position):
            move = generator.choice(legal)
            tree, added = tree.with_move(number, move)
            positions[tree.keys[added]] = rules.play(position, move)
            tree = tree.annotated(added, generator.choice(SYMBOLS), draw(comments))
    return tree.annotated(START, "", draw(comments))


@given(trees())
def test_trees_survive_a_round_trip_in_a_record(tree):
    record = GameRecord("jumping_farther", {"size": 3, "rounds": 1}, tree, {"Site": "here"})
    again = parse(to_text(record))
    assert again == record
    assert again.tree.keys == tree.keys
    assert parse_tree(str(tree)) == tree


@given(trees(), generators)
def test_promoting_and_deleting_keep_all_other_moves(tree, generator):
    number = generator.randrange(len(tree.nodes))
    promoted = tree.promoted(number)
    assert sorted(promoted.keys) == sorted(tree.keys)
    assert len(set(tree.keys)) == len(tree.keys)
    while promoted != (further := promoted.promoted(promoted.numbered(tree.keys[number]))):
        promoted = further
    assert promoted.numbered(tree.keys[number]) in promoted.line_through(START) or number == START
    left = tree.without(number)
    gone = set(tree.keys) - set(left.keys)
    assert left == parse_tree(str(left))
    assert gone == {key for key in tree.keys if tree.keys[number] in keys_to(tree, key)} - {""}


def keys_to(tree, key):
    return {"", *(tree.keys[number] for number in tree.path(tree.numbered(key)))}


def test_a_tree_is_read_from_text():
    tree = parse_tree(TEXT)
    assert tree.moves == ["c4", "g6", "f6"]
    assert [tree.nodes[number].move for number in tree.children[1]] == ["g6", "d4", "h8"]
    assert str(tree) == TEXT
    assert parse_tree(TEXT.replace("c4!", "1. c4!").replace(" h8", ",h8")) == tree
    number = tree.numbered(tree.keys[tree.children[1][1]])
    assert (tree.nodes[number].symbol, tree.nodes[number].comment) == ("?", "Too slow.")
    assert tree.with_move(1, "h8") == (tree, tree.children[1][2])


@pytest.mark.parametrize("text", ["(c4)", "c4 (d4", "c4 d4)", "c4 {open", "c4 }"])
def test_a_text_that_is_no_tree_is_rejected(text):
    with pytest.raises(VariationsError):
        parse_tree(text)


def test_a_long_line_and_deep_variations_are_no_trouble():
    tree = parse_tree(" ".join(f"a{ply} (b{ply})" for ply in range(1, 3_000)))
    assert parse_tree(str(tree)) == tree
    nested = parse_tree("a1 (b1 " * 2_000 + ")" * 2_000)
    assert parse_tree(str(nested)) == nested


def test_an_illegal_move_in_a_variation_is_reported_with_its_depth():
    rules = GAMES["jadejack"]
    with pytest.raises(ReplayError) as caught:
        parse_tree("c4 g6 (c4) d4").positions(rules, rules.initial({}))
    assert (caught.value.ply, caught.value.reason) == (2, "too_weak_to_hijack")


@pytest.mark.parametrize("text", ["c4 (c4 g6) f6", "c4 (d4 e4) (c4 g6 (f6)) f6", "c4 (c4 g6 b2) (c4 g6) f6"])
def test_a_variation_that_begins_with_the_move_before_it_does_not_become_the_main_line(text):
    assert parse_tree(text).moves == ["c4", "f6"]
