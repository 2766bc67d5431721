"""JadeJack: each rule by example, then properties of random positions."""

import copy
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import IllegalMove, MoveSyntaxError, Outcome, Side, Termination
from engine.jadejack import (
    JADEJACK,
    Placement,
    placement_kind,
    position_of,
    sources,
    strengths,
    territory,
)
from engine.squares import indices, names
from tests.engine.strategies import any_positions, reached_positions
from tests.support.effort import cases


def board(size=9, side="b", passes=0, **stacks):
    """The position with these stacks, as in `board(c4="bw")`."""
    cells = tuple(stacks.get(name, "") for name in names(size))
    return position_of(size, cells, Side.BLACK if side == "b" else Side.WHITE, passes)


def strong(position, side=Side.BLACK):
    """The strength of the side, by square where it is not 0."""
    strength = strengths(position)[0 if side is Side.BLACK else 1]
    return {name: units for name, units in zip(names(position.size), strength, strict=True) if units}


def reason(position, move):
    """The reason why the move is illegal."""
    with pytest.raises(IllegalMove) as caught:
        JADEJACK.play(position, move)
    assert move not in JADEJACK.legal_moves(position)
    assert str(caught.value).endswith(".")
    return caught.value.reason


def after(position, *moves):
    for move in moves:
        position = JADEJACK.play(position, move)
    return position


def start(size=9):
    return JADEJACK.initial({"size": size})


# Strength


def test_a_lone_disk_gives_one_unit_to_its_four_neighbours():
    assert strong(board(e5="b")) == {"e4": 1, "e6": 1, "d5": 1, "f5": 1}


def test_a_stack_of_two_reaches_two_squares():
    assert strong(board(a1="wb")) == {"b1": 1, "c1": 1, "a2": 1, "a3": 1}


def test_a_stack_of_three_reaches_one_square_diagonally():
    assert strong(board(a1="wwb")) == dict.fromkeys(["b1", "c1", "d1", "a2", "a3", "a4", "b2"], 1)


def test_a_stack_of_four_reaches_two_squares_diagonally():
    assert {"b2", "c3"} < strong(board(a1="bbwb")).keys()
    assert "d4" not in strong(board(a1="bbwb"))


def test_a_very_high_stack_reaches_every_square_on_its_lines():
    assert len(strong(board(13, g7="bw" * 500 + "b"))) == 48
    assert len(strong(board(8, a1="b" * 9))) == 21


def test_the_top_disk_decides_whose_strength_it_is():
    assert strong(board(e5="bbbw")) == {}
    assert len(strong(board(e5="bbbw"), Side.WHITE)) == 24


def test_strengths_add_up_on_occupied_squares_but_not_on_the_square_of_the_stack():
    both = strong(board(e5="b", e7="b", d6="b"))
    assert both["e6"] == 3
    assert "e5" not in both
    assert strong(board(e5="b", e6="w")) == {"e4": 1, "e6": 1, "d5": 1, "f5": 1}


# Blocking


@pytest.mark.parametrize("blocker", ["b", "w"])
def test_an_unbroken_run_of_either_side_blocks_the_squares_behind(blocker):
    alone = strong(board(a1="bbb", b1=blocker, c1=blocker), Side.BLACK)
    own = strong(board(b1=blocker, c1=blocker), Side.BLACK)
    from_a1 = {name: units - own.get(name, 0) for name, units in alone.items() if units > own.get(name, 0)}
    assert set(from_a1) == {"b1", "a2", "a3", "a4", "b2"}


def test_an_empty_square_between_lets_strength_through():
    assert {"b1", "d1"} < strong(board(a1="bbb", b1="w")).keys()
    assert {"b1", "c1", "d1"} < strong(board(a1="bbb", c1="w")).keys()


def test_the_first_gap_behind_a_run_gets_no_strength_but_the_next_square_does():
    reached = strong(board(a1="bbbbb", b1="w", c1="w")).keys()
    assert {"b1", "e1", "f1"} < reached
    assert not {"c1", "d1"} & reached


