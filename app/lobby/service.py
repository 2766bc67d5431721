"""The commands on challenges: make, list, accept (which starts a game), decline, cancel, expire."""

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from cachetools import LRUCache
from sqlalchemy import ColumnElement, and_, func, or_, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.database.session import Database
from app.errors import ConflictError
from app.events import ChallengeChanged, GameStarted, JobAdded
from app.games import creation
from app.games.game import GameState
from app.games.queries import GameSummary, being_played
from app.games.service import Games
from app.i18n.text import Text, _, ngettext
from app.identity import sanctions, suspicions
from app.identity import service as identities
from app.identity.limits import check_limit
from app.identity.models import Account
from app.identity.service import Identity
from app.identity.suspicions import Suspicion
from app.ids import new_id
from app.lobby import decisions, news, queries
from app.lobby.challenges import RANDOM, ChallengeInfo, Kind, Terms
from app.lobby.friends import Friend
from app.lobby.limits import MOST_GAMES, check_computer_games, check_games
from app.lobby.models import Challenge
from app.moments import utc_now
from app.ratings import queries as ratings
from app.realtime.bus import Bus
from app.realtime.presence import Presence
from app.social.queries import blocked_between, blocked_with, followed
from engine.clock import REALTIME_KINDS, control_to_dict, is_realtime
from engine.glicko2 import Rating
from engine.registry import FOR_TWO

_MOST_OPEN = 5
_MOST_IN_LOBBY = 2
_TOO_MANY_OPEN = ngettext(
    "You have %(count)s open challenge. Cancel it before making another.",
    "You have %(count)s open challenges. Cancel one before making another.",
    _MOST_OPEN,
)
_TOO_MANY_LISTED = ngettext(
    "You have %(count)s challenge in the lobby. Cancel it before making another.",
    "You have %(count)s challenges in the lobby. Cancel one before making another.",
    _MOST_IN_LOBBY,
)
_LIFETIME = timedelta(days=14)
_UNATTENDED = timedelta(minutes=10)  # a real-time challenge of a program without an open connection
_IS_REALTIME = Challenge.time_control["kind"].astext.in_(REALTIME_KINDS)


@dataclass(frozen=True, slots=True)
class Listing:
    """The open challenges, the newest first, and which of their makers are online."""

    challenges: tuple[ChallengeInfo, ...]
    online: frozenset[int]


@dataclass(frozen=True, slots=True)
class Overview:
    """What the lobby shows only to one viewer: their ratings by game, challenges and games under way.

    `blocked` are the accounts with which the viewer cannot play, and whose offers are not shown.
    """

    ratings: Mapping[str, Rating]
    challenges: Sequence[ChallengeInfo]
    games: Sequence[GameSummary]
    blocked: frozenset[int] = frozenset()
    friends: Sequence[Friend] = ()


