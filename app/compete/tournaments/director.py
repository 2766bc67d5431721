"""The task of each process that conducts the tournaments which are due.

Which process does it does not matter: the tournament's row is locked, and what was done is stored with it.
"""

import asyncio
from collections.abc import Collection
from typing import Final

import structlog

from app.compete.tournaments.conduct import conduct
from app.core.database.session import Database, is_unavailable
from app.core.database.unreadable import UnreadableError
from app.core.moments import now, utc_now
from app.core.realtime.bus import Bus
from app.core.realtime.hub import Hub
from app.core.rests import Rests
from app.play.games.events import EndedGames

log = structlog.get_logger()

_LOOK_EVERY = 0.5  # seconds
_SWEEP_EVERY = 10  # looks; then ended games are found that no event announced
_MOST = 50  # tournaments at a time

_DUE: Final = """
SELECT id FROM tournaments WHERE due_at <= $1 AND id <> ALL($2::text[]) ORDER BY due_at LIMIT $3
"""
_OF_GAMES: Final = """
SELECT DISTINCT tournament_id AS id FROM tournament_pairings WHERE game_id = ANY($1) AND outcome IS NULL
"""
_WITH_ENDED_GAMES: Final = """
SELECT DISTINCT pairing.tournament_id AS id
FROM tournament_pairings pairing
JOIN tournaments ON tournaments.id = pairing.tournament_id AND tournaments.status = 'started'
JOIN games ON games.id = pairing.game_id AND games.ended_at IS NOT NULL
WHERE pairing.outcome IS NULL
"""


class Director:
    """Conducts tournaments when they are due and when their games end."""

    def __init__(self, database: Database, bus: Bus, hub: Hub) -> None:
        self._database = database
        self._bus = bus
        self._ended = EndedGames(hub)
        self._busy: set[str] = set()
        self._rests = Rests()
        self._looks = 0

    async def run(self) -> None:
        """Conduct tournaments until cancelled."""
        with self._ended.listening():
            while True:
                await self.look()
                await asyncio.sleep(_LOOK_EVERY)

    async def look(self) -> None:
        """Conduct the tournaments that are due."""
        moment = now()
        resting = self._rests.resting(moment)
        again, self._busy = self._busy, set()
        for tournament_id in (await self._due(resting) | again).difference(resting):
            try:
                if await self._conduct(tournament_id):
                    self._rests.succeeded(tournament_id)
                elif tournament_id not in again:
                    self._busy.add(tournament_id)  # whose transaction may not have seen the end of a game
            except UnreadableError:
                self._rests.failed(tournament_id, moment)
            except Exception as error:
                if is_unavailable(error):
                    raise
                pause = self._rests.failed(tournament_id, moment)  # others must go on
                log.exception("tournament_failed", tournament=tournament_id, again_in=pause.total_seconds())

    async def _due(self, resting: Collection[str]) -> set[str]:
        ended = self._ended.take()
        if self._ended.has_missed_any():
            self._looks = 0
        is_sweep = self._looks % _SWEEP_EVERY == 0
        self._looks += 1
        pool = self._database.pool
        due = await pool.fetch(_DUE, utc_now(), list(resting), _MOST)
        if ended:
            due += await pool.fetch(_OF_GAMES, ended)
        if is_sweep:
            due += await pool.fetch(_WITH_ENDED_GAMES)
        return {row["id"] for row in due}

    async def _conduct(self, tournament_id: str) -> bool:
        """Conduct a tournament, and return whether this process could do so."""
        async with self._database.transaction() as session:
            events = await conduct(session, tournament_id, utc_now())
        self._bus.publish(*(events or ()))
        return events is not None
