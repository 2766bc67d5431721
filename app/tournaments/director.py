"""The task of each process that conducts the tournaments which are due.

Which process does it does not matter: the tournament's row is locked, and what was done is stored with it.
"""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog

from app.database.session import Database, is_unavailable
from app.games.endings import EndedGames
from app.moments import utc_now
from app.realtime.bus import Bus
from app.realtime.hub import Hub
from app.tournaments.conduct import conduct

log = structlog.get_logger()

_LOOK_EVERY = 0.5  # seconds
_SWEEP_EVERY = 10  # looks; then ended games are found that no event announced
_MOST = 50  # tournaments at a time
_FIRST_PAUSE = timedelta(seconds=1)  # after a failure; doubled at each further one
_LONGEST_PAUSE = timedelta(minutes=1)

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


@dataclass(frozen=True, slots=True)
class _Rest:
    """How long a tournament whose conducting failed is left alone."""

    pause: timedelta
    until: datetime


class Director:
    """Conducts tournaments when they are due and when their games end."""

    def __init__(self, database: Database, bus: Bus, hub: Hub) -> None:
        self._database = database
        self._bus = bus
        self._ended = EndedGames(hub)
        self._busy: set[str] = set()
        self._rests: dict[str, _Rest] = {}
        self._looks = 0

    async def run(self) -> None:
        """Conduct tournaments until cancelled."""
        with self._ended.listening():
            while True:
                await self.look()
                await asyncio.sleep(_LOOK_EVERY)

    async def look(self) -> None:
        """Conduct the tournaments that are due."""
        now = utc_now()
        # Others, or another process, may have ended those that were not tried again.
        self._rests = {id_: rest for id_, rest in self._rests.items() if now < rest.until + _LONGEST_PAUSE}
        resting = {tournament_id for tournament_id, rest in self._rests.items() if now < rest.until}
        again, self._busy = self._busy, set()
        for tournament_id in (await self._due(now, resting) | again) - resting:
            try:
                if await self._conduct(tournament_id):
                    self._rests.pop(tournament_id, None)
                elif tournament_id not in again:
                    self._busy.add(tournament_id)  # whose transaction may not have seen the end of a game
            except Exception as error:
                if is_unavailable(error):
                    raise
                pause = self._rest(tournament_id)  # others must go on
                log.exception("tournament_failed", tournament=tournament_id, again_in=pause.total_seconds())

    async def _due(self, now: datetime, resting: set[str]) -> set[str]:
        ended = self._ended.take()
        if self._ended.has_missed_any():
            self._looks = 0
        is_sweep = self._looks % _SWEEP_EVERY == 0
        self._looks += 1
        pool = self._database.pool
        due = await pool.fetch(_DUE, now, list(resting), _MOST)
        if ended:
            due += await pool.fetch(_OF_GAMES, ended)
        if is_sweep:
            due += await pool.fetch(_WITH_ENDED_GAMES)
        return {row["id"] for row in due}

    def _rest(self, tournament_id: str) -> timedelta:
        """Leave a tournament whose conducting failed alone for a while, and return for how long."""
        last = self._rests.get(tournament_id)
        pause = _FIRST_PAUSE if last is None else min(2 * last.pause, _LONGEST_PAUSE)
        self._rests[tournament_id] = _Rest(pause, utc_now() + pause)
        return pause

    async def _conduct(self, tournament_id: str) -> bool:
        """Conduct a tournament, and return whether this process could do so."""
        async with self._database.transaction() as session:
            events = await conduct(session, tournament_id, utc_now())
        for event in events or ():
            self._bus.publish(event)
        return events is not None