def test_diagonals_are_blocked_from_height_four():
    assert {"b2", "c3"} < strong(board(a1="bbbb")).keys()
    blocked = strong(board(a1="bbbb", b2="w")).keys()
    assert "b2" in blocked
    assert "c3" not in blocked
    assert {"b2", "d4"} < strong(board(a1="bbbbb", b2="w")).keys()


def test_filling_a_gap_cuts_off_strength():
    position = board(a1="bb", c3="w", side="b")
    assert "c1" in strong(position)
    assert "c1" not in strong(board(a1="bb", b1="w"))
    assert strong(after(position, "b1"))["c1"] == 1  # from b1 alone


# Placement


def test_a_placement_needs_as_much_strength_as_the_opponent_has():
    position = board(c4="b", g7="w", side="w")
    assert reason(position, "c5") == "too_weak"
    assert after(position, "c6").stacks[indices(9)["c6"]] == "w"  # equal at 0
    assert "e4" in JADEJACK.legal_moves(board(d4="b", f4="w", side="w"))  # equal at 1


def test_a_hijack_needs_the_height_of_the_stack_in_addition():
    weaker, stronger = {"e5": "w", "e4": "b"}, {"e5": "w", "e4": "b", "e6": "b"}
    assert after(board(**weaker), "e5").stacks[indices(9)["e5"]] == "wb"
    assert reason(board(**weaker, d5="w"), "e5") == "too_weak_to_hijack"
    assert "e5" in JADEJACK.legal_moves(board(**stronger, d5="w"))
    assert reason(board(**weaker | {"e5": "ww"}), "e5") == "too_weak_to_hijack"
    assert "e5" in JADEJACK.legal_moves(board(**stronger | {"e5": "ww"}))


def test_strength_40_hijacks_height_40_but_not_more():
    directions = [(right, up) for right in (-1, 0, 1) for up in (-1, 0, 1) if right or up]
    squares = [(7 + right * step, 7 + up * step) for right, up in directions for step in (1, 3, 4, 5, 6)]
    around = {f"{' abcdefghijklm'[column]}{row}": "b" * 9 for column, row in squares}
    assert strong(board(13, **around))["g7"] == 40
    assert "g7" in JADEJACK.legal_moves(board(13, **around, g7="w" * 40))
    for height in (41, 2000):
        assert reason(board(13, **around, g7="w" * height), "g7") == "too_weak_to_hijack"


def test_a_lone_disk_can_be_reinforced_regardless_of_strength():
    position = board(e5="b", d5="ww", f5="ww", e4="ww", e6="ww")
    assert after(position, "e5").stacks[indices(9)["e5"]] == "bb"


def test_a_hijacked_stack_can_be_reinforced_once():
    hijacked = board(e5="wwb")
    reinforced = after(hijacked, "e5", "pass")
    assert reinforced.stacks[indices(9)["e5"]] == "wwbb"
    assert reason(reinforced, "e5") == "already_reinforced"
    assert reason(board(e5="bb"), "e5") == "already_reinforced"
    assert "e5" in JADEJACK.legal_moves(board(e5="bbwb"))


def test_placement_kinds():
    position, square = board(e5="b", e6="bw"), indices(9)
    assert placement_kind(position.stacks[square["e4"]], position.side) is Placement.ORDINARY
    assert placement_kind(position.stacks[square["e5"]], position.side) is Placement.SELF_STACK
    assert placement_kind(position.stacks[square["e6"]], position.side) is Placement.HIJACK


# First placement


@pytest.mark.parametrize(
    ("size", "centre"),
    [(8, "d4 d5 e4 e5"), (9, "e5"), (10, "e5 e6 f5 f6"), (11, "f6"), (12, "f6 f7 g6 g7"), (13, "g7")],
)
def test_the_first_disk_may_go_anywhere_except_the_centre(size, centre):
    assert set(names(size)) - set(JADEJACK.legal_moves(start(size))) == set(centre.split())
    for move in centre.split():
        assert reason(start(size), move) == "centre_first"
        assert move in JADEJACK.legal_moves(after(start(size), "a1"))


def test_a_pass_does_not_open_the_centre():
    assert reason(after(start(), "pass"), "e5") == "centre_first"


