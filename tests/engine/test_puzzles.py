"""Puzzles: their solutions are the only best lines, their themes are true, and attempts are judged."""

import itertools
from collections import Counter

import pytest

from engine.game import IllegalMove, MoveSyntaxError
from engine.golden_nugget.board import IllegalPush, push, solved
from engine.jadejack import JADEJACK
from engine.jumping_farther import JUMPING_FARTHER
from engine.puzzles.puzzle import Puzzle, attempt
from engine.puzzles.rules import ONE_BOARD, RULES
from engine.puzzles.shipped import from_json, shipped, to_json
from engine.puzzles.themes import TELLING, Theme, themes_of
from engine.search.puzzles.finder import FINDERS, is_proven, puzzles_in
from engine.up_and_up import UP_AND_UP

pytestmark = pytest.mark.usefixtures("compiled_searches")

SHIPPED = {game: list(shipped(game)) for game in RULES}
"""All puzzles that come with the program, by game."""

FROM_RULES = {game: frozenset(Theme) - {Theme.KEEP_THE_LEAD, Theme.SAVE_THE_DRAW} for game in RULES}


def of_theme(game, *themes):
    return [puzzle for puzzle in SHIPPED[game] if set(themes) <= set(puzzle.themes)]


def test_enough_puzzles_are_shipped_and_none_twice():
    counts = {game: len({puzzle.position for puzzle in puzzles}) for game, puzzles in SHIPPED.items()}
    assert counts == {game: len(puzzles) for game, puzzles in SHIPPED.items()}
    assert counts["jadejack"] >= 300
    assert counts["golden_nugget"] >= 200
    assert counts["jumping_farther"] >= 100
    assert counts["up_and_up"] >= 60


@pytest.mark.parametrize("game", RULES)
def test_a_sample_of_the_shipped_puzzles_is_proven_again(game):
    number = {"jadejack": 2, "golden_nugget": 6, "jumping_farther": 4, "up_and_up": 12}[game]
    step = len(SHIPPED[game]) // number
    for puzzle in SHIPPED[game][::step]:
        assert is_proven(puzzle), puzzle


@pytest.mark.parametrize("game", RULES)
def test_the_solutions_are_legal_and_the_themes_follow_from_them(game):
    for puzzle in SHIPPED[game]:
        rules = puzzle.rules
        position = rules.parse(puzzle.position)
        assert rules.format(position) == puzzle.position
        for move in puzzle.solution:
            assert move in rules.legal_moves(position)
            position = rules.play(position, move)
        assert set(themes_of(game, puzzle.position, puzzle.solution)) == set(puzzle.themes) & FROM_RULES[game]
        assert len(puzzle.solution) % 2 == 1 or len(rules.sides) == 1
        assert from_json(game, to_json(puzzle)) == puzzle


def test_every_theme_occurs():
    counts = Counter(theme for puzzles in SHIPPED.values() for puzzle in puzzles for theme in puzzle.themes)
    assert set(counts) == set(Theme)


def test_the_telling_themes_are_those_of_some_moves_of_a_position_and_not_of_all():
    telling = set()
    for puzzle in (*SHIPPED["jadejack"], *SHIPPED["jumping_farther"]):
        moves = puzzle.rules.legal_moves(puzzle.start)
        of_moves = [set(themes_of(puzzle.game, puzzle.position, [move])) for move in moves]
        telling |= set.union(*of_moves) - set.intersection(*of_moves)
    assert telling == TELLING


def test_hijacks_change_the_owner_of_a_stack_and_reinforcements_do_not():
    for theme, owners in ((Theme.HIJACK, ("w", "b")), (Theme.REINFORCE, ("b", "b"))):
        for puzzle in of_theme("jadejack", theme):
            before = JADEJACK.parse(puzzle.position)
            after = JADEJACK.play(before, puzzle.solution[0])
            changed = [pair for pair in zip(before.stacks, after.stacks, strict=True) if pair[0] != pair[1]]
            own, other = ("b", "w") if before.side == "black" else ("w", "b")
            expected = tuple({"b": own, "w": other}[owner] for owner in owners)
            assert [(old[-1], new[-1]) for old, new in changed] == [expected]


def test_a_pass_is_only_a_theme_of_passes():
    assert {puzzle.solution[0] for puzzle in of_theme("jadejack", Theme.PASS)} == {"pass"}


def test_boards_in_three_have_no_other_solution_of_three_pushes():
    """Tries all lines by the rules alone, without the database."""
    puzzle = of_theme("golden_nugget", Theme.IN_THREE)[0]
    solutions = []

    def follow(board, line):
        if solved(board):
            solutions.append(line)
        elif len(line) < 3:
            for force in ONE_BOARD.legal_moves(board):
                follow(push(board, force)[0], (*line, force))

    follow(ONE_BOARD.parse(puzzle.position), ())
    assert solutions == [puzzle.solution]


