"""Puzzles of finished games, found by workers or made by players of their mistakes; and playing on there."""

import random
from uuid import uuid4

import pytest

from app.core.jobs.queue import Queue
from app.core.jobs.worker import Job
from app.core.moments import now
from app.learn.puzzles import queries
from app.learn.puzzles.collection import may_be_puzzle, search_next_game
from app.learn.puzzles.work import find_puzzles, prove_puzzle
from app.people.identity.models import Account
from app.play.games import creation
from app.play.games.decisions import Command
from engine import squares
from engine.puzzles.shipped import shipped
from engine.registry import FOR_TWO, SOLITAIRE
from tests.support.answers import assert_problem
from tests.support.players import Program, Visitor, fresh_name
from tests.support.waiting import wait_until
from tests.support.web_processes import web_processes

PUZZLE = min(
    (puzzle for puzzle in shipped("jumping_farther") if len(puzzle.solution) == 1),
    key=lambda puzzle: len(puzzle.position),
)


def mirrored(square):
    """Return a square on the other side of the board of the puzzle."""
    size = PUZZLE.start.current.size
    column = squares.COLUMNS.index(square[0])
    return squares.COLUMNS[size - 1 - column] + square[1:]


CELLS = [mirrored(squares.names(PUZZLE.start.current.size)[cell]) for cell in PUZZLE.start.current.cells]
"""The moves to a position that is no shipped puzzle, but one in the mirror."""

SOLUTION = [mirrored(square) for square in PUZZLE.solution]
OPTIONS = {"size": PUZZLE.start.current.size, "rounds": 1}


@pytest.fixture
def finished(server_with_computer):
    """Return a finished game that led to the position, and its players; the side to move resigned."""
    players = Program(server_with_computer), Program(server_with_computer)
    terms = {"game": "jumping_farther", "options": OPTIONS, "side": "first"}
    made = players[0].challenge(opponent=players[1].username, **terms)
    game_id = players[1].http.post(f"/challenges/{made.json()['id']}/accept").json()["game_id"]
    for ply, cell in enumerate(CELLS):
        assert players[ply % 2].move(game_id, cell, ply).status_code == 200
    players[len(CELLS) % 2].http.post(f"/games/{game_id}/resign")
    return game_id, players


def test_a_player_makes_a_puzzle_of_a_mistake_that_counts_for_everybody_else(finished, server_with_computer):
    game_id, (player, _) = finished
    made = player.http.post(f"/games/{game_id}/puzzle", json={"ply": len(CELLS)})
    assert made.status_code == 201, made.text
    shown = made.json()
    assert (shown["game"], shown["themes"]) == ("jumping_farther", [])
    again = player.http.post(f"/games/{game_id}/puzzle", json={"ply": len(CELLS)}).json()
    assert again["id"] == shown["id"]
    evaluated = {"game": shown["game"], "position": shown["position"]}
    assert_problem(player.http.post("/evaluations", json=evaluated), 409, "puzzle_open")
    path = f"/puzzles/{shown['id']}/attempts"
    known = player.http.post(path, json={"moves": SOLUTION}).json()
    assert (known["solved"], known["rating_change"]) == (True, None)
    themes = player.http.get(f"/puzzles/{shown['id']}").json()["themes"]
    assert ("keep_the_lead" in themes) == ("keep_the_lead" in PUZZLE.themes)
    stranger = Program(server_with_computer)
    assert stranger.http.post(path, json={"moves": SOLUTION}).json()["rating_change"] > 0
    solved = Visitor(server_with_computer).http.post(f"/puzzles/{shown['id']}", data={"command": "give_up"})
    assert f'href="/games/{game_id}"' in solved.text


def test_a_position_without_a_best_move_makes_no_puzzle(finished):
    game_id, (player, _) = finished
    answer = player.http.post(f"/games/{game_id}/puzzle", json={"ply": 1})
    assert_problem(answer, 409, "no_puzzle")


def test_somebody_plays_on_against_the_computer(finished, server_with_computer):
    game_id, (player, _) = finished
    body = {"ply": len(CELLS), "level": 1}
    started = player.http.post(f"/games/{game_id}/play-on", json=body)
    assert started.status_code == 201, started.text
    new_game_id = started.json()["game_id"]
    snapshot = player.snapshot(new_game_id)
    assert (snapshot["moves"], snapshot["rated"]) == (CELLS, False)
    assert snapshot["players"][snapshot["side_to_move"]]["username"] == player.username
    assert player.move(new_game_id, SOLUTION[0], len(CELLS)).status_code == 200
    wait_until(lambda: player.snapshot(new_game_id)["ply"] >= len(CELLS) + 2)
    visitor = Visitor(server_with_computer)
    page = visitor.http.post(f"/games/{game_id}/play-on", data={"ply": "3", "level": "1"})
    assert page.url.path.startswith("/games/")
    assert page.url.path != f"/games/{game_id}"


