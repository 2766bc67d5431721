"""The commands on searches, and pairing those who fit.

A search is a row, and whoever adds one looks for a pair afterwards, under a lock that one process has at a
time: of two players who begin at the same moment, the later one sees the other. Open challenges of the
lobby are looked at every few seconds. A player who finds a search in the lobby meets the other one under the
same lock. A search ends as soon as any game of its player begins.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import ColumnElement, and_, case, exists, func, literal_column, or_, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database, reads_now
from app.core.errors import AppError
from app.core.events import Event
from app.core.realtime.bus import Bus
from app.live.sharing import SharedReading
from app.people.identity import names
from app.people.identity.locking import lock_account
from app.people.identity.service import Identity, identity_of
from app.people.social.queries import blocked_between
from app.play.games.models import Game
from app.play.lobby import checks
from app.play.lobby import decisions as lobby_decisions
from app.play.lobby import queries as lobby_queries
from app.play.lobby import store as lobby_store
from app.play.lobby.challenges import ChallengeInfo, ChallengeTerms
from app.play.lobby.decisions import BarredError, check_rated, closed_error
from app.play.lobby.making import accepted, completed
from app.play.lobby.service import Lobby
from app.play.pairing import queries, store
from app.play.pairing.decisions import agreed
from app.play.pairing.models import Search
from app.play.pairing.searches import MOST_LISTED, GameOffer, SearchChanged, SearchInfo, text_of
from engine.clock import control_to_dict, is_realtime

_ALIVE = timedelta(minutes=1)  # how long a search lasts after a sign of life
_GRACE = timedelta(seconds=6)  # how long it lasts after its page was left: the page may be loaded again
_TO_TELL = queries.just_ended(timedelta(seconds=10))  # longer than the time between two tellings
HAS_TO_TELL = _TO_TELL.exists()
"""Whether there are searches of which the lobby is to be told that they have ended."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two players who fit: one who waits, and one who joins the other's game, with its terms.

    `searching` are the accounts of those of the two who search.
    """

    waiting: GameOffer
    joining: Identity
    terms: ChallengeTerms
    searching: frozenset[int]


class Pairing:
    """The searches of the server."""

    def __init__(self, database: Database, bus: Bus, lobby: Lobby) -> None:
        self._database = database
        self._bus = bus
        self._lobby = lobby
        self._listing = SharedReading(self._read)

    own = reads_now(queries.of_account)

    async def search(self, identity: Identity, terms: Sequence[ChallengeTerms]) -> SearchInfo:
        """Look for anybody who fits any of some terms, in place of what the identity looked for before.

        The terms differ in game, options and clock only. The search lasts a minute; the same again is a sign
        of life, or is answered with the game for two that has begun meanwhile and is under way.

        Raise what making an open challenge with the terms raises.
        """
        terms = [completed(each) for each in terms]
        async with self._database.transaction() as session:
            await _check(session, identity, terms)
            await _save(session, identity.id, terms)
        self._bus.publish(SearchChanged(identity.id))
        await self.pair()
        search = await self.own(identity.id)
        assert search is not None
        return search

    async def keep(self, account_id: int) -> SearchInfo | None:
        """Note a sign of life of a player, and return what they look for, or looked for last."""
        await self._end_in(account_id, _ALIVE)
        return await self.own(account_id)

    async def leave(self, account_id: int) -> None:
        """End the search of a player who has left its page, unless it is open again soon, or elsewhere."""
        await self._end_in(account_id, _GRACE)
        self._bus.publish(SearchChanged(account_id))

    async def cancel(self, account_id: int) -> None:
        """End the search of a player, who may begin the same again at once."""
        async with self._database.transaction() as session:
            await store.end_search(session, account_id)
        self._bus.publish(SearchChanged(account_id))

    async def listing(self, event: Event | None = None) -> Sequence[GameOffer]:
        """Return the searches that the lobby lists. All who react to the same event share one reading."""
        return await self._listing.after(event)

    async def meet(
        self, identity: Identity, username: str, terms: ChallengeTerms, seen_as_rated: bool | None = None
    ) -> str:
        """Play somebody who searches, at one of the games that they want, and return the id of the game.

        Raise what accepting a challenge with these terms raises: ConflictError `challenge_closed` if they do
        not search for that game any more, StaleError as `check_rated` does.
        """
        terms = completed(terms)
        try:
            async with self._database.transaction() as session:
                await lobby_store.lock_waiting(session)
                pair = await _met(session, identity, username, terms)
                check_rated(rated=pair.terms.against(identity).rated, seen=seen_as_rated)
                challenge, others = await _begun(session, pair)
        except BarredError as barred:
            await self.cancel(barred.account_id)
            raise
        self._lobby.publish(challenge, identity.id)
        self._lobby.publish_all(others)
        assert challenge.game_id is not None
        return challenge.game_id

    async def tell_ended(self) -> None:
        """Tell the lobby which searches have ended within the last seconds."""
        async with self._database.reading_now() as session:
            account_ids = (await session.scalars(_TO_TELL)).all()
        for account_id in account_ids:
            self._bus.publish(SearchChanged(account_id))

    async def pair(self) -> None:
        """Pair all who fit, those who have waited longest first."""
        tried: set[tuple[int, int]] = set()
        while await self._begin_next(tried):
            pass

    async def _begin_next(self, tried: set[tuple[int, int]]) -> bool:
        """Begin the game of the next pair, unless one of them is gone. Return whether there was a pair."""
        pair = None
        try:
            async with self._database.transaction() as session:
                await lobby_store.lock_waiting(session)
                if (pair := await _next_pair(session, tried)) is None:
                    return False
                tried.add((pair.waiting.player.id, pair.joining.id))
                challenge, others = await _begun(session, pair)
        except AppError as error:
            if pair is None:
                raise
            await self._end_refused(pair, error)
        else:
            self._lobby.publish(challenge, pair.joining.id)
            self._lobby.publish_all(others)
        return True

    async def _end_refused(self, pair: _Pair, error: AppError) -> None:
        """End what that player of a pair waits with for whose sake its game was refused by an error.

        If the challenge, or a search, was over before, there is nothing to end.
        """
        if not isinstance(error, BarredError):
            if error.code != "challenge_closed":
                await self.cancel(pair.joining.id)
        elif pair.waiting.challenge_id is None:
            await self.cancel(error.account_id)
        else:
            await self._lobby.withdraw(pair.waiting.challenge_id)

    async def _read(self) -> Sequence[GameOffer]:
        async with self._database.reading_now() as session:
            return await queries.offers(session, most=MOST_LISTED)

    async def _end_in(self, account_id: int, time: timedelta) -> None:
        is_theirs = Search.account_id == account_id, store.is_open()
        async with self._database.transaction() as session:
            await session.execute(update(Search).where(*is_theirs).values(until=func.now() + time))


async def _check(session: AsyncSession, identity: Identity, terms: Sequence[ChallengeTerms]) -> None:
    """Raise what making an open challenge with these terms raises."""
    await lock_account(session, identity.id)
    for game in {each.game for each in terms}:
        rating = await checks.rating_of(session, game, identity)
        of_game = next(each for each in terms if each.game == game)
        lobby_decisions.check_terms(of_game, identity, rating)
    strictest = next((each for each in terms if is_realtime(each.control)), terms[0])
    await checks.check_fair_play(session, identity.id, strictest.control, rated=strictest.rated)
    await checks.check_games(session, identity)


async def _save(session: AsyncSession, account_id: int, terms: Sequence[ChallengeTerms]) -> None:
    """Store a search. The same as before goes on if it is under way, and leads to no second game."""
    first = terms[0]
    wanted = {
        "wanted": [
            {"game": each.game, "options": each.options, "time_control": control_to_dict(each.control)}
            for each in terms
        ],
        "rated": first.rated,
        "casual_with_guests": first.casual_with_guests,
        "rating_min": first.rating_min,
        "rating_max": first.rating_max,
    }
    new = insert(Search).values(account_id=account_id, until=func.now() + _ALIVE, **wanted)
    is_same = and_(*(getattr(Search, name).is_not_distinct_from(new.excluded[name]) for name in wanted))
    known: ColumnElement[str] = literal_column(
        "searches.game_id"
    )  # SQLAlchemy would look for it in all searches
    is_for_two = Game.second_player.is_not(None)
    has_game = exists().where(Game.id == known, Game.status == "started", is_for_two)
    goes_on = and_(store.is_open(), is_same)
    has_led_to_a_game = and_(store.is_alive(), is_same, has_game)
    changed = {
        **{name: new.excluded[name] for name in wanted},
        "until": case((has_led_to_a_game, Search.until), else_=new.excluded.until),
        "began_at": case((or_(goes_on, has_led_to_a_game), Search.began_at), else_=func.now()),
        "game_id": case((has_led_to_a_game, Search.game_id)),
    }
    await session.execute(new.on_conflict_do_update(index_elements=["account_id"], set_=changed))


async def _met(session: AsyncSession, identity: Identity, username: str, terms: ChallengeTerms) -> _Pair:
    """Return an identity and the player whose search it meets. Raise ConflictError `challenge_closed`."""
    account = await names.find(session, username)
    offers = await queries.offers(session, Search.account_id == account.id) if account else []
    for waiting in offers:
        if (theirs := waiting.games.get(text_of(terms))) is not None:
            return _Pair(waiting, identity, theirs, frozenset((waiting.player.id,)))
    raise closed_error()


async def _begun(session: AsyncSession, pair: _Pair) -> tuple[ChallengeInfo, list[ChallengeInfo]]:
    """Begin the game of a pair: return its challenge, and those that ended with that.

    Raise what accepting a challenge raises: ConflictError `challenge_closed` if a search has ended meanwhile.
    """
    challenge_id = pair.waiting.challenge_id or await lobby_store.insert(
        session, pair.waiting.player.id, "open", None, pair.terms
    )
    challenge = await lobby_queries.get(session, challenge_id)
    return await accepted(session, challenge, pair.joining, searching=pair.searching)


async def _next_pair(session: AsyncSession, tried: set[tuple[int, int]]) -> _Pair | None:
    """Return the two who fit and have waited longest, but for those that were tried already."""
    searches, challenges = await queries.offers(session), await queries.offers_of_lobby(session)
    for place, joining in enumerate(searches):
        for waiting in sorted((*searches[:place], *challenges), key=lambda offer: offer.since):
            ids = waiting.player.id, joining.player.id
            if ids[0] == ids[1] or ids in tried:
                continue
            terms = agreed(waiting, joining)
            if terms is not None and await _may_play(session, waiting, joining, terms):
                searching = [each.player.id for each in (waiting, joining) if each.challenge_id is None]
                return _Pair(waiting, identity_of(joining.player), terms, frozenset(searching))
    return None


async def _may_play(
    session: AsyncSession, waiting: GameOffer, joining: GameOffer, terms: ChallengeTerms
) -> bool:
    """Return whether neither player has blocked the other, and the game would count if it is rated."""
    if await blocked_between(session, waiting.player.id, joining.player.id):
        return False
    if not terms.against(joining.player).rated:
        return True
    return waiting.player.id not in await lobby_queries.at_rated_limit(session, joining.player.id)
