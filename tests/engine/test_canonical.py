"""Canonical forms: the same for exactly the positions with the same future."""

import functools
import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.canonical import leads_to
from engine.game import Side
from engine.golden_nugget.board import START, turn
from engine.jadejack import JADEJACK, PASS, position_of
from engine.jumping_farther import JUMPING_FARTHER
from engine.perft import perft
from engine.puzzles.rules import RULES
from engine.up_and_up import UP_AND_UP
from tests.engine import disguises, strategies
from tests.engine.futures import classes, future, gain, grouped
from tests.support.effort import cases

generators = st.integers(0, 2**32).map(random.Random)
FEW = 40  # moves: with more of them, only one ply is compared


@st.composite
def positions(draw, rules):
    """Positions that are reached by play, and for JadeJack any others, too."""
    if rules is JADEJACK:
        return draw(strategies.reached_positions() | strategies.any_positions())
    generator = draw(generators)
    if rules is RULES["golden_nugget"]:
        position, plies = generator.choice((START, turn(START))), draw(st.integers(0, 30))
    else:
        size = draw(st.integers(3, 8))
        position, plies = rules.initial({"size": size}), draw(st.integers(0, size**2))
    return played(rules, position, plies, generator)


def played(rules, position, plies, generator):
    for _ in range(plies):
        moves = rules.legal_moves(position)
        if not moves:
            break
        position = rules.play(position, generator.choice(moves))
    return position


def successors(rules, position):
    """What each move scores, and the form after it."""
    following = [rules.play(position, move) for move in rules.legal_moves(position)]
    return sorted((gain(rules, position, after), rules.canonical_form(after)) for after in following)


@pytest.mark.parametrize("key", RULES)
@settings(max_examples=cases(60))
@given(data=st.data(), generator=generators)
def test_what_the_rules_do_not_see_changes_neither_the_form_nor_the_future(key, data, generator):
    rules = RULES[key]
    position = data.draw(positions(rules))
    disguised = disguises.OF[key](position, generator)
    assert rules.canonical_form(disguised) == rules.canonical_form(position)
    assert successors(rules, disguised) == successors(rules, position)
    depth = 2 if len(rules.legal_moves(position)) < FEW else 1
    assert future(rules, disguised, depth) == future(rules, position, depth)
    assert perft(rules, disguised, depth) == perft(rules, position, depth)


@pytest.mark.parametrize("key", RULES)
@settings(max_examples=cases(60))
@given(data=st.data(), generator=generators)
def test_a_disguised_position_is_found_two_plies_ahead(key, data, generator):
    rules = RULES[key]
    position = data.draw(positions(rules))
    plies = generator.randrange(3)
    disguised = disguises.OF[key](played(rules, position, plies, generator), generator)
    others = [played(rules, position, 3, generator) for _ in range(5)]
    assert leads_to(
        rules, position, {rules.canonical_form(each): each for each in (*others, disguised)}, plies
    )


class Counted:
    """Rules that count the forms made, and the pairs of positions compared."""

    def __init__(self, rules):
        self.rules, self.work = rules, 0

    def play(self, position, move):
        return self.rules.play(position, move)

    def canonical_form(self, position):
        self.work += 1
        return self.rules.canonical_form(position)

    def moves_towards(self, position, targets, plies):
        self.work += len(targets)
        return self.rules.moves_towards(position, targets, plies)


@settings(max_examples=cases(20))
@given(generator=generators)
def test_the_work_of_a_comparison_does_not_grow_with_moves_times_positions(generator):
    rules, start = JADEJACK, JADEJACK.initial({"size": 13})
    moves = line(rules, start, 30, generator)
    position = functools.reduce(rules.play, moves, start)
    targets = {}
    for _ in range(200):  # which differ by a move
        place = generator.randrange(len(moves) - 6, len(moves))
        other = functools.reduce(rules.play, moves[:place], start)
        for move in (generator.choice(rules.legal_moves(other)), *moves[place + 1 :]):
            if move in rules.legal_moves(other):
                other = rules.play(other, move)
        targets[rules.canonical_form(other)] = other
    counted = Counted(rules)
    counted = Counted(rules)
    targets.pop(rules.canonical_form(position), None)
    if not leads_to(counted, position, targets, 2):
        assert counted.work < 1_000 + 8 * len(targets)


def line(rules, position, plies, generator):
    """Random moves other than `pass`."""
    moves = []
    for _ in range(plies):
        moves.append(generator.choice([move for move in rules.legal_moves(position) if move != PASS]))
        position = rules.play(position, moves[-1])
    return moves


def test_positions_of_golden_nugget_that_show_other_squares_are_told_apart_at_once():
    generator, counted = random.Random(1), Counted(RULES["golden_nugget"])
    boards = [played(counted.rules, START, 30, generator) for _ in range(20)]
    forms = {counted.rules.canonical_form(board): board for board in boards[1:]}
    assert not leads_to(counted, boards[0], forms, 2)
    assert counted.work < 2 * len(boards)


@pytest.mark.parametrize("key", RULES)
@settings(max_examples=cases(40))
@given(data=st.data(), generator=generators)
def test_positions_are_found_exactly_where_moves_lead_to_them(key, data, generator):
    rules = RULES[key]
    position = data.draw(positions(rules).filter(lambda each: len(rules.legal_moves(each)) < FEW))
    other = data.draw(positions(rules))
    for target in (other, played(rules, position, 3, generator)):
        form = rules.canonical_form(target)
        if not form or (key == "jadejack" and target.size != position.size):
            continue  # nothing to look for; not looked for
        after = [rules.play(position, move) for move in rules.legal_moves(position)]
        is_reached = form in {rules.canonical_form(each) for each in (position, *after)}
        assert leads_to(rules, position, {form: target}, 1) == is_reached


