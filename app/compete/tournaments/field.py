"""A tournament as it is being conducted, by a transaction that has locked its row."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.tournaments.events import TournamentPaired
from app.compete.tournaments.models import Tournament, TournamentPairing, TournamentPlayer
from app.compete.tournaments.queries import terms_of
from app.compete.tournaments.terms import TournamentTerms
from app.core.database.unreadable import read_row
from app.core.events import Event
from app.play.games import creation
from app.play.games.events import GameStarted
from app.play.lobby.challenges import ChallengeChanged
from app.play.lobby.store import end_waiting
from engine.tournaments.pairings import Pairing, PairingOutcome

LOOK_AGAIN_AFTER = timedelta(seconds=5)
"""How long games wait for players who are not free before they are looked for again."""


@dataclass(frozen=True, slots=True)
class Seating:
    """Players who are to meet, in the order of the seats; `second` None is a bye."""

    first: int
    second: int | None
    board: int
    leg: int = 1
    group: int = 0


@dataclass
class Field:
    """Players, by their seeds, and pairings of a tournament, which the rules change without a database.

    `write` stores the pairings that they have `added`, and starts the games of those that are `starting`.
    """

    tournament: Tournament
    players: Sequence[TournamentPlayer]
    pairings: list[TournamentPairing]
    added: list[TournamentPairing] = field(default_factory=list)
    starting: list[TournamentPairing] = field(default_factory=list)

    @classmethod
    async def read(cls, session: AsyncSession, tournament: Tournament) -> "Field":
        """Read the players and pairings of a tournament that the transaction has locked."""
        players = await session.scalars(
            select(TournamentPlayer)
            .where(TournamentPlayer.tournament_id == tournament.id)
            .order_by(TournamentPlayer.seed, TournamentPlayer.account_id)
        )
        pairings = await session.scalars(
            select(TournamentPairing)
            .where(TournamentPairing.tournament_id == tournament.id)
            .order_by(TournamentPairing.round, TournamentPairing.board, TournamentPairing.leg)
        )
        return cls(tournament, players.all(), list(pairings))

    @cached_property
    def terms(self) -> TournamentTerms:
        """Return the terms of the tournament."""
        return terms_of(self.tournament)

    @property
    def active(self) -> list[TournamentPlayer]:
        """Return the players who take part in the next round."""
        return [player for player in self.players if player.status == "active"]

    @property
    def undecided(self) -> list[TournamentPairing]:
        """Return the pairings without an outcome."""
        return [pairing for pairing in self.pairings if pairing.outcome is None]

    def of_round(self, number: int) -> list[TournamentPairing]:
        """Return the pairings of a round."""
        return [pairing for pairing in self.pairings if pairing.round == number]

    def add(self, number: int, seatings: Iterable[Seating]) -> list[TournamentPairing]:
        """Add pairings to a round; byes are decided at once."""
        added = [
            TournamentPairing(
                tournament_id=self.tournament.id,
                round=number,
                board=seating.board,
                leg=seating.leg,
                group_number=seating.group,
                first_id=seating.first,
                second_id=seating.second,
                outcome=PairingOutcome.FIRST if seating.second is None else None,
                is_played=True,
            )
            for seating in seatings
        ]
        self.added += added
        self.pairings += added
        return added

    @property
    def called(self) -> set[int]:
        """Return the players of the games that are starting."""
        return {player for each in self.starting for player in value_of(each).players}

    def hold_back(self, free: Collection[int], now: datetime) -> None:
        """Put off the games of players who are not free, and look again soon."""
        starting = [each for each in self.starting if all(one in free for one in value_of(each).players)]
        if len(starting) < len(self.starting):
            self.tournament.due_at = now + LOOK_AGAIN_AFTER
        self.starting = starting

    async def write(self, session: AsyncSession) -> list[Event]:
        """Store the new pairings and start the games; return the events for after the commit."""
        session.add_all(self.added)
        if not self.starting:
            return []
        terms = self.terms
        players = [(each.first_id, each.second_id) for each in self.starting if each.second_id is not None]
        games = await creation.create_all(
            session,
            terms.game,
            terms.options,
            players,
            control=terms.control,
            rated=terms.rated,
            tournament_id=self.tournament.id,
        )
        events: list[Event] = []
        for pairing, game_id, pair in zip(self.starting, games, players, strict=True):
            pairing.game_id = game_id
            events.append(GameStarted(game_id, pair))
            events.append(TournamentPaired(self.tournament.id, pairing.round, game_id, pair))
        ended = await end_waiting(session, terms.control, [player for pair in players for player in pair])
        return [*events, *(ChallengeChanged(each.id, each.status, each.account_ids) for each in ended)]


def value_of(pairing: TournamentPairing) -> Pairing:
    """Return a pairing as a value of the rules. Raise UnreadableError."""
    return read_row(_value, pairing)


def _value(pairing: TournamentPairing) -> Pairing:
    return Pairing(
        pairing.round,
        pairing.first_id,
        pairing.second_id,
        None if pairing.outcome is None else PairingOutcome(pairing.outcome),
        pairing.is_played,
    )