class Lobby:
    """The challenges of the server."""

    def __init__(self, database: Database, bus: Bus, presence: Presence, games: Games) -> None:
        self._database = database
        self._bus = bus
        self._presence = presence
        self._games = games
        self._readings: LRUCache[ChallengeChanged, asyncio.Task[Listing]] = LRUCache(maxsize=1)

    async def get(self, challenge_id: str) -> ChallengeInfo:
        """Return a challenge. Raise NotFoundError."""
        async with self._database.transaction() as session:
            return await queries.get(session, challenge_id)

    async def concerning(self, account_id: int) -> list[ChallengeInfo]:
        """Return the open challenges to an account, and its own that are not in the lobby."""
        async with self._database.transaction() as session:
            return await queries.concerning(session, account_id)

    async def ratings(self, identity: Identity | None) -> dict[str, Rating]:
        """Return the ratings by game that decide which challenges the identity may accept."""
        if identity is None:
            return {}
        async with self._database.transaction() as session:
            known = await ratings.of_account(session, identity.id)
        return {game: rating for game, (rating, _) in known.items()}

    async def overview(self, identity: Identity | None) -> Overview:
        """Return what concerns one viewer; nothing for a visitor (None)."""
        if identity is None:
            return Overview({}, [], [])
        return Overview(
            await self.ratings(identity),
            await self.concerning(identity.id),
            await self._games.under_way(identity.id, limit=MOST_GAMES),
            await self.blocked(identity),
            await self.friends(identity.id),
        )

    async def friends(self, account_id: int) -> list[Friend]:
        """Return the players whom an account follows, those online first, and the games that they play."""
        async with self._database.transaction() as session:
            accounts = await followed(session, account_id)
            playing = await being_played(session, [account.id for account in accounts])
        online = await self._presence.online([account.id for account in accounts])
        friends = [
            Friend(account.id, account.username, account.id in online, playing.get(account.id))
            for account in accounts
        ]
        return sorted(friends, key=lambda friend: not friend.is_online)

    async def blocked(self, identity: Identity) -> frozenset[int]:
        """Return the accounts with which the identity cannot play."""
        async with self._database.transaction() as session:
            return await blocked_with(session, identity.id)

    async def listing(self, event: ChallengeChanged | None = None) -> Listing:
        """Return the open challenges. All callers that react to the same event share one reading."""
        if event is None:
            return await self._read()
        if event not in self._readings:
            self._readings[event] = asyncio.create_task(self._read())
        return await asyncio.shield(self._readings[event])

    async def make(
        self, identity: Identity, terms: Terms, kind: Kind, opponent: str | None = None
    ) -> ChallengeInfo:
        """Make a challenge; a computer player accepts it at once.

        Raise InvalidError for impossible terms, ForbiddenError `rated_needs_account`, FieldError for an
        opponent who cannot be challenged, ConflictError `too_many_challenges`, `too_many_computer_games`.
        """
        options = creation.complete_options(creation.rules_of(terms.game, 2), terms.options)
        async with self._database.transaction() as session:
            decisions.check_terms(terms, identity, await _rating(session, terms.game, identity))
            account = await identities.find(session, (opponent or "").strip()) if kind == "direct" else None
            if kind == "direct":
                account = decisions.check_opponent(terms, identity, account)
                await _check_not_blocked(session, identity, account)
            await _check_fair_play(session, identity, terms, account)
            challenge = await _add(session, identity, kind, account, terms, options)
            challenge = await _accept_for_computer(session, challenge, identity)
            await news.tell_opponent(session, challenge)
        self._publish(challenge)
        return challenge

    async def challenge_computer(self, identity: Identity, terms: Terms, level: int) -> str:
        """Challenge the computer player of a level and return the id of the game; see `make`."""
        async with self._database.transaction() as session:
            computers = await identities.computers(session)
        usernames = {computer.computer_level: computer.username for computer in computers}
        challenge = await self.make(identity, terms, "direct", usernames.get(level))
        assert challenge.game_id is not None
        return challenge.game_id

    async def play_on(self, identity: Identity, state: GameState, ply: int, level: int) -> str:
        """Start a casual game against the computer from a position of a finished game, and return its id.

        The identity has the side to move after the ply. Raise what `decisions.side_to_play_on` raises, and
        ConflictError `too_many_games`, `too_many_computer_games`.
        """
        side = decisions.side_to_play_on(state, ply)
        async with self._database.transaction() as session:
            await check_games(session, identity)
            await check_computer_games(session, identity)
            computers = await identities.computers(session)
            computer = next(each for each in computers if each.computer_level == level)
            players = [identity.id if each == side else computer.id for each in state.rules.sides]
            moves = [played.move for played in state.moves[:ply]]
            game_id = await creation.create(session, state.game, state.options, players, opening=moves)
        self._bus.publish(GameStarted(game_id, (identity.id, computer.id)))
        self._bus.publish(JobAdded())
        return game_id

    async def pair(self, identity: Identity, terms: Terms) -> tuple[ChallengeInfo, str | None]:
        """Accept the oldest open challenge with these terms, or make one if there is none.

        Return the challenge, and the id of the game if one started.
        """
        options = creation.complete_options(creation.rules_of(terms.game, 2), terms.options)
        while True:
            async with self._database.transaction() as session:
                rating = await _rating(session, terms.game, identity)
                candidates = await queries.matching(session, identity.id, terms, options)
                at_limit = await queries.at_rated_limit(session, identity.id) if terms.rated else ()
            acceptable = (
                each
                for each in candidates
                if each.maker.id not in at_limit and not decisions.obstacle(each, identity, rating)
            )
            challenge = next(acceptable, None)
            if challenge is None:
                return await self.make(identity, terms, "open"), None
            try:
                return challenge, await self.accept(challenge.id, identity)
            except ConflictError as error:
                if error.code != "challenge_closed":
                    raise
                # Another player was faster; there may be another challenge.

    async def rematch(self, game_id: str, identity: Identity) -> tuple[ChallengeInfo, str | None]:
        """Offer the opponent of a finished game a rematch with the sides exchanged, or accept their offer.

        Return the challenge, and the id of the game if one started. Raise NotFoundError, ForbiddenError
        `not_a_player`, ConflictError `game_under_way`, `too_many_challenges`, FieldError if the opponent's
        account is closed.
        """
        game = await self._games.seen_by(identity, game_id)
        terms = decisions.rematch_terms(game, identity)
        async with self._database.transaction() as session:
            challenge = await queries.rematch_of(session, game_id)
            if challenge is None:
                opponent = await identities.find(session, decisions.rematch_opponent(game, terms))
                opponent = decisions.check_opponent(terms, identity, opponent)
                await _check_not_blocked(session, identity, opponent)
                await _check_fair_play(session, identity, terms, opponent)
                challenge = await _add(
                    session, identity, "direct", opponent, terms, terms.options, rematch_of=game_id
                )
                challenge = await _accept_for_computer(session, challenge, identity)
                await news.tell_opponent(session, challenge)
        if challenge.opponent is not None and challenge.opponent.id == identity.id:
            return challenge, await self.accept(challenge.id, identity)
        self._publish(challenge)
        return challenge, challenge.game_id

    async def accept(self, challenge_id: str, identity: Identity) -> str:
        """Accept a challenge and return the id of the game that starts.

        Raise ForbiddenError if the identity may not accept it, ConflictError `challenge_closed` if it is no
        longer open: of two players who accept at the same time, one succeeds.
        """
        async with self._database.transaction() as session:
            challenge = await queries.get(session, challenge_id)
            if await blocked_between(session, identity.id, challenge.maker.id):
                raise _closed()
            await _check_fair_play(session, identity, challenge.terms, challenge.maker)
            await check_games(session, identity)
            challenge = await _accept(session, challenge, identity)
            await news.tell_accepted(session, challenge, identity)
        self._publish(challenge, identity.id)
        assert challenge.game_id is not None
        return challenge.game_id

    async def decline(
        self, challenge_id: str, identity: Identity, reason: str | None = None
    ) -> ChallengeInfo:
        """Decline a challenge to the identity, with one of DECLINE_REASONS or none.

        Raise ForbiddenError `not_yours`, ConflictError `challenge_closed`, InvalidError `bad_reason`.
        """
        async with self._database.transaction() as session:
            challenge = await queries.get(session, challenge_id)
            decisions.check_decline(challenge, identity, reason)
            challenge = await _close(session, challenge, status="declined", decline_reason=reason)
            await news.tell_declined(session, challenge, identity)
        self._publish(challenge)
        return challenge

    async def cancel(self, challenge_id: str, identity: Identity) -> ChallengeInfo:
        """Cancel the identity's own challenge.

        Raise ForbiddenError `not_yours`, ConflictError `challenge_closed`.
        """
        async with self._database.transaction() as session:
            challenge = await queries.get(session, challenge_id)
            decisions.check_cancel(challenge, identity)
            challenge = await _close(session, challenge, status="cancelled")
        self._publish(challenge)
        return challenge

    async def maker_gone(self, account_id: int) -> None:
        """Expire the real-time challenges of a player who has gone offline."""
        async with self._database.transaction() as session:
            challenges = await _close_all(session, "expired", _IS_REALTIME, Challenge.maker_id == account_id)
        self._publish_all(challenges)

    async def withdraw_all(self, account_id: int) -> None:
        """Cancel all open challenges of an account and to it."""
        is_concerned = or_(Challenge.maker_id == account_id, Challenge.opponent_id == account_id)
        async with self._database.transaction() as session:
            challenges = await _close_all(session, "cancelled", is_concerned)
        self._publish_all(challenges)

    async def expire_old(self) -> None:
        """Expire challenges that have waited too long.

        That is two weeks, or ten minutes for a real-time challenge whose maker is not online.
        """
        async with self._database.transaction() as session:
            online = await self._presence.online(await queries.makers(session))
            is_old = Challenge.created_at < func.now() - _LIFETIME
            is_unattended = and_(
                _IS_REALTIME,
                Challenge.created_at < func.now() - _UNATTENDED,
                Challenge.maker_id.not_in(online),
            )
            challenges = await _close_all(session, "expired", or_(is_old, is_unattended))
        self._publish_all(challenges)

    async def _read(self) -> Listing:
        async with self._database.transaction() as session:
            challenges = await queries.in_lobby(session)
        online = await self._presence.online({challenge.maker.id for challenge in challenges})
        return Listing(tuple(challenges), online)

    def _publish(self, challenge: ChallengeInfo, *accepted_by: int) -> None:
        """Publish a change of a challenge, and the game that started with it, after the commit."""
        concerned, game_id = challenge.account_ids, challenge.game_id
        self._bus.publish(ChallengeChanged(challenge.id, challenge.status, concerned, game_id))
        if game_id is not None:
            self._bus.publish(GameStarted(game_id, tuple({*concerned, *accepted_by})))
            self._bus.publish(JobAdded())

    def _publish_all(self, challenges: list[ChallengeInfo]) -> None:
        for challenge in challenges:
            self._publish(challenge)


