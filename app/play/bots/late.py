"""Games that have waited for their computer for too long: no worker has made the move, or will make it."""

import asyncio
import zlib
from collections.abc import Iterable
from datetime import timedelta
from typing import Final

import structlog
from sqlalchemy import func, select

from app.core.database.session import Database
from app.core.database.unreadable import UnreadableError, readable
from app.core.jobs.events import JobAdded
from app.core.jobs.worker import MOST_ATTEMPTS
from app.core.moments import now
from app.core.realtime.bus import Bus
from app.people.identity import service as accounts
from app.play.games.game import GameState
from app.play.games.models import Game
from app.play.games.queries import against_computer, for_two, is_under_way
from app.play.games.service import Games
from engine.clock import FlagFallen
from engine.registry import rules_for
from engine.search import plain

log = structlog.get_logger()

_LATE = timedelta(minutes=1)
_LONGEST = timedelta(days=1)  # so that games which their players have left are not read again and again
_MOST = 500  # games

_CLAIMS: Final = """
SELECT max((SELECT count(*) FROM pgqueuer_log log WHERE log.job_id = job.id AND log.status = 'picked'))
FROM pgqueuer job
WHERE starts_with(dedupe_key, 'computer_move:' || $1 || ':') AND status IN ('queued', 'picked')
"""
_REQUEST: Final = "SELECT request_computer_move($1, $2)"


async def request_late_moves(database: Database, bus: Bus, games: Games) -> None:
    """Ask again for the computers' moves that are a minute late and that nobody is asked for.

    If workers have begun a move more often than they try anything else, the plain player makes it here.
    """
    for game_id, version in await _late_games(database):
        claims = await database.pool.fetchval(_CLAIMS, game_id)
        if claims is None:
            log.warning("computer_move_asked_again", game=game_id)
            await database.pool.execute(_REQUEST, game_id, version)
            bus.publish(JobAdded())
        elif claims > MOST_ATTEMPTS:
            await _play_plainly(games, game_id)


async def _late_games(database: Database) -> list[tuple[str, int]]:
    """Return the ids and versions of the games in which a computer's move is late."""
    async with database.reading_now() as session:
        computers = frozenset(account.id for account in await accounts.computers(session))
        rows = await session.scalars(
            select(Game)
            .where(against_computer(), is_under_way(), for_two())
            .where(Game.updated_at.between(func.now() - _LONGEST, func.now() - _LATE))
            .order_by(Game.updated_at.desc())
            .limit(_MOST)
        )
        return await asyncio.to_thread(_waiting, rows.all(), computers)


def _waiting(rows: Iterable[Game], computers: frozenset[int]) -> list[tuple[str, int]]:
    to_move = readable(_to_move, rows)
    return [(game.id, game.version) for game, player in to_move if player in computers]


def _to_move(game: Game) -> tuple[Game, int | None]:
    rules = rules_for(game.game, 2)
    side = rules.side_to_move(rules.parse(game.position))
    players = game.first_player, game.second_player
    return game, None if side is None else players[rules.sides.index(side)]


async def _play_plainly(games: Games, game_id: str) -> None:
    try:
        state = await games.get(game_id)
        if state.awaits_computer:
            log.warning("computer_plays_plainly", game=game_id, ply=state.ply)
            await games.play_for_computer(state, await asyncio.to_thread(plain_move, state), at=now())
    except (UnreadableError, FlagFallen):
        return


def plain_move(state: GameState) -> str:
    """Return the move of the player that needs nothing but the rules."""
    return plain.choose(state.rules, state.position, seed_of(state))


def seed_of(state: GameState) -> int:
    """Return the seed of a game's moves: the same each time one is chosen."""
    return zlib.crc32(state.id.encode())
