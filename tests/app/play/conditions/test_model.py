"""Conditional moves on two processes, which may end between any two steps, compared with a plain model."""

import asyncio
import json
import random
import uuid

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from app.core.moments import now
from app.play.conditions import service
from app.play.conditions.service import Conditions
from engine.registry import GAMES
from tests.support.web_processes import web_processes

RULES = GAMES["jadejack"]
START = RULES.initial({"size": 8})
NUMBERS = st.integers(0, 10**6)
SEATS = st.sampled_from((0, 1))


def moves_before_a_forced_pass():
    """Return the moves of a game in which the next move may leave a side without a choice."""
    for seed in range(400):
        rng, position, moves = random.Random(seed), START, []
        while RULES.outcome(position) is None and len(legal := RULES.legal_moves(position)) > 1:
            moves.append(rng.choice(legal[:-1]))
            position = RULES.play(position, moves[-1])
            if RULES.forced_move(position):
                return moves[:-1]
    raise AssertionError("no game with a forced pass was found")


class Model:
    """A game with conditional moves: what the server must come to, however often it is interrupted."""

    def __init__(self, moves):
        self.moves = []
        self.position = START
        self.lines = [[], []]
        self.dropped = [0, 0]
        for move in moves:
            self.add(move)

    @property
    def seat(self):
        side = RULES.side_to_move(self.position)
        return None if side is None else RULES.sides.index(side)

    def add(self, move):
        self.moves.append(move)
        self.position = RULES.play(self.position, move)
        for seat in (0, 1):
            fitting = [line for line in self.lines[seat] if line[0] == move]
            self.dropped[seat] += len(self.lines[seat]) - len(fitting)
            self.lines[seat] = [line[1:] for line in fitting if line[1:]]

    def play(self, move):
        while move is not None:
            self.add(move)
            move = RULES.forced_move(self.position)

    def answer(self):
        while self.seat is not None and (lines := self.lines[self.seat]):
            self.play(lines[0][0])


