"""The commands on ladders, and reading them. `app.compete.ladders.conduct` does what happens by itself."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import Field

from app.compete.candidates import check_fits
from app.compete.ladders import decisions, queries
from app.compete.ladders.ladder import (
    CONDITIONS,
    CONTROL,
    ChallengeOutcome,
    ChangeKind,
    Ladder,
    changing,
    options_of,
)
from app.compete.ladders.queries import LadderChallengeShown, LadderChanges
from app.core.database.rank_order import RankedPage
from app.core.database.session import Database
from app.core.errors import AppError
from app.core.realtime.bus import Bus
from app.core.web.shown import Hidden, ShownAs, Username, example
from app.people.identity import names
from app.people.identity.service import Identity
from app.play.lobby.checks import check_games, lock_players
from app.play.ratings import queries as ratings
from app.play.ratings.schemas import RoundedRating
from engine.registry import FOR_TWO
from engine.tournaments.ladder import REACH, OpenChallenge


@dataclass(frozen=True, slots=True)
class LadderRow:
    """A place of a ladder, with the open challenges to its player and the one that the player has made."""

    place: int
    account_id: Hidden[int]
    username: Username
    rating: RoundedRating
    joined_at: datetime
    defences: list[LadderChallengeShown]
    challenge: LadderChallengeShown | None


@dataclass(frozen=True, slots=True)
class LadderTarget:
    """A player in reach; `reason` says why no challenge is possible, and is null if one is."""

    place: int
    account_id: Hidden[int]
    username: Username
    refusal: Annotated[
        AppError | None,
        Field(alias="reason"),
        ShownAs(Annotated[str, example("challenging")] | None, lambda error: error and error.extra["reason"]),
    ]


@dataclass(frozen=True, slots=True)
class OwnLadderPlace:
    """The place of the token's account, its open challenges, and the players in reach above it."""

    place: int
    challenge: LadderChallengeShown | None
    defences: list[LadderChallengeShown]
    targets: Sequence[LadderTarget]

    @property
    def has_game(self) -> bool:
        """Return whether the player plays for a place."""
        return any(each is not None and each.game_id for each in (self.challenge, *self.defences))


@dataclass(frozen=True, slots=True)
class LadderReader:
    """Somebody who looks at a ladder: their own part of it, and why they cannot join it, if that is so."""

    own: OwnLadderPlace | None = None
    refusal: AppError | None = None


