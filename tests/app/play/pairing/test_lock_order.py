"""Games that begin for several players at once, in several ways, wait for each other in one order."""

import asyncio

import pytest

from app.core.errors import AppError
from app.people.identity.models import Account
from app.people.identity.service import identity_of
from app.play.games import creation
from app.play.lobby.challenges import ChallengeTerms
from app.play.lobby.service import Lobby
from app.play.lobby.store import end_waiting
from app.play.pairing.service import Pairing
from app.play.solitaire.service import Races
from engine.clock import Realtime
from tests.support.players import fresh_name
from tests.support.web_processes import web_processes

CONTROL = Realtime(300, 3)
ROUNDS = 10


class Crowd:
    """Six players, each of whom searches, waits in the lobby, and waits for the start of two races."""

    def __init__(self, process):
        self.database = process.database
        self.lobby, self.pairing, self.races = (process.parts.get(part) for part in (Lobby, Pairing, Races))

    async def come(self):
        async with self.database.transaction() as session:
            players = [Account(username=fresh_name(), password_hash="none") for _ in range(6)]
            session.add_all(players)
        self.players = [identity_of(player) for player in players]
        self.offers = [
            await self.lobby.make(player, ChallengeTerms("jadejack", {"size": 9}, "black", CONTROL), "open")
            for player in self.players
        ]
        for number, player in enumerate(self.players):  # no two of them fit
            slow = Realtime(600 + 60 * number, 10)
            await self.pairing.search(player, [ChallengeTerms("jadejack", {"size": 13}, control=slow)])
        self.started = []
        for order in (self.players, self.players[::-1]):
            race = await self.races.announce(order[0], "up_and_up", {"size": 4}, 5)
            for player in order[1:]:
                await self.races.join(race.id, player)
            self.started.append((race.id, order[0]))

    async def wave(self, players):
        ids = [player.id for player in players]
        async with self.database.transaction() as session:
            pairs = list(zip(ids[::2], ids[1::2], strict=True))
            options = {"size": 9}
            await creation.create_all(session, "jadejack", options, pairs, control=CONTROL, rated=False)
            await end_waiting(session, CONTROL, ids)

    async def accept(self, number):
        try:
            await self.lobby.accept(self.offers[number].id, self.players[number - 1])
        except AppError as error:
            if error.code != "challenge_closed":
                raise


@pytest.fixture
async def crowd(new_database):
    async with web_processes(new_database("lock_order"), 1) as (process,):
        yield Crowd(process)


async def test_no_two_that_begin_games_for_the_same_players_wait_for_each_other(crowd):
    for _ in range(ROUNDS):
        await crowd.come()
        mixed = crowd.players[::2] + crowd.players[1::2][::-1]
        waves = (crowd.wave(players) for players in (crowd.players, crowd.players[::-1], mixed))
        races = (crowd.races.start(race, maker) for race, maker in crowd.started)
        await asyncio.gather(*waves, *races, *(crowd.accept(number) for number in range(6)))
