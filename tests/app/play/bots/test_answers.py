"""The computer answers in no position that stands in a rated game of its opponent that is under way."""

import asyncio
import contextlib
import random
from uuid import uuid4

import pytest
from sqlalchemy import func, select

from app.core.errors import ConflictError
from app.core.moments import now
from app.people.identity import devices
from app.people.identity import service as identities
from app.people.identity.models import Account
from app.play.bots.fair_play import FairPlay
from app.play.conditions.service import Conditions
from app.play.games import creation
from app.play.games.decisions import Command
from app.site.moderation.models import Report
from engine import squares, symmetry
from engine.registry import FOR_TWO
from tests.support.answers import assert_problem, code
from tests.support.games import move_once_each, post, rated_game
from tests.support.players import PASSWORD, Program, Visitor, fresh_name

SIZE = 8
STANDS_AT = 9
"""The plies after which the rated games stand."""

PROPOSED = creation.proposed_options(FOR_TWO["jadejack"])
"""The options of games that begin on pages."""

REFUSED = (409, "position_in_rated_game")


class Scene:
    """A person who plays a rated game, and games against the computer that lead to its positions."""

    def __init__(self, process, rules, seed):
        self.process, self.rules = process, rules
        self.options = {"size": SIZE, **({"rounds": 1} if "rounds" in rules.options else {})}
        self.generator = random.Random(seed)
        self.moves = self.line(STANDS_AT + 4)
        process.games.before_answers(FairPlay(process.database, process.games).check_answer)

    def line(self, plies):
        """Return random moves, none of which is forced."""
        position, moves = self.rules.initial(self.options), []
        while len(moves) < plies:
            legal = [move for move in self.rules.legal_moves(position) if move != "pass"]
            moves.append(self.generator.choice(legal))
            position = self.rules.play(position, moves[-1])
            assert self.rules.forced_move(position) is None
        return moves

    async def begin(self, plies=STANDS_AT, *, rated=True):
        """Begin the game between people."""
        async with self.process.database.transaction() as session:
            self.person, other = [Account(username=fresh_name(), password_hash="none") for _ in range(2)]
            session.add_all([self.person, other])
            await session.flush()
            self.computer = (await identities.computers(session))[0]
            seats = [self.person.id, other.id]
            opening = self.moves[:plies]
            await creation.create(session, self.rules.key, self.options, seats, rated=rated, opening=opening)

    async def against_computer(self, moves, person=None):
        """Begin a game that stands before the last of some moves, and return it; a person makes that move."""
        person = person or self.person
        position = self.rules.initial(self.options)
        for move in moves[:-1]:
            position = self.rules.play(position, move)
        side = self.rules.side_to_move(position)
        seats = [person.id if each == side else self.computer.id for each in self.rules.sides]
        async with self.process.database.transaction() as session:
            return await creation.create(session, self.rules.key, self.options, seats, opening=moves[:-1])

    async def play(self, game_id, move, person=None, **options):
        ply = (await self.process.games.get(game_id)).ply
        player = (person or self.person).id
        return await self.process.games.play_move(game_id, player, move, ply, uuid4(), at=now(), **options)

    async def is_answered(self, moves, **options):
        """Return whether the last move is played against the computer; nothing changes if it is not."""
        game_id = await self.against_computer(moves, options.get("person"))
        with contextlib.suppress(ConflictError):
            return (await self.play(game_id, moves[-1], **options)).awaits_computer
        assert (await self.process.games.get(game_id)).ply == len(moves) - 1
        return False

    def turned(self, moves):
        turn = self.generator.choice(symmetry.turns(SIZE))
        names, places = squares.names(SIZE), squares.indices(SIZE)
        return [move if move == "pass" else names[turn.targets[places[move]]] for move in moves]


@pytest.fixture(params=[(game, seed) for game in FOR_TWO for seed in range(2)], ids=str)
async def scene(request, process):
    """Each game for two, begun by some random moves."""
    game, seed = request.param
    return Scene(process, FOR_TWO[game], seed)


async def test_the_computer_answers_only_far_from_the_present_position(scene):
    await scene.begin()
    for plies in range(1, len(scene.moves) + 1):
        is_near = abs(plies - STANDS_AT) <= 2
        assert await scene.is_answered(scene.turned(scene.moves[:plies])) != is_near, plies


@pytest.mark.parametrize("seed", range(4))
async def test_a_forced_pass_brings_no_answer_near_the_present_position(process, seed):
    """The computer moves again when its opponent has to pass, which nobody else decides."""
    scene = Scene(process, FOR_TWO["jadejack"], seed)
    scene.moves = line_with_forced_passes(scene, 4)
    stands_at = len(scene.moves)
    await scene.begin(stands_at)
    for answers in range(5):  # by the computer, before it stands there
        assert not await scene.is_answered(scene.turned(scene.moves[: stands_at - 2 * answers])), answers
    assert await scene.is_answered(scene.turned(scene.moves[: stands_at - 10]))


def line_with_forced_passes(scene, most):
    """Return random moves until one side has had to pass after each of that many moves of the other one."""
    rules = scene.rules
    while True:
        position, moves, passes = rules.initial(scene.options), [], 0
        while passes < most and rules.outcome(position) is None:
            moves.append(scene.generator.choice(rules.legal_moves(position)[:-1]))
            position = rules.play(position, moves[-1])
            forced = rules.forced_move(position)
            passes = passes + 1 if forced else 0
            while (forced := rules.forced_move(position)) is not None:
                moves.append(forced)
                position = rules.play(position, forced)
        if rules.outcome(position) is None:
            return moves