def test_numbers_have_no_other_line_that_is_as_long():
    """Tries all lines by the rules alone."""
    lines = []

    def follow(position, line):
        moves = UP_AND_UP.legal_moves(position)
        if not moves:
            lines.append(line)
        for move in moves:
            follow(UP_AND_UP.play(position, move), (*line, move))

    puzzle = min(SHIPPED["up_and_up"], key=lambda puzzle: puzzle.rating)
    follow(UP_AND_UP.parse(puzzle.position), ())
    longest = max(map(len, lines))
    assert [line for line in lines if len(line) == longest] == [puzzle.solution]


def test_no_other_square_of_a_jump_reaches_as_good_a_result():
    """Searches by the rules alone, to the end of the round."""

    def best(position, side):
        if position.is_over:
            return _result(position, side)
        moves = JUMPING_FARTHER.legal_moves(position)
        choose = max if JUMPING_FARTHER.side_to_move(position) == side else min
        return choose(best(JUMPING_FARTHER.play(position, move), side) for move in moves)

    def empties(puzzle):
        position = JUMPING_FARTHER.parse(puzzle.position)
        return position.current.size**2 - len(position.current.cells)

    puzzle = min(SHIPPED["jumping_farther"], key=empties)
    position = JUMPING_FARTHER.parse(puzzle.position)
    side = JUMPING_FARTHER.side_to_move(position)
    results = {
        move: best(JUMPING_FARTHER.play(position, move), side)
        for move in JUMPING_FARTHER.legal_moves(position)
    }
    solution = results.pop(puzzle.solution[0])
    assert solution > max(results.values())
    assert solution == (1 if Theme.KEEP_THE_LEAD in puzzle.themes else 0)


def _result(position, side):
    winner = JUMPING_FARTHER.outcome(position).winner
    return 0 if winner is None else 1 if winner == side else -1


@pytest.mark.parametrize("game", RULES)
def test_the_same_seed_makes_the_same_puzzles(game):
    first = [next(itertools.chain(puzzles_in(game, seed)), None) for seed in (3,)]
    assert first == [next(itertools.chain(puzzles_in(game, seed)), None) for seed in (3,)]


def test_positions_without_a_single_best_move_are_no_puzzles():
    assert FINDERS["jadejack"].prove(JADEJACK.initial({"size": 8})) is None
    assert FINDERS["golden_nugget"].prove(ONE_BOARD.parse("A:" + ",".join(map(str, range(1, 50))))) is None
    assert FINDERS["jumping_farther"].prove(JUMPING_FARTHER.parse("3:b2 0 0")) is None
    assert FINDERS["up_and_up"].prove(UP_AND_UP.parse("3:b2")) is None


FOR_TWO = Puzzle("jumping_farther", "5:c3,c5 0 0", ("a5", "a1", "e1"), (), 1500)
ALONE = Puzzle("up_and_up", "3:a1", ("a2", "c2", "c1"), (), 1500)


def test_a_right_move_is_answered_and_the_last_one_solves():
    begun = attempt(FOR_TWO, ["a5"])
    assert (begun.line, begun.is_solved) == (("a5", "a1"), None)
    solved_ = attempt(FOR_TWO, ["a5", "e1"])
    assert (solved_.line, solved_.is_solved) == (FOR_TWO.solution, True)


def test_a_wrong_move_in_a_game_for_two_ends_the_attempt():
    failed = attempt(FOR_TWO, ["e5", "e1"])
    assert (failed.line, failed.is_solved) == (("e5",), False)


def test_alone_a_line_is_judged_when_it_is_complete():
    assert attempt(ALONE, ["b1"]).is_solved is None
    assert attempt(ALONE, ["a2", "c2", "c1"]).is_solved is True
    assert attempt(ALONE, ["a2", "c2", "c3"]).is_solved is False


def test_what_is_no_move_and_what_is_not_allowed_are_refused():
    with pytest.raises(IllegalMove):
        attempt(FOR_TWO, ["a2"])
    with pytest.raises(MoveSyntaxError):
        attempt(FOR_TWO, ["?"])


@pytest.mark.parametrize("text", ["", "A:", "C:1,2", "A:" + "1," * 48 + "1", "A:" + "x" * 20])
def test_what_is_no_board_is_refused(text):
    with pytest.raises(MoveSyntaxError):
        ONE_BOARD.parse(text)


def test_a_solved_board_takes_no_push():
    puzzle = SHIPPED["golden_nugget"][0]
    board = ONE_BOARD.parse(puzzle.position)
    for force in puzzle.solution:
        board = ONE_BOARD.play(board, force)
    assert ONE_BOARD.legal_moves(board) == []
    with pytest.raises(IllegalPush):
        ONE_BOARD.play(board, "1")