class Ladders:
    """The ladders of the games for two."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    async def sizes(self) -> Mapping[str, int]:
        """Return the number of players of each game's ladder."""
        async with self._database.reading() as session:
            sizes = await queries.sizes(session)
        return {game: sizes.get(game, 0) for game in FOR_TWO}

    async def table(self, game: str, cursor: str, limit: int) -> RankedPage[LadderRow]:
        """Return a page of a ladder from the top. Raise NotFoundError, InvalidError `bad_cursor`."""
        options_of(game)
        async with self._database.reading_now() as session:
            page = await queries.table(game).page(session, cursor, limit)
            known = await ratings.current(session, game, [player.account_id for player in page.rows])
            challenges = await queries.open_challenges(session, game)
        by = {each.challenger_id: each for each in challenges}
        rows = (
            LadderRow(
                place=player.place,
                account_id=player.account_id,
                username=player.username,
                rating=known[player.account_id],
                joined_at=player.joined_at,
                defences=_to(player.account_id, challenges),
                challenge=by.get(player.account_id),
            )
            for player in page.rows
        )
        return RankedPage(tuple(rows), page.next)

    async def cursor_to(self, game: str, account_id: int) -> str:
        """Return the cursor of the page of a ladder with an account's place, "" for the first page."""
        async with self._database.reading_now() as session:
            return await queries.table(game).cursor_to(session, account_id)

    async def own(self, game: str, identity: Identity) -> OwnLadderPlace | None:
        """Return the identity's own part of a ladder, None if they are not on it. Raise NotFoundError."""
        options_of(game)
        async with self._database.reading_now() as session:
            player = await queries.table(game).row_of(session, identity.id)
            if player is None:
                return None
            challenges = await queries.open_challenges(session, game)
            above = await queries.between(session, game, player.place - REACH, player.place - 1)
            order = (*(each.account_id for each in above), identity.id)
            waiting = [OpenChallenge(each.challenger_id, each.defender_id) for each in challenges]
        return OwnLadderPlace(
            player.place,
            next((each for each in challenges if each.challenger_id == identity.id), None),
            _to(identity.id, challenges),
            [
                LadderTarget(
                    each.place,
                    each.account_id,
                    each.username,
                    decisions.refusal(order, identity.id, each.account_id, waiting),
                )
                for each in above
            ],
        )

    async def reader(self, game: str, viewer: Identity | None) -> LadderReader:
        """Return what a viewer has on a ladder, and whether `join` admits them. Raise NotFoundError."""
        own = await self.own(game, viewer) if viewer else None
        if own is not None:
            return LadderReader(own)
        try:
            identity = decisions.check_has_account(viewer)
            async with self._database.reading_now() as session:
                await check_fits(session, identity.id, game, CONDITIONS)
        except AppError as error:
            return LadderReader(refusal=error)
        return LadderReader()

    async def changes(self, game: str, before: int | None, limit: int) -> LadderChanges:
        """Return at most `limit` changes of a ladder, before the one with an id. Raise NotFoundError."""
        options_of(game)
        async with self._database.reading() as session:
            return await queries.changes(session, game, before, limit)

    async def join(self, game: str, identity: Identity) -> None:
        """Join a ladder at the bottom.

        Raise NotFoundError, ForbiddenError `needs_account` or an `Ineligibility`, ConflictError `on_ladder`.
        """
        async with self._changing(game, identity) as ladder:
            decisions.check_joining(identity, ladder)
            await check_fits(ladder.session, identity.id, game, CONDITIONS)
            await ladder.join(identity.id)

    async def leave(self, game: str, identity: Identity) -> None:
        """Leave a ladder. A challenge that waits for the identity is forfeited, its own one withdrawn.

        Raise NotFoundError, ConflictError `not_on_ladder` or `ladder_game`.
        """
        async with self._changing(game, identity) as ladder:
            decisions.check_leaving(ladder, identity.id)
            await ladder.remove(identity.id, ChangeKind.LEFT)

    async def challenge(self, game: str, identity: Identity, opponent: str) -> LadderChallengeShown:
        """Challenge a player above the identity.

        Raise NotFoundError, ForbiddenError (an `Ineligibility`), ConflictError `not_on_ladder`,
        `too_many_games` or `no_challenge` (with a `reason`).
        """
        async with self._changing(game, identity) as ladder:
            decisions.check_on(ladder, identity.id)
            defender = decisions.check_opponent(ladder, await names.find(ladder.session, opponent))
            if refusal := decisions.refusal(ladder.order, identity.id, defender.id, ladder.open_challenges):
                raise refusal
            await check_fits(ladder.session, identity.id, game, CONDITIONS)
            await check_games(ladder.session, identity)
            made = ladder.challenge(identity.id, defender.id)
            return await queries.challenge(ladder.session, made.id)

    async def accept(self, game: str, challenge_id: str, identity: Identity) -> str:
        """Accept a challenge to the identity, and return the id of the game, whose sides are drawn.

        Raise NotFoundError, ForbiddenError `not_yours` or an `Ineligibility`, ConflictError
        `challenge_closed`, also if the challenger may not play any more.
        """
        async with self._changing(game, identity) as ladder:
            challenge = decisions.waiting(ladder, challenge_id)
            decisions.check_own(challenge.defender_id, identity)
            await check_fits(ladder.session, identity.id, game, CONDITIONS)
            await lock_players(
                ladder.session, identity.id, challenge.challenger_id, CONTROL, rated=CONDITIONS.rated
            )
            return await ladder.begin(challenge)

    async def give_way(self, game: str, challenge_id: str, identity: Identity) -> LadderChallengeShown:
        """Decline a challenge to the identity: the challenger takes the place without a game.

        Raise NotFoundError, ForbiddenError `not_yours`, ConflictError `challenge_closed`.
        """
        async with self._changing(game, identity) as ladder:
            challenge = decisions.waiting(ladder, challenge_id)
            decisions.check_own(challenge.defender_id, identity)
            await ladder.forfeit(challenge)
            return await queries.challenge(ladder.session, challenge_id)

    async def withdraw(self, game: str, challenge_id: str, identity: Identity) -> LadderChallengeShown:
        """Withdraw a challenge of the identity that has not been accepted.

        Raise NotFoundError, ForbiddenError `not_yours`, ConflictError `challenge_closed`.
        """
        async with self._changing(game, identity) as ladder:
            challenge = decisions.waiting(ladder, challenge_id)
            decisions.check_own(challenge.challenger_id, identity)
            await ladder.close(challenge, ChallengeOutcome.WITHDRAWN)
            return await queries.challenge(ladder.session, challenge_id)

    def _changing(self, game: str, identity: Identity) -> AbstractAsyncContextManager[Ladder]:
        """Return a context that yields the ladder of a game to change it. Raise NotFoundError."""
        options_of(game)
        return changing(self._database, self._bus, game, identity.id)


def _to(account_id: int, challenges: Iterable[LadderChallengeShown]) -> list[LadderChallengeShown]:
    """Return the challenges to an account."""
    return [each for each in challenges if each.defender_id == account_id]