async def test_it_answers_near_a_casual_game_and_near_games_of_others(scene):
    await scene.begin()
    other = Scene(scene.process, scene.rules, 0)
    other.moves = scene.moves
    await other.begin(rated=False)
    assert await other.is_answered(scene.moves[:STANDS_AT])


async def test_everybody_plays_the_computer_while_a_rated_game_has_not_begun(scene):
    await scene.begin(0)
    for plies in (1, 2, 3):
        assert await scene.is_answered(scene.moves[:plies])


async def test_another_move_is_answered(scene):
    """Whatever was refused, the game goes on with some other move."""
    await scene.begin(1)
    game_id = await scene.against_computer(scene.moves[:1])
    with pytest.raises(ConflictError, match="Play another move"):
        await scene.play(game_id, scene.moves[0])
    moves = scene.rules.legal_moves(scene.rules.initial(scene.options))
    answered = [await scene.is_answered([move]) for move in scene.generator.sample(moves, 20)]
    assert sum(answered) >= 15


async def test_no_suspicion_follows(scene):
    await scene.begin()
    assert not await scene.is_answered(scene.moves[:STANDS_AT])
    async with scene.process.database.reading_now() as session:
        noted = select(func.count()).where(Report.account_id == scene.person.id)
        assert await session.scalar(noted) == 0


async def test_another_account_of_the_browser_is_not_answered(scene):
    await scene.begin()
    device = fresh_name("device")
    async with scene.process.database.transaction() as session:
        guest = Account(username=fresh_name(), password_hash="none")
        session.add(guest)
        await devices.remember(session, scene.person, device)
    line = scene.moves[:STANDS_AT]
    assert not await scene.is_answered(line, person=guest, device=device)
    assert await scene.is_answered(line, person=guest, device=fresh_name("device"))
    assert await scene.is_answered(line, person=guest)


async def test_conditional_moves_wait_for_the_end_of_the_rated_game(scene):
    await scene.begin()
    games = scene.process.games
    conditions = Conditions(scene.process.database, scene.process.bus, games)
    game_id = await scene.against_computer(scene.moves[: STANDS_AT - 4])
    state = await scene.play(game_id, scene.moves[STANDS_AT - 5])
    own = await conditions.own(game_id, scene.person.id, at=now())
    line = scene.moves[STANDS_AT - 4 : STANDS_AT - 2]
    await conditions.save(game_id, scene.person.id, own.version, [line], at=now())
    await games.play_for_computer(state, line[0], at=now())
    await settled(conditions)
    assert (await games.get(game_id)).ply == STANDS_AT - 3
    (rated,) = await games.rated_under_way([scene.person.id], scene.rules.key)
    await games.command(Command.RESIGN, rated.id, scene.person.id, at=now())
    another = Conditions(scene.process.database, scene.process.bus, games)  # here the game rests
    await another.catch_up()
    await settled(another)
    state = await games.get(game_id)
    assert [played.move for played in state.moves[-2:]] == line
    assert state.awaits_computer


async def settled(conditions):
    while tasks := conditions._tasks:
        await asyncio.gather(*tasks)


@pytest.fixture
def player(server):
    """A program that plays a rated game, in which each side has moved once."""
    program, opponent = Program(server), Program(server)
    program.rated = rated_game(program, opponent, options=PROPOSED)
    move_once_each(program, opponent, program.rated)
    return program


def against_computer(program):
    made = program.challenge(opponent="Gorrion-1", side="black", options=PROPOSED)
    return made.json()["game_id"]


def page_of(server, program):
    visitor = Visitor(server)
    visitor.http.post("/login", data={"username": program.username, "password": PASSWORD})
    return visitor


def play_on_page(visitor, game, move):
    form = {"move": move, "ply": "0", "move_id": str(uuid4())}
    return visitor.http.post(f"/games/{game}/moves", data=form)


def test_the_api_says_why(player):
    game = against_computer(player)
    assert_problem(player.move(game, "c4", 0), *REFUSED)
    assert player.snapshot(game)["ply"] == 0
    assert player.move(game, "d5", 0).status_code == 200


def test_the_socket_says_why(player):
    game = against_computer(player)
    with player.socket(game) as socket:
        socket.send_move("c4", 0)
        refusal = socket.receive_until("error")
    assert (refusal["status"], refusal["code"]) == REFUSED


def test_pages_say_why(player, server):
    visitor = page_of(server, player)
    answer = play_on_page(visitor, against_computer(player), "c4")
    assert answer.status_code == 409
    assert "rated game" in answer.text


def test_guests_of_the_browser_are_not_answered_either(player, server):
    visitor = page_of(server, player)
    visitor.http.post("/logout")
    terms = {"game": "jadejack", "level": "1"}
    while "Your turn" not in (page := visitor.http.post("/challenges/computer", data=terms)).text:
        visitor.http.post(f"{page.url.path}/abort")
    game = page.url.path.rpartition("/")[2]
    assert play_on_page(visitor, game, "c4").status_code == 409


def test_the_move_is_played_after_the_rated_game(player):
    game = against_computer(player)
    assert code(player.move(game, "c4", 0)) == REFUSED
    assert post(player, f"/games/{player.rated}/resign").status_code == 200
    assert player.move(game, "c4", 0).status_code == 200