async def _rating(session: AsyncSession, game: str, identity: Identity) -> Rating:
    return (await ratings.current(session, game, [identity.id]))[identity.id]


async def _check_fair_play(
    session: AsyncSession, identity: Identity, terms: Terms, opponent: Account | None
) -> None:
    """Raise ForbiddenError `aborted_too_often`, `rated_limit` or `no_rated_play`."""
    if terms.rated:
        await sanctions.check_may_play_rated(session, identity.id)
    is_against_computer = opponent is not None and opponent.computer_level is not None
    if is_realtime(terms.control) and not is_against_computer:
        conduct = await queries.conduct(session, identity.id)
        decisions.check_conduct(conduct, utc_now())
        if conduct.paused_until is not None:
            await suspicions.note(session, identity.id, Suspicion.ABORTS, "")
    if terms.rated and opponent is not None:
        decisions.check_pair(opponent.id, await queries.at_rated_limit(session, identity.id))


async def _add(
    session: AsyncSession,
    identity: Identity,
    kind: Kind,
    opponent: Account | None,
    terms: Terms,
    options: Mapping[str, int],
    *,
    rematch_of: str | None = None,
) -> ChallengeInfo:
    await check_games(session, identity)
    await _check_open(session, identity, _MOST_OPEN, _TOO_MANY_OPEN)
    if kind == "open":
        is_listed = Challenge.kind == "open"
        await _check_open(session, identity, _MOST_IN_LOBBY, _TOO_MANY_LISTED, is_listed)
    challenge = Challenge(
        id=new_id(),
        game=terms.game,
        options=dict(options),
        kind=kind,
        maker_id=identity.id,
        opponent_id=opponent.id if opponent else None,
        side=terms.side,
        status="open",
        rated=terms.rated,
        time_control=control_to_dict(terms.control),
        rating_min=terms.rating_min,
        rating_max=terms.rating_max,
        rematch_of=rematch_of,
    )
    session.add(challenge)
    await session.flush()
    return await queries.get(session, challenge.id)


