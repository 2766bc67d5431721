"""Searches that begin and end at the same moment, on two processes."""

import asyncio
import itertools
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, func, select, update

from app.core.errors import AppError
from app.core.moments import utc_now
from app.people.identity.models import Account, Sanction
from app.people.identity.sanctions import SanctionKind
from app.people.identity.service import identity_of
from app.play.games.models import Game
from app.play.lobby.challenges import ChallengeTerms
from app.play.lobby.models import Challenge
from app.play.lobby.service import Lobby
from app.play.pairing import queries
from app.play.pairing.decisions import agreed
from app.play.pairing.models import Search
from app.play.pairing.searches import GameOffer
from app.play.pairing.service import Pairing
from engine.clock import Realtime
from engine.glicko2 import Rating
from tests.support.players import fresh_name
from tests.support.web_processes import web_processes

CONTROLS = Realtime(300, 3), Realtime(600, 10)
GAMES = [
    ChallengeTerms(game, {"size": size, **more}, control=control)
    for game, more in (("jadejack", {}), ("jumping_farther", {"rounds": 2}))
    for size in (9, 10)
    for control in CONTROLS
]
WANTED = st.lists(st.sampled_from(GAMES), min_size=1, max_size=4, unique_by=str)
STEPS = st.lists(
    st.tuples(
        st.integers(0, 5), st.sampled_from(["search", "search", "search", "play", "offer", "meet"]), WANTED
    ),
    min_size=2,
    max_size=10,
)

EXPECTED = {"too_many_challenges", "too_many_computer_games", "challenge_closed", "own_challenge"}


@pytest.fixture
def run():
    """Return a function that runs a coroutine in an event loop."""
    with asyncio.Runner() as runner:
        yield runner.run


class Site:
    """Six players and two processes."""

    def __init__(self, processes):
        self.database = processes[0].database
        self.pairings = [process.parts.get(Pairing) for process in processes]
        self.lobbies = [process.parts.get(Lobby) for process in processes]

    async def come(self):
        async with self.database.transaction() as session:
            await session.execute(delete(Search))
            ours = select(Account.id).where(Account.password_hash == "none")
            before = update(Challenge).where(Challenge.status == "open", Challenge.maker_id.in_(ours))
            await session.execute(before.values(status="cancelled"))
            players = [Account(username=fresh_name(), password_hash="none") for _ in range(6)]
            session.add_all(players)
        self.players = [identity_of(player) for player in players]

    async def do(self, number, step):
        player, what, wanted = step
        identity = self.players[player]
        try:
            match what:
                case "search":
                    await self.pairings[number % 2].search(identity, wanted)
                case "play":
                    await self.lobbies[number % 2].challenge_computer(
                        identity, ChallengeTerms("jadejack", {}), 1
                    )
                case "meet":
                    for offer in await self.pairings[number % 2].listing():
                        await self.pairings[number % 2].meet(identity, offer.player.username, offer.terms[0])
                case "offer":
                    await self.lobbies[number % 2].pair(identity, wanted[0])
        except AppError as error:
            if error.code not in EXPECTED:
                raise

    async def check(self):
        await self.pairings[0].pair()
        async with self.database.transaction() as session:
            waiting = [*await queries.offers(session), *await queries.offers_of_lobby(session)]
            searching = [offer for offer in waiting if offer.challenge_id is None]
            fitting = [
                (one, other)
                for one, other in itertools.combinations(waiting, 2)
                if one.player.id != other.player.id and agreed(one, other)
            ]
            assert fitting == []
            ids = [player.id for player in self.players]
            of_them = Game.first_player.in_(ids) | Game.second_player.in_(ids)
            games = (
                await session.execute(select(Game.id, Game.first_player, Game.second_player).where(of_them))
            ).all()
            ended = dict((await session.execute(select(Search.account_id, Search.game_id))).all())
        for account_id in ids:
            own = [game for game, *players in games if account_id in players]
            # Whoever waits has begun no game since, and a search has led to one game at most.
            if account_id in {offer.player.id for offer in searching}:
                assert ended[account_id] is None
            elif account_id in ended:
                assert ended[account_id] in own
        return games


