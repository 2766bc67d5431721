"""The computer gives no help with positions of rated games under way."""

import itertools
import random

import pytest

from app.core.errors import ConflictError
from app.people.identity.devices import Person
from app.people.identity.models import Account
from app.play.bots.fair_play import FairPlay, close_puzzle, open_puzzle
from engine import number_grid, squares, symmetry
from engine.puzzles.rules import RULES
from engine.puzzles.shipped import shipped
from engine.registry import FOR_TWO
from tests.engine import disguises
from tests.support.answers import code
from tests.support.database import fetch
from tests.support.games import know, lost_rated_game, move_once_each, play_until_rated, post, rated_game
from tests.support.players import Program, Visitor, fresh_name
from tests.support.web_processes import web_processes

ANALYSIS = "/analysis/jadejack?size=9&moves="
OCCURRED = ["c4", "c4,f6"]  # of the game that `move_once_each` begins


@pytest.fixture
def player(server):
    """Return a browser whose user plays a rated game, in which each side has moved once."""
    program, opponent = Program(server), Program(server)
    visitor = Visitor(server).log_in(program.username)
    visitor.program, visitor.game = program, rated_game(program, opponent)
    move_once_each(program, opponent, visitor.game)
    return visitor


def is_refused(visitor, moves):
    return visitor.http.get(ANALYSIS + moves).status_code == 409


@pytest.mark.parametrize("moves", [*OCCURRED, "c4,f6,d3", "c4,f6,d3,e4,g7"])
def test_positions_of_the_game_and_lines_through_it_are_refused(player, moves):
    assert is_refused(player, moves)
    evaluation = player.http.post("/analysis/jadejack/evaluation", data={"size": "9", "moves": moves})
    assert evaluation.status_code == 409
    assert "rated game" in evaluation.text


@pytest.mark.parametrize("moves", ["", "c4,g7", "d5", "c4,g7,f6"])
def test_other_positions_are_analysed(player, moves):
    assert not is_refused(player, moves)


@pytest.mark.parametrize("moves", ["d3,f6", "g6,d4", "d7,f4", "f3,d6"])
def test_the_board_turned_or_mirrored_is_refused(player, moves):
    assert is_refused(player, moves)


def test_evaluations_by_program_are_refused(player):
    program = player.program
    snapshot = program.http.get(f"/games/{player.game}").json()
    body = {"game": "jadejack", "position": snapshot["position"]}
    assert code(program.http.post("/evaluations", json=body)) == (409, "game_under_way")
    after_next = "9/9/9/5w3/9/2b6/3b5/9/9 w 0"
    body = {"game": "jadejack", "position": after_next}
    assert code(program.http.post("/evaluations", json=body)) == (409, "game_under_way")


def test_logging_out_or_using_another_account_of_the_browser_does_not_help(player):
    player.http.post("/logout")
    assert is_refused(player, "c4,f6")
    player.register()
    assert is_refused(player, "c4,f6")


def test_others_may_analyse(server, player):
    assert not is_refused(Visitor(server), "c4,f6")
    assert not is_refused(Visitor(server).register(), "c4,f6")


def test_the_game_is_analysed_when_it_is_over(player):
    assert post(player.program, f"/games/{player.game}/resign").status_code == 200
    assert not is_refused(player, "c4,f6")