# Pass and end


def test_two_consecutive_passes_end_the_game():
    over = after(start(), "c4", "pass", "pass")
    assert JADEJACK.outcome(over) == Outcome(Side.BLACK, Termination.PASSES)
    assert JADEJACK.legal_moves(over) == []
    assert JADEJACK.side_to_move(over) is None
    assert reason(over, "pass") == reason(over, "a1") == "game_over"


def test_a_placement_between_two_passes_keeps_the_game_going():
    position = after(start(), "pass", "c4", "pass")
    assert position.passes == 1
    assert JADEJACK.outcome(position) is None
    assert JADEJACK.side_to_move(position) is Side.WHITE


def test_a_pass_is_forced_if_there_is_no_placement():
    stuck = position_of(8, ("bb",) * 64, Side.BLACK)
    assert JADEJACK.legal_moves(stuck) == ["pass"]
    assert JADEJACK.forced_move(stuck) == "pass"
    assert JADEJACK.forced_move(start()) is None
    assert JADEJACK.forced_move(after(stuck, "pass", "pass")) is None


# Score


def test_the_score_counts_empty_squares_with_more_strength_and_the_komi():
    position = board(e5="bb", e7="w")
    assert JADEJACK.score(position) == {"black": 6, "white": 4.5}
    held = dict(zip(names(9), territory(position), strict=True))
    assert held["e4"] is Side.BLACK
    assert held["e8"] is Side.WHITE
    assert held["e6"] is held["e5"] is held["a1"] is None


def test_white_wins_an_empty_and_a_full_board():
    for position in (start(), position_of(8, ("b",) * 64, Side.BLACK)):
        over = after(position, "pass", "pass")
        assert JADEJACK.score(over) == {"black": 0, "white": 1.5}
        assert JADEJACK.outcome(over) == Outcome(Side.WHITE, Termination.PASSES)


@pytest.mark.parametrize("whole", [-11, 2, 20])
def test_another_komi_is_part_of_the_position_and_decides(whole):
    options = {"size": 9, "komi": whole}
    position = after(JADEJACK.initial(options), "e3", "pass", "pass")
    assert JADEJACK.options_of(position) == options
    assert JADEJACK.format(position).endswith(f" w 2 {whole + 0.5}")
    assert JADEJACK.parse(JADEJACK.format(position)) == position
    score = JADEJACK.score(position)
    assert score["white"] == whole + 0.5
    assert JADEJACK.outcome(position).winner is (Side.BLACK if score["black"] > whole else Side.WHITE)


def test_the_usual_komi_is_not_stated():
    position = JADEJACK.initial({"size": 9, "komi": 1})
    assert position == start()
    assert JADEJACK.options_of(position) == {"size": 9}
    assert JADEJACK.contents(position) == (position.stacks, "b 0")


# Notation


def test_position_strings():
    assert JADEJACK.format(start()) == "9/9/9/9/9/9/9/9/9 b 0"
    assert JADEJACK.format(after(start(), "c4")) == "9/9/9/9/9/2b6/9/9/9 w 0"
    assert JADEJACK.format(start(13)).startswith("13/13/")
    position = JADEJACK.parse("8/8/8/(bw)b6/8/8/8/7(bwb) w 1")
    assert position == board(8, side="w", passes=1, a5="bw", b5="b", h1="bwb")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("8/8/8/8/8/8/8/8 b", "one space"),
        ("8/8/8/8/8/8/8/8  b 0", "one space"),
        ("8/8/8/8/8/8/8/8 b 0 ", "one space"),
        ("8/8/8/8/8/8/8/8 b 0 1.5", "left out"),
        ("8/8/8/8/8/8/8/8 b 0 7", "from -10.5 to 20.5"),
        ("8/8/8/8/8/8/8/8 b 0 21.5", "from -10.5 to 20.5"),
        ("8/8/8/8/8/8/8/8 b 0 7.5 ", "one space"),
        ("8/8/8/8/8/8/8/8 B 0", "side to move"),
        ("8/8/8/8/8/8/8/8 b 3", "passes"),
        ("8/8/8/8/8/8/8/8 b 0\n", "passes"),
        ("7/7/7/7/7/7/7 b 0", "8 to 13 rows, not 7"),
        ("/".join(["14"] * 14) + " b 0", "8 to 13 rows, not 14"),
        ("8/8/8/8/8/8/8/9 b 0", "9 squares"),
        ("8/8/8/8/8/8/8/ b 0", "0 squares"),
        ("8/8/8/8/8/8/8/08 b 0", "'08'"),
        ("8/8/8/8/8/8/8/7x b 0", "'x'"),
        ("8/8/8/8/8/8/8/7(b) b 0", r"'\(b\)'"),
        ("8/8/8/8/8/8/8/7() b 0", r"'\(\)'"),
        ("8/8/8/8/8/8/8/7(bw b 0", r"'\(bw'"),
        ("8/8/8/8/8/8/8/٨ b 0", "'٨'"),
    ],
)
def test_malformed_position_strings_are_rejected_with_the_fault(text, part):
    with pytest.raises(MoveSyntaxError, match=part):
        JADEJACK.parse(text)