@pytest.fixture
def site(database_url, run):
    processes = web_processes(database_url, 2)
    yield Site(run(processes.__aenter__()))
    run(processes.__aexit__(None, None, None))


def test_nobody_who_fits_is_left_waiting(site, run):
    @settings(max_examples=12, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(STEPS)
    def play(steps):
        async def at_once():
            await site.come()
            await asyncio.gather(*(site.do(number, step) for number, step in enumerate(steps)))
            await site.check()

        run(at_once())

    play()


@pytest.mark.parametrize("what", ["search", "offer"])
@pytest.mark.parametrize("number", [2, 3, 6])
def test_all_who_want_the_same_begin_at_once(site, run, number, what):
    async def at_once():
        await site.come()
        everybody = range(number)
        await asyncio.gather(*(site.do(player, (player, what, GAMES[:3])) for player in everybody))
        return await site.check()

    games = run(at_once())
    assert len(games) == number // 2
    players = [player for _, *players in games for player in players]
    assert len(players) == len(set(players))


RATINGS = st.builds(Rating, st.sampled_from([1400.0, 1500.0, 1700.0]))
BOUNDS = st.sampled_from([(None, None), (1450, None), (None, 1600), (1450, 1600)])


@st.composite
def offers(draw, number):
    is_guest, rated, (low, high) = draw(st.booleans()), draw(st.booleans()), draw(BOUNDS)
    player = Account(id=number, username=f"player-{number}", password_hash=None if is_guest else "none")
    terms = [
        ChallengeTerms(
            each.game,
            each.options,
            control=each.control,
            rated=rated and not is_guest,
            rating_min=low,
            rating_max=high,
            casual_with_guests=draw(st.booleans()),
        )
        for each in draw(WANTED)
    ]
    return GameOffer(
        player, {game: draw(RATINGS) for game in ("jadejack", "jumping_farther")}, terms, utc_now()
    )


@given(offers(1), offers(2))
def test_what_two_agree_on_suits_both(one, other):
    terms = agreed(one, other)
    assert (terms is None) == (agreed(other, one) is None)
    if terms is None:
        return
    same = [
        each
        for each in other.terms
        if (each.game, each.options, each.control) == (terms.game, terms.options, terms.control)
    ]
    rated = terms.against(other.player).rated
    assert any(each.against(one.player).rated == rated for each in same)
    assert not (rated and (one.player.is_guest or other.player.is_guest))
    for mine, theirs in ((one, other), (other, one)):
        assert any(each.admits(theirs.rating(terms.game)) for each in mine.terms)


@pytest.mark.parametrize("seconds", [1, -1])
def test_only_searches_under_way_are_paired(site, run, seconds):
    async def begin():
        await site.come()
        one, other = site.players[:2]
        await site.pairings[0].search(one, GAMES[:1])
        async with site.database.transaction() as session:
            ends = func.now() + timedelta(seconds=60 * seconds)
            await session.execute(update(Search).values(until=ends))
        return await site.pairings[1].search(other, GAMES[:1])

    assert (run(begin()).game_id is not None) == (seconds > 0)


@pytest.mark.parametrize("excluded", [0, 1])
def test_who_may_no_longer_play_is_not_paired(site, run, excluded):
    async def begin():
        await site.come()
        rated = [replace(each, rated=True) for each in GAMES[:1]]
        one, other = site.players[:2]
        await site.pairings[0].search(one, rated)
        async with site.database.transaction() as session:
            tomorrow = func.now() + timedelta(days=1)
            kind, account_id = SanctionKind.NO_RATED, site.players[excluded].id
            session.add(Sanction(account_id=account_id, kind=kind, until=tomorrow))
        try:
            search = await site.pairings[1].search(other, rated)
        except AppError as error:
            return error.code, (await site.pairings[0].own(one.id)).is_open
        return search.game_id, (await site.pairings[0].own(one.id)).is_open

    assert run(begin()) == [(None, False), ("no_rated_play", True)][excluded]
