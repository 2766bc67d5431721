"""Tournaments as pages follow them: read once after each change, for all readers in a process."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.tournaments import queries, standings
from app.compete.tournaments.queries import TournamentInfo
from app.compete.tournaments.standings import PairingShown, StandingShown
from app.compete.tournaments.terms import MOST_PLAYERS, TournamentKind
from app.core.database.rank_order import RankedPage
from app.core.database.session import Database
from app.live.sharing import Drawn, Shared

LISTED = 25
"""The rows of a list of tournaments."""


@dataclass(frozen=True, eq=False)
class TournamentSnapshot:
    """A tournament at one moment, with all standings.

    `pairings` are those of all rounds, but of a Swiss tournament those of the last round, and of an arena the
    latest ones. `podium` are the first three once it is over, and `podium_games` the games that show them, by
    their accounts.
    """

    info: TournamentInfo
    standings: Sequence[StandingShown]
    pairings: Sequence[PairingShown]
    podium: Sequence[StandingShown] = ()
    podium_games: Mapping[int, str] = field(default_factory=dict)
    drawn: Drawn[str] = field(default_factory=Drawn)

    @cached_property
    def places(self) -> dict[int, int]:
        """Return the index of each account in the standings."""
        return {row.account_id: place for place, row in enumerate(self.standings)}

    def standing_of(self, account_id: int) -> StandingShown | None:
        """Return the row of an account, or None."""
        place = self.places.get(account_id)
        return None if place is None else self.standings[place]


@dataclass(frozen=True, eq=False)
class Lists:
    """The first pages of the lists of tournaments at one moment."""

    running: RankedPage[TournamentInfo]
    coming: RankedPage[TournamentInfo]
    filling: RankedPage[TournamentInfo]
    past: RankedPage[TournamentInfo]
    drawn: Drawn[str] = field(default_factory=Drawn)

    @property
    def open(self) -> Sequence[TournamentInfo]:
        """The tournaments that are not over."""
        return (*self.running.rows, *self.coming.rows, *self.filling.rows)


class Followed:
    """Reads tournaments and their lists for pages: what was committed before a call, once for all callers."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._tournaments = Shared(self._read)
        self._lists = Shared(self._read_lists)

    async def read(self, tournament_id: str) -> TournamentSnapshot:
        """Return a tournament as it is now. Raise NotFoundError."""
        return await self._tournaments.read(tournament_id)

    async def results(self, tournament_id: str) -> TournamentSnapshot:
        """Return a tournament with the pairings of all rounds. Raise NotFoundError."""
        async with self._database.reading_now() as session:
            info = await queries.get(session, tournament_id)
            pairings = await standings.pairings(session, tournament_id)
            return TournamentSnapshot(info, await _standings(session, info), pairings)

    async def lists(self) -> Lists:
        """Return the lists of tournaments as they are now."""
        return await self._lists.read(None)

    async def _read(self, tournament_id: str) -> TournamentSnapshot:
        async with self._database.reading_now() as session:
            info = await queries.get(session, tournament_id)
            match info.terms.kind:
                case TournamentKind.ARENA:
                    shown = (await standings.latest_pairings(session, tournament_id)).pairings
                case TournamentKind.SWISS:
                    shown = await standings.pairings(session, tournament_id, standings.in_round(info.round))
                case _:
                    shown = await standings.pairings(session, tournament_id)
            rows = await _standings(session, info)
            podium = standings.podium(rows) if info.status == "finished" else []
            played = await standings.podium_games(session, tournament_id, [row.account_id for row in podium])
            return TournamentSnapshot(info, rows, shown, podium, played)

    async def _read_lists(self, _key: None) -> Lists:
        async with self._database.reading_now() as session:
            return Lists(
                await queries.listing(session, "started", "", LISTED),
                await queries.listing(session, "created", "", LISTED),
                await queries.listing(session, "filling", "", LISTED),
                await queries.listing(session, "finished", "", LISTED),
            )


async def _standings(session: AsyncSession, info: TournamentInfo) -> Sequence[StandingShown]:
    most = MOST_PLAYERS[info.terms.kind]
    return (await standings.ranking(info.id).page(session, "", most)).rows