async def _check_open(
    session: AsyncSession, identity: Identity, most: int, message: Text, *conditions: ColumnElement[bool]
) -> None:
    """Raise ConflictError if the identity has `most` open challenges that meet some conditions."""
    count = queries.count_open(identity.id, *conditions)
    error = ConflictError("too_many_challenges", message)
    await check_limit(session, identity.id, count, most, error)


async def _accept(session: AsyncSession, challenge: ChallengeInfo, identity: Identity) -> ChallengeInfo:
    terms = challenge.terms
    decisions.check_acceptance(challenge, identity, await _rating(session, terms.game, identity))
    sides = FOR_TWO[terms.game].sides
    maker_side = secrets.choice(sides) if terms.side == RANDOM else terms.side
    players = [challenge.maker.id if side == maker_side else identity.id for side in sides]
    game_id = await creation.create(
        session, terms.game, terms.options, players, control=terms.control, rated=terms.rated
    )
    return await _close(session, challenge, status="accepted", game_id=game_id)


async def _accept_for_computer(
    session: AsyncSession, challenge: ChallengeInfo, maker: Identity
) -> ChallengeInfo:
    """Return the challenge, accepted if it is to a computer.

    Raise ConflictError `too_many_computer_games`.
    """
    if challenge.opponent is None or challenge.opponent.computer_level is None:
        return challenge
    await check_computer_games(session, maker)
    return await _accept(session, challenge, identities.identity_of_computer(challenge.opponent))


async def _close(session: AsyncSession, challenge: ChallengeInfo, **values: str | None) -> ChallengeInfo:
    closed = await session.scalar(
        update(Challenge)
        .where(Challenge.id == challenge.id, Challenge.status == "open")
        .values(**values)
        .returning(Challenge.id)
    )
    if closed is None:
        raise _closed()
    await news.withdraw_offer(session, challenge)
    return await queries.get(session, challenge.id)


def _closed() -> ConflictError:
    return ConflictError(
        "challenge_closed",
        _("This challenge is no longer open. Choose another one in the lobby, or make one."),
    )


async def _check_not_blocked(session: AsyncSession, identity: Identity, opponent: Account) -> None:
    """Raise FieldError `unavailable_opponent` if one of the two has blocked the other."""
    if await blocked_between(session, identity.id, opponent.id):
        raise decisions.unavailable_opponent()


async def _close_all(
    session: AsyncSession, status: str, *conditions: ColumnElement[bool]
) -> list[ChallengeInfo]:
    closed = await session.scalars(
        update(Challenge)
        .where(Challenge.status == "open", *conditions)
        .values(status=status)
        .returning(Challenge.id)
    )
    ids = list(closed)
    challenges = await queries.where(session, Challenge.id.in_(ids)) if ids else []
    for challenge in challenges:
        await news.withdraw_offer(session, challenge)
    return challenges