@pytest.mark.parametrize("size", [3, 4])
def test_forms_of_up_and_up_are_the_classes_of_a_whole_board(size):
    states = whole(UP_AND_UP, size, lambda each: (each.taken, each.cells[-1:], each.k))
    classed, forms = classed_and_forms(UP_AND_UP, states)
    assert all(len(found) == 1 for found in grouped(forms, classed).values())
    left = plies_left(UP_AND_UP, states)
    assert surplus(classed, forms, left, beyond=7) == 0


def test_forms_of_jumping_are_the_classes_of_a_whole_board():
    states = whole(JUMPING_FARTHER, 3, lambda each: jumping_state(each.current))
    classed, forms = classed_and_forms(JUMPING_FARTHER, states)
    assert all(len(found) == 1 for found in grouped(forms, classed).values())
    assert surplus(classed, forms, plies_left(JUMPING_FARTHER, states), beyond=5) == 0


def test_positions_of_jadejack_with_one_form_have_one_future():
    """On a board of four squares, all that can follow each way to fill it."""
    fillings = itertools.product(("", "b", "w", "bb", "ww"), repeat=4)
    waiting = [position_of(2, stacks, Side.BLACK) for stacks in fillings if any(stacks)]
    states, moves, leads = {}, {}, {}
    while waiting:
        position = waiting.pop()
        key = position.stacks, position.side
        if key in states:
            continue
        states[key] = position
        # A pass is the other side's turn: that two of them end the game makes no difference to what is best.
        after = [
            turn_passed(position) if move == PASS else JADEJACK.play(position, move)
            for move in JADEJACK.legal_moves(position)
        ]
        moves[key] = [((), (each.stacks, each.side)) for each in after]
        leads[key] = gain(JADEJACK, position_of(2, ("",) * 4, position.side), position)
        waiting += after
    classed = classes(moves, leads)
    forms = {key: JADEJACK.canonical_form(position) for key, position in states.items()}
    assert all(len(found) == 1 for found in grouped(forms, classed).values())


def turn_passed(position):
    other = Side.WHITE if position.side is Side.BLACK else Side.BLACK
    return position_of(position.size, position.stacks, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(wb)7/8/8/8/8/8/8/8 b 0", "(bb)7/8/8/8/8/8/8/8 b 0"),
        ("(bw)7/8/8/8/8/8/8/8 b 0", "w7/8/8/8/8/8/8/8 b 0"),
        ("b7/8/8/8/8/8/8/8 b 0", "b7/8/8/8/8/8/8/8 w 0"),
        ("b7/8/8/8/8/8/8/8 b 0", "1b6/8/8/8/8/8/8/8 b 0"),
        ("b7/8/8/8/8/8/8/8 b 0", "b8/9/9/9/9/9/9/9/9 b 0"),
    ],
)
def test_what_the_rules_of_jadejack_see_makes_another_form(one, other):
    one, other = JADEJACK.parse(one), JADEJACK.parse(other)
    assert future(JADEJACK, one, 2) != future(JADEJACK, other, 2)
    assert JADEJACK.canonical_form(one) != JADEJACK.canonical_form(other)


def test_a_settled_corner_is_a_part_of_the_board():
    """A stack that nobody can hijack counts by the strength that it gives, not by its height or its disks."""
    rows = "{}b6/bw6/8/8/8/8/8/8 b 0"
    low, high = (JADEJACK.parse(rows.format(f"({'bw' * half}ww)")) for half in (10, 14))
    assert JADEJACK.canonical_form(low) == JADEJACK.canonical_form(high)
    assert successors(JADEJACK, low) == successors(JADEJACK, high)
    alive = JADEJACK.parse(rows.format("(bww)"))
    assert JADEJACK.canonical_form(alive) != JADEJACK.canonical_form(low)


def test_a_pass_just_made_makes_no_difference():
    before = JADEJACK.parse("b7/8/8/8/8/8/8/8 w 0")
    assert JADEJACK.canonical_form(before) == JADEJACK.canonical_form(JADEJACK.parse("b7/8/8/8/8/8/8/8 w 1"))


def jumping_state(round_):
    return round_.taken, round_.cells[-1:], round_.last_jump, len(round_.cells) < 2


def whole(rules, size, key):
    """All positions of a board by what their rules may see, each with its moves."""
    states, waiting = {}, [rules.initial({"size": size})]
    while waiting:
        position = waiting.pop()
        if key(position) not in states:
            after = [rules.play(position, move) for move in rules.legal_moves(position)]
            moves = [(gain(rules, position, each), key(each)) for each in after]
            states[key(position)] = position, moves
            waiting += after
    return states


def classed_and_forms(rules, states):
    classed = classes({key: moves for key, (_, moves) in states.items()}, dict.fromkeys(states, 0))
    return classed, {key: rules.canonical_form(position) for key, (position, _) in states.items()}


def plies_left(rules, states):
    """The most plies that can follow each position."""
    left = {}
    for key in sorted(states, key=lambda each: -each[0].bit_count()):
        left[key] = max((1 + left[after] for _, after in states[key][1]), default=0)
    return left


def surplus(classed, forms, left, beyond):
    """How many forms too many there are among the positions with more plies left than that."""
    late = {key: number for key, number in classed.items() if left[key] > beyond}
    return sum(len(found) - 1 for found in grouped(late, forms).values())