@pytest.mark.parametrize("text", ["", "E5", "e05", "e5 ", "Pass", "pass\n", "resign"])
def test_malformed_moves_are_rejected(text):
    for position in (start(), after(start(), "pass", "pass")):
        with pytest.raises(MoveSyntaxError):
            JADEJACK.play(position, text)


# A naive second implementation of the rules, from the stacks alone.

ORTHOGONAL = [(0, 1), (1, 0), (0, -1), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


def naive_strengths(position):
    """The strengths by letter of the side and (column, row)."""
    size = position.size
    stacks = {(index % size, index // size): stack for index, stack in enumerate(position.stacks)}
    strength = {letter: dict.fromkeys(stacks, 0) for letter in "bw"}
    for (column, row), stack in stacks.items():
        for directions, reach in ((ORTHOGONAL, len(stack)), (DIAGONAL, len(stack) - 2)):
            for (right, up), distance in itertools.product(directions, range(1, min(reach, size) + 1)):
                line = [(column + right * step, row + up * step) for step in range(1, distance + 1)]
                target, between = line[-1], line[:-1]
                if target in stacks and not (between and all(stacks[square] for square in between)):
                    strength[stack[-1]][target] += 1
    return strength


def naive_legal_moves(position):
    """The legal moves by the naive strengths."""
    if position.passes == 2:
        return []
    size, own = position.size, position.side.letter
    strength = naive_strengths(position)
    opposing = "w" if own == "b" else "b"
    middle = {size // 2} if size % 2 else {size // 2 - 1, size // 2}
    moves = []
    for index, (name, stack) in enumerate(zip(names(size), position.stacks, strict=True)):
        square = column, row = index % size, index // size
        if not stack:
            first_on_centre = not any(position.stacks) and column in middle and row in middle
            legal = strength[own][square] >= strength[opposing][square] and not first_on_centre
        elif stack.endswith(own):
            legal = not stack.endswith(own * 2)
        else:
            legal = strength[own][square] >= strength[opposing][square] + len(stack)
        if legal:
            moves.append(name)
    return [*moves, "pass"]


all_positions = reached_positions() | any_positions()


@given(all_positions)
def test_strengths_and_legal_moves_agree_with_the_naive_rules(position):
    strength = naive_strengths(position)
    assert [list(side) for side in strengths(position)] == [
        list(strength[letter].values()) for letter in "bw"
    ]
    assert JADEJACK.legal_moves(position) == naive_legal_moves(position)


@given(any_positions())
def test_each_source_gives_a_square_one_unit(position):
    for square, strength in enumerate(zip(*strengths(position), strict=True)):
        reaching = sources(position, square)
        assert (len(reaching[Side.BLACK]), len(reaching[Side.WHITE])) == strength


@given(any_positions(), st.data())
def test_a_move_on_any_board_updates_the_strengths_correctly(position, data):
    if moves := JADEJACK.legal_moves(position):
        position = JADEJACK.play(position, data.draw(st.sampled_from(moves)))
        again = JADEJACK.parse(JADEJACK.format(position))
        assert strengths(position) == strengths(again)
        assert JADEJACK.legal_moves(position) == JADEJACK.legal_moves(again)


@given(all_positions)
def test_parse_is_the_inverse_of_format(position):
    text = JADEJACK.format(position)
    again = JADEJACK.parse(text)
    assert again == position
    assert hash(again) == hash(position)
    assert JADEJACK.format(again) == text
    assert strengths(again) == strengths(position)


@given(all_positions)
@settings(max_examples=cases(40))
def test_legal_moves_play_others_raise_and_the_position_is_unchanged(position):
    before, strength = copy.deepcopy(position), strengths(position)
    legal = JADEJACK.legal_moves(position)
    for move in (*names(position.size), "pass"):
        if move not in legal:
            assert reason(position, move)
            continue
        played = JADEJACK.play(position, move)
        if move == "pass":
            assert played.passes == position.passes + 1
            assert played.stacks == position.stacks
        else:
            square = indices(position.size)[move]
            expected = list(position.stacks)
            expected[square] += position.side.letter
            assert played.stacks == tuple(expected)
            assert played.passes == 0
        assert played.side is not position.side
    assert position == before
    assert strengths(position) == strength


@given(all_positions)
def test_the_score_is_that_of_the_territory_and_never_equal(position):
    score, held = JADEJACK.score(position), territory(position)
    assert not any(side for side, stack in zip(held, position.stacks, strict=True) if stack)
    assert score == {"black": held.count(Side.BLACK), "white": held.count(Side.WHITE) + position.komi}
    assert score["black"] != score["white"]
    outcome = JADEJACK.outcome(position)
    assert (outcome is None) == (position.passes < 2)
    assert outcome is None or outcome.winner == max(score, key=score.get)


def mirrored(size):
    """For each square, its image when the board is mirrored left to right."""
    return [row * size + size - 1 - column for row in range(size) for column in range(size)]


def turned(size):
    """For each square, its image when the board is rotated by 90 degrees."""
    return [column * size + size - 1 - row for row in range(size) for column in range(size)]


@given(all_positions, st.sampled_from([mirrored, turned]))
def test_symmetries_of_the_board_preserve_moves_and_score(position, symmetry):
    target = symmetry(position.size)
    board = [""] * position.size**2
    for square, stack in enumerate(position.stacks):
        board[target[square]] = stack
    moved = position_of(position.size, tuple(board), position.side, position.passes)
    name, square = names(position.size), indices(position.size)
    moves = [
        move if move == "pass" else name[target[square[move]]] for move in JADEJACK.legal_moves(position)
    ]
    assert sorted(moves) == sorted(JADEJACK.legal_moves(moved))
    assert JADEJACK.score(moved) == JADEJACK.score(position)


@given(all_positions)
def test_exchanging_the_colours_preserves_moves_and_strengths(position):
    exchange = str.maketrans("bw", "wb")
    side = Side.WHITE if position.side is Side.BLACK else Side.BLACK
    stacks = tuple(stack.translate(exchange) for stack in position.stacks)
    other = position_of(position.size, stacks, side, position.passes)
    assert JADEJACK.legal_moves(other) == JADEJACK.legal_moves(position)
    assert strengths(other) == strengths(position)[::-1]


@given(st.text(max_size=60) | st.text("0123456789bw()/ ", max_size=60))
def test_any_text_is_parsed_exactly_or_rejected(text):
    try:
        position = JADEJACK.parse(text)
    except MoveSyntaxError:
        return
    assert JADEJACK.format(position) == text


@given(all_positions, st.data())
def test_a_damaged_position_string_is_parsed_exactly_or_rejected(position, data):
    text = JADEJACK.format(position)
    at = data.draw(st.integers(0, len(text)))
    text = (
        text[:at]
        + data.draw(st.text("0189bw()/ \n٣", max_size=2))
        + text[at + data.draw(st.integers(0, 2)) :]
    )
    try:
        again = JADEJACK.parse(text)
    except MoveSyntaxError:
        return
    assert JADEJACK.format(again) == text
