"""What the computer expects of squares, in words and over the board."""

import re
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from app.play.games.boards import BOARDS, ghosts
from engine.game import Side
from engine.jadejack import JADEJACK, PASS, sources
from engine.registry import FOR_TWO
from engine.search.jadejack.evaluation import expected
from engine.search.player import Choice, EvaluatedMove
from engine.squares import indices, names
from tests.engine.strategies import reached_positions

BOARD = BOARDS[JADEJACK]


def choice_of(position, moves):
    """Return a choice among moves, with what squares are worth."""
    ranking = [EvaluatedMove(move, 1.5, (), expected(JADEJACK.play(position, move))) for move in moves]
    return Choice(tuple(ranking), 1, 1, expected(position))


def squares_in(text, size):
    """Return the squares that a text names, those of runs such as d4-d6 one by one."""
    cells = set()
    for first, last in re.findall(r"([a-m]\d+)(?:\N{EN DASH}([a-m]\d+))?", text):
        start, end = indices(size)[first], indices(size)[last or first]
        cells.update(range(start, end + 1, 1 if end - start < size else size))
    return cells


def test_a_move_that_blocks_a_stack_is_said_to_do_so():
    position = JADEJACK.parse("9/9/9/9/3w5/9/3(bbb)5/9/9 b 0")  # d3 reaches d6 while d4 is empty
    changes = BOARD.outlook(position, choice_of(position, ["d4"])).changes["d4"]
    assert "Gives up d6, because d4 blocks d3." in [text.translated() for text in changes]


@given(reached_positions())
def test_what_a_move_changes_is_true(position):
    if JADEJACK.side_to_move(position) is None:
        return
    size = position.size
    legal = [move for move in JADEJACK.legal_moves(position) if move != PASS]
    moves = legal[:: max(1, len(legal) // 5)]
    outlook = BOARD.outlook(position, choice_of(position, moves))
    other = Side.WHITE if position.side is Side.BLACK else Side.BLACK
    for move in moves:
        after = JADEJACK.play(position, move)
        for text in outlook.changes[move]:
            changed, _, why = text.translated().partition(", because ")
            for cell in squares_in(changed, size):
                assert not after.stacks[cell]
                if why:
                    owner = other if changed.startswith("Wins") else position.side
                    lost = {*sources(position, cell)[owner]} - {*sources(after, cell)[owner]}
                    assert lost & squares_in(why.partition(" blocks ")[2], size)


@given(reached_positions(), st.data())
def test_ghosts_are_within_the_board_and_the_last_one_on_a_square_has_all_its_numbers(position, data):
    if JADEJACK.side_to_move(position) is None:
        return
    moves, after = [], position
    for _ in range(data.draw(st.integers(1, 4))):
        if JADEJACK.side_to_move(after) is None:
            break
        moves.append(data.draw(st.sampled_from(JADEJACK.legal_moves(after))))
        after = JADEJACK.play(after, moves[-1])
    size = position.size
    drawn = ghosts.layer(size, [ghosts.line(JADEJACK, BOARD, position, moves)])
    image = ET.fromstring(drawn)
    figures = [text.text or "" for text in image.iter("text")]
    placed = [(number, move) for number, move in enumerate(moves, 1) if move in names(size)]
    numbers = {move: [str(number) for number, other in placed if other == move] for _number, move in placed}
    assert figures == [
        "·".join(numbers[move]) if str(number) == numbers[move][-1] else "" for number, move in placed
    ]


def test_a_line_may_lead_into_the_second_round():
    rules = FOR_TWO["jumping_farther"]
    position = rules.parse("3:c1,a3,a1,b2,b1,c2,b3 0 0/")
    drawn = ghosts.layer(3, [ghosts.line(rules, BOARDS[rules], position, ["c3", "a3"])])
    assert [text.text for text in ET.fromstring(drawn).iter("text")] == ["8", "1"]
