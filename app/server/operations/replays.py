"""Checking that the moves of every stored game lead to its stored position, in parallel."""

import asyncio
import multiprocessing
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple

from app.core import json
from app.core.database.session import connected
from engine.game import ExplainedError
from engine.registry import rules_for
from engine.replay import positions

_BATCH = 500  # games
_MOST_SHOWN = 100  # problems

_NEXT_GAMES = """
SELECT game.*, move.moves, move.last_ply
FROM (
    SELECT id, game, options, second_player IS NULL AS is_solitaire, position, ply
    FROM games WHERE id > $1 ORDER BY id LIMIT $2
) game CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(move ORDER BY ply), '{}') AS moves, coalesce(max(ply), 0) AS last_ply
    FROM moves WHERE game_id = game.id
) move ORDER BY game.id
"""


_UNREADABLE = "SELECT id FROM unreadable_rows WHERE kind = 'games'"
_FORGET = "DELETE FROM unreadable_rows WHERE kind = 'games' AND id = ANY($1)"


class StoredGame(NamedTuple):
    """A game as it is stored, without what a replay does not need. `options` is JSON."""

    id: str
    game: str
    options: str
    is_solitaire: bool
    position: str
    ply: int
    moves: list[str]
    last_ply: int


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a game."""

    game: str
    problem: str


@dataclass(slots=True)
class Checked:
    """How many games and moves were replayed, how many games are wrong, and the first 100 of those."""

    games: int = 0
    moves: int = 0
    wrong: int = 0
    problems: list[Problem] = field(default_factory=list)

    def add(self, games: list[StoredGame], problems: list[Problem]) -> None:
        """Count a batch."""
        self.games += len(games)
        self.moves += sum(len(game.moves) for game in games)
        self.wrong += len(problems)
        self.problems += problems[: _MOST_SHOWN - len(self.problems)]


async def check_games(
    url: str, processes: int, on_progress: Callable[[Checked], None] = lambda _: None
) -> Checked:
    """Replay every game of the database at `url` in some processes, while the server may run.

    `on_progress` is called after each batch. A game that replays leaves the list of those that the server
    could not read.
    """
    checked = Checked()
    unreadable = await _unreadable(url)
    replayed: set[str] = set()
    loop = asyncio.get_running_loop()
    # Forked processes would share this one's connection.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        at_work = asyncio.Semaphore(2 * processes)

        async def check(games: list[StoredGame]) -> None:
            try:
                problems = await loop.run_in_executor(pool, problems_of, games)
                checked.add(games, problems)
                wrong = {problem.game for problem in problems}
                replayed.update(unreadable.intersection(game.id for game in games) - wrong)
            finally:
                at_work.release()
            on_progress(checked)

        async with asyncio.TaskGroup() as tasks:
            async for games in _batches(url):
                await at_work.acquire()
                tasks.create_task(check(games))
    if replayed:
        async with connected(url) as connection:
            await connection.execute(_FORGET, list(replayed))
    return checked


async def _unreadable(url: str) -> set[str]:
    async with connected(url) as connection:
        return {row["id"] for row in await connection.fetch(_UNREADABLE)}


async def _batches(url: str) -> AsyncIterator[list[StoredGame]]:
    async with connected(url) as connection:
        last = ""
        while rows := await connection.fetch(_NEXT_GAMES, last, _BATCH):
            yield [StoredGame(*row) for row in rows]
            last = rows[-1]["id"]


def problems_of(games: list[StoredGame]) -> list[Problem]:
    """Return the problems of a batch of games, at most one for each."""
    return [Problem(game.id, problem) for game in games if (problem := _problem(game)) is not None]


def _problem(game: StoredGame) -> str | None:
    if not game.ply == len(game.moves) == game.last_ply:
        return f"it is at ply {game.ply}, but has {len(game.moves)} moves up to ply {game.last_ply}"
    try:
        rules = rules_for(game.game, 1 if game.is_solitaire else 2)
        *_, position = positions(rules, json.decode(game.options), game.moves)
        replayed = rules.format(position)
    except ExplainedError as error:
        return f"it cannot be replayed: {error}"
    except Exception as error:  # noqa: BLE001 - whatever a damaged row raises, the others are checked
        return f"it cannot be replayed: {type(error).__name__}: {error}"
    return (
        None if replayed == game.position else f"its moves lead to {replayed}, but {game.position} is stored"
    )