class ConditionsUnderFaults(RuleBasedStateMachine):
    """Two players of one game at two processes of a server."""

    def __init__(self, run, processes, opening):
        super().__init__()
        self.run = run
        self.both = processes
        self.conditions = {
            process: Conditions(process.database, process.bus, process.games) for process in processes
        }
        for conditions in self.conditions.values():
            run(conditions.begin())
        self.game_id, self.players = run(self.begin(opening))
        self.model = Model(opening)

    async def begin(self, opening):
        state = await self.both[0].new_game()
        model = Model(opening)
        async with self.both[0].database.pool.acquire() as connection:
            rows = [(state.id, ply, move, uuid.uuid4()) for ply, move in enumerate(opening, 1)]
            await connection.executemany("INSERT INTO moves VALUES ($1, $2, $3, $4)", rows)
            await connection.execute(
                "UPDATE games SET ply = $2, position = $3, version = version + 1 WHERE id = $1",
                *(state.id, len(opening), RULES.format(model.position)),
            )
        return state.id, [player.id for player in state.players]

    async def play(self, process, move, steps):
        """Play a move on a process, which does not live longer than so many steps (None: it lives on)."""
        if steps is not None:
            self.let_die_after(process, steps)
        state = await process.games.store.load(self.game_id)
        await process.games.play_move(
            self.game_id, self.players[self.model.seat], move, state.ply, uuid.uuid4(), at=now()
        )
        while tasks := self.conditions[process]._tasks:
            await asyncio.gather(*tasks)

    def let_die_after(self, process, steps):
        follow, left = self.conditions[process]._follow_soon, [steps]

        def follow_a_little(game_id):
            left[0] -= 1
            if left[0] >= 0:
                follow(game_id)

        process.games.when_conditional(follow_a_little)

    @rule(number=NUMBERS, process=SEATS, steps=st.none() | st.integers(0, 3))
    @precondition(lambda self: self.model.seat is not None)
    def move(self, number, process, steps):
        """Play the next move, often one that is expected. If the process ends, the other one takes over."""
        rng = random.Random(number)
        expected = [line[0] for lines in self.model.lines for line in lines]
        move = rng.choice(expected or some(self.model.position))
        chosen = self.both[process]
        self.run(self.play(chosen, move, steps))
        self.model.play(move)
        self.model.answer()
        if steps is not None:
            chosen.games.when_conditional(self.conditions[chosen]._follow_soon)
            self.run(self.recover())

    async def recover(self):
        """Catch up on both processes at once until no answer is owed."""
        while await self.is_owed():
            await asyncio.gather(*(conditions.catch_up() for conditions in self.conditions.values()))
            for conditions in self.conditions.values():
                await asyncio.gather(*conditions._tasks)

    async def is_owed(self):
        async with self.both[0].database.transaction() as session:
            return await service.not_followed(session, (), 1)

    @rule(number=NUMBERS, process=SEATS)
    @precondition(lambda self: self.model.seat is not None)
    def decide_ahead(self, number, process):
        rng, seat = random.Random(number), 1 - self.model.seat
        lines = [tree_line(rng, self.model.position, seat, number) for _ in range(rng.randint(0, 4))]
        kept = list(dict.fromkeys(tuple(line) for line in lines if line))
        kept = [line for line in kept if not any(line == other[: len(line)] != other for other in kept)]
        self.run(self.save(self.both[process], seat, [line for line in lines if line]))
        self.model.lines[seat] = [list(line) for line in kept]
        self.model.dropped[seat] = 0

    async def save(self, process, seat, lines):
        conditions = self.conditions[process]
        own = await conditions.own(self.game_id, self.players[seat], at=now())
        await conditions.save(self.game_id, self.players[seat], own.version, lines, at=now())

    @rule(process=SEATS, seat=SEATS)
    def delete(self, process, seat):
        conditions = self.conditions[self.both[process]]
        self.run(conditions.delete(self.game_id, self.players[seat], at=now()))
        self.model.lines[seat], self.model.dropped[seat] = [], 0

    @invariant()
    def every_process_shows_what_the_model_says(self):
        for process in self.both:
            state = self.run(process.games.get(self.game_id))
            assert [played.move for played in state.moves] == self.model.moves
            for seat, account in enumerate(self.players):
                own = self.run(self.conditions[process].own(self.game_id, account, at=now()))
                assert [list(line) for line in own.lines] == self.model.lines[seat]
                assert (own.dropped.lines if own.dropped else 0) == self.model.dropped[seat]


def some(position):
    """Return a few of the legal moves, so that lines and games often meet."""
    legal = RULES.legal_moves(position)
    return [*legal[:2], legal[-1]]


def tree_line(rng, position, seat, seed):
    """Return a line that answers the same moves in the same way as all others of its seed."""
    line = []
    for _ in range(rng.choice((2, 4, 6))):
        side = RULES.side_to_move(position)
        if side is None:
            break
        is_answer = RULES.sides.index(side) == seat
        chooser = random.Random(json.dumps([seed, line])) if is_answer else rng
        line.append(chooser.choice(some(position)))
        position = RULES.play(position, line[-1])
    return line[: len(line) // 2 * 2]


@pytest.fixture
def run():
    """Return a function that runs a coroutine in an event loop, which stands still between two calls."""
    with asyncio.Runner() as runner:
        yield runner.run


@pytest.mark.parametrize("opening", [list, moves_before_a_forced_pass])
def test_games_with_conditional_moves_are_what_the_model_says(database_url, run, opening):
    moves = opening()
    processes = web_processes(database_url, 2)
    both = run(processes.__aenter__())
    run_state_machine_as_test(
        lambda: ConditionsUnderFaults(run, both, moves),
        settings=settings(
            max_examples=5,
            stateful_step_count=12,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    run(processes.__aexit__(None, None, None))
