"""Tournaments as pages follow them: read once after each change, for all readers in a process."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from weakref import WeakValueDictionary

from app.database.session import Database
from app.tournaments.queries import pairings, standings, tournaments
from app.tournaments.queries.pairings import PairingInfo
from app.tournaments.queries.standings import Standing
from app.tournaments.queries.tournaments import TournamentInfo
from app.tournaments.terms import MOST_PLAYERS, TournamentKind


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A tournament at one moment, with all standings.

    `pairings` are those of all rounds, but of a Swiss tournament those of the last round, and of an arena the
    latest ones. `drawn` is for what pages draw of it, by what distinguishes the drawings.
    """

    info: TournamentInfo
    standings: Sequence[Standing]
    pairings: Sequence[PairingInfo]
    drawn: dict[tuple[object, ...], str] = field(default_factory=dict)

    @cached_property
    def places(self) -> dict[int, int]:
        """Return the index of each account in the standings."""
        return {row.account_id: place for place, row in enumerate(self.standings)}

    def standing_of(self, account_id: int) -> Standing | None:
        """Return the row of an account, or None."""
        place = self.places.get(account_id)
        return None if place is None else self.standings[place]


class Followed:
    """Reads tournaments for their pages."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._next: dict[str, asyncio.Task[Snapshot]] = {}
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def read(self, tournament_id: str) -> Snapshot:
        """Return a tournament as it is now. Raise NotFoundError.

        Callers share a reading that has not begun yet, so each gets what was committed before its call.
        """
        if tournament_id not in self._next:
            self._next[tournament_id] = asyncio.create_task(self._read_next(tournament_id))
        return await asyncio.shield(self._next[tournament_id])

    async def _read_next(self, tournament_id: str) -> Snapshot:
        turn = self._turns.setdefault(tournament_id, asyncio.Lock())
        async with turn:
            del self._next[tournament_id]
            return await self._read(tournament_id)

    async def _read(self, tournament_id: str) -> Snapshot:
        async with self._database.transaction() as session:
            info = await tournaments.get(session, tournament_id)
            most = MOST_PLAYERS[info.terms.kind]
            rows = (await standings.ranking(tournament_id).page(session, "", most)).rows
            match info.terms.kind:
                case TournamentKind.ARENA:
                    shown = await pairings.latest_of(session, tournament_id)
                case TournamentKind.SWISS:
                    shown = await pairings.all_of(session, tournament_id, pairings.in_round(info.round))
                case _:
                    shown = await pairings.all_of(session, tournament_id)
        return Snapshot(info, rows, shown)