def test_the_second_round_of_a_match_is_refused_as_a_round_of_its_own(server, database_url):
    players = Program(server), Program(server)
    rules = FOR_TWO["jumping_farther"]
    options = {"size": 3, "rounds": 2}
    game = rated_game(*players, game=rules.key, options=options, side="first")
    position, ply = rules.initial(options), 0
    know(database_url, rules, rules.parse("3: 0 0"), [["a1", 0, []]])
    while len(position.rounds) < 2 or len(position.current.cells) < 3:
        if len(position.rounds) == 2 and not position.current.cells:
            assert evaluated(players[0], "3: 0 0") == (200, None)  # everybody knows the empty board
        mover = players[rules.sides.index(rules.side_to_move(position))]
        legal = rules.legal_moves(position)
        move = legal[len(legal) // 2 if len(position.rounds) == 2 else 0]  # the rounds are different
        assert mover.move(game, move, ply).status_code == 200
        position, ply = rules.play(position, move), ply + 1
    alone = rules.format(position).partition("/")[2]
    after_next = rules.play(rules.parse(alone), rules.legal_moves(position)[0])
    for helping in (alone, f"{alone}/", rules.format(after_next)):
        assert evaluated(players[0], helping) == (409, "game_under_way")


def evaluated(program, position):
    answer = program.http.post("/evaluations", json={"game": "jumping_farther", "position": position})
    return answer.status_code, answer.json().get("code")


def under_disguise(rules, position, seed):
    """The text of another position that plays the same."""
    generator = random.Random(seed)
    if rules.key == "jadejack":
        text = rules.format(position)
        while text == rules.format(position):
            text = rules.format(disguises.of_jadejack(position, generator))
        return text
    round_ = position.current
    turn = generator.choice(symmetry.turns(round_.size))
    cells = [turn.targets[cell] for cell in round_.cells]
    generator.shuffle(cells)
    order = ordered(cells, turn.targets[round_.cells[-1]], round_.last_jump, round_.size)
    return f"{number_grid.to_text(round_.size, order)} 1 0"


def ordered(cells, last, last_jump, size):
    """The squares in an order that jumps can follow and that ends with a jump of that length."""

    def before(square, left, far):
        if not left:
            return [square]
        for other in left:
            distance = number_grid.distance(other, square, size)
            if distance and far in (None, distance):
                earlier = before(other, [each for each in left if each != other], None)
                if earlier:
                    return [*earlier, square]
        return None

    return before(last, [square for square in cells if square != last], last_jump)


def play_on(rules, position, plies, generator):
    """Yield moves of a game with high stacks, and the positions before them."""
    for _ in range(plies):
        legal = [move for move in rules.legal_moves(position) if move != "pass"]
        if rules.key == "jadejack":
            stacks = dict(zip(squares.names(position.size), position.stacks, strict=True))
            legal = [move for move in legal if stacks[move]] or legal[::7]
        move = generator.choice(legal)
        yield position, move
        position = rules.play(position, move)


@pytest.fixture(params=FOR_TWO)
def under_way(request, server):
    """A rated game under way: its rules, its positions, and those that may follow the present one."""
    rules, generator = FOR_TWO[request.param], random.Random(1)
    players = Program(server), Program(server)
    options = {"size": 8, **({"rounds": 1} if "rounds" in rules.options else {})}
    game = rated_game(*players, game=rules.key, options=options, side=rules.sides[0])
    line = list(play_on(rules, rules.initial(options), 15, generator))
    for ply, (position, move) in enumerate(line[:10]):
        mover = players[rules.sides.index(rules.side_to_move(position))]
        assert mover.move(game, move, ply).status_code == 200
    return players[0], rules, [position for position, _ in line]


def test_no_disguise_of_a_position_within_two_plies_is_evaluated(under_way):
    player, rules, positions = under_way
    for ply, seed in itertools.product((3, 8, 9, 10, 11, 12), range(3)):
        text = under_disguise(rules, positions[ply], seed)
        answer = player.http.post("/evaluations", json={"game": rules.key, "position": text})
        assert code(answer) == (409, "game_under_way"), (ply, text)


def test_a_position_that_leads_to_that_of_the_game_in_another_way_is_not_evaluated(player):
    """Its expected line would show what follows there."""
    before = "9/9/9/5w3/9/9/9/9/9 b 0"  # White's first disk without Black's
    body = {"game": "jadejack", "position": before}
    assert code(player.program.http.post("/evaluations", json=body)) == (409, "game_under_way")


def test_positions_further_ahead_are_evaluated_without_a_suspicion(under_way, database_url):
    player, rules, positions = under_way
    reports = "SELECT count(*) FROM reports WHERE account_id = (SELECT id FROM accounts WHERE username = $1)"
    noted = fetch(database_url, reports, player.username)
    know(database_url, rules, positions[13], [[rules.legal_moves(positions[13])[0], 1, []]])
    body = {"game": rules.key, "position": rules.format(positions[13])}
    assert player.http.post("/evaluations", json=body).status_code == 200
    assert fetch(database_url, reports, player.username) == noted


@pytest.mark.parametrize("game", RULES)
async def test_no_disguise_of_a_puzzle_that_a_player_was_shown_is_helped_with(database_url, game):
    rules, generator = RULES[game], random.Random(1)
    tried = ((puzzle, rules.play(puzzle.start, puzzle.solution[0])) for puzzle in shipped(game))
    puzzle, after = next(each for each in tried if rules.side_to_move(each[1]) is not None)
    *_, later, elsewhere = shipped(game)
    async with web_processes(database_url, 1) as [process]:
        async with process.database.transaction() as session:
            account = Account(username=fresh_name(), password_hash="none")
            session.add(account)
            await session.flush()
            await open_puzzle(session, account.id, "first", game, puzzle.position)
            await open_puzzle(session, account.id, "later", game, later.position)
        fair_play = process.parts.get(FairPlay)
        for position in (puzzle.start, after):
            disguised = disguises.OF[game](position, generator)
            with pytest.raises(ConflictError, match="puzzle"):
                await fair_play.check(Person(account.id), rules, [disguised])
        await fair_play.check(Person(account.id), rules, [elsewhere.start])
        async with process.database.transaction() as session:
            await close_puzzle(session, account.id, "first")
        await fair_play.check(Person(account.id), rules, [puzzle.start])


def test_nobody_plays_on_against_the_computer_from_a_position_of_a_rated_game(server):
    program, opponent = Program(server), Program(server)
    finished = lost_rated_game(program, opponent)
    under_way = rated_game(program, opponent)
    play_until_rated(program, opponent, under_way, plies=2)
    play_on = {"ply": 2, "level": 1}
    assert code(program.http.post(f"/games/{finished}/play-on", json=play_on)) == (409, "game_under_way")
    assert post(program, f"/games/{under_way}/resign").status_code == 200
    assert program.http.post(f"/games/{finished}/play-on", json=play_on).status_code == 201