def test_nobody_plays_on_in_a_game_under_way_or_after_the_end(server, program, other):
    made = program.challenge(opponent=other.username, side="black")
    game_id = other.http.post(f"/challenges/{made.json()['id']}/accept").json()["game_id"]
    assert_problem(program.http.post(f"/games/{game_id}/play-on", json={"ply": 0}), 409, "not_over")
    for ply in (0, 1):
        (program, other)[ply].move(game_id, "pass", ply)
    assert_problem(program.http.post(f"/games/{game_id}/play-on", json={"ply": 2}), 409, "no_move")


async def test_workers_search_finished_games_in_order_and_prove_what_they_find(new_database):
    async with web_processes(new_database("finding"), 1) as (process,):
        queue = process.parts.get(Queue)
        ended = [await finished_game(process) for _ in range(2)]
        for game_id in ended:
            await search_next_game(process.database, queue)
            assert await queue.count_waiting() == {"find_puzzles": 1}
            await process.database.pool.execute("DELETE FROM pgqueuer")
            found = await find_puzzles(Job({"game_id": game_id}, 1), process.games, queue)
            assert len(CELLS) in found["plies"]
            assert await queue.count_waiting() == {"prove_puzzle": len(found["plies"])}
            await search_next_game(process.database, queue)  # not while others wait
            assert "find_puzzles" not in await queue.count_waiting()
            await process.database.pool.execute("DELETE FROM pgqueuer")
        await search_next_game(process.database, queue)
        assert await queue.count_waiting() == {}
        job = Job({"game_id": ended[0], "ply": len(CELLS)}, 1)
        proven = await prove_puzzle(job, process.database, process.games)
        async with process.database.transaction() as session:
            info = await queries.get(session, proven["puzzle"])
        assert info.source == (ended[0], len(CELLS))
        assert list(info.puzzle.solution) == SOLUTION


@pytest.mark.parametrize("rules", [*FOR_TWO.values(), *SOLITAIRE.values()])
async def test_every_ply_of_a_game_is_a_puzzle_or_makes_none(new_database, rules):
    """Also the empty board, the last position, and what is beyond: nothing fails."""
    generator = random.Random(1)
    options = {"size": rules.options["size"].minimum}
    position, moves = rules.initial(options), []
    while (legal := rules.legal_moves(position)) and len(moves) < 6:
        moves.append(generator.choice(legal))
        position = rules.play(position, moves[-1])
    async with web_processes(new_database("plies"), 1) as (process,):
        game_id, _ids = await process.begin(rules, options, moves)
        await process.database.pool.execute(
            "UPDATE games SET status = 'finished', termination = 'no_move', ended_at = now() WHERE id = $1",
            game_id,
        )
        state = await process.games.get(game_id)
        for ply in (*range(len(moves) + 2), 10_000):
            job = Job({"game_id": game_id, "ply": ply}, 1)
            made = await prove_puzzle(job, process.database, process.games)
            assert made["puzzle"] is None or may_be_puzzle(state, ply)
            assert not may_be_puzzle(state, ply) or 0 < ply <= len(moves)


async def test_a_position_of_a_rated_game_under_way_becomes_no_puzzle(new_database):
    async with web_processes(new_database("under_way"), 1) as (process,):
        game_id = await finished_game(process)
        await new_game(process, rated=True)
        job = Job({"game_id": game_id, "ply": len(CELLS)}, 1)
        assert await prove_puzzle(job, process.database, process.games) == {"puzzle": None}


async def new_game(process, **terms):
    """Start a game that leads to the position, and return its id and first player."""
    async with process.database.transaction() as session:
        players = [Account(username=fresh_name(), password_hash="none") for _ in range(2)]
        session.add_all(players)
        await session.flush()
        ids = [player.id for player in players]
        game_id = await creation.create(session, "jumping_farther", OPTIONS, ids, **terms)
    for ply, cell in enumerate(CELLS):
        await process.games.play_move(game_id, ids[ply % 2], cell, ply, uuid4(), at=now())
    return game_id, ids[0]


async def finished_game(process):
    game_id, player_id = await new_game(process)
    await process.games.command(Command.RESIGN, game_id, player_id, at=now())
    return game_id
