"""Players and their games, as anyone may see them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date

from cachetools import TTLCache
from sqlalchemy import ColumnElement, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.teams.queries import TeamShown, teams_of
from app.core.database.session import Database, reads
from app.core.i18n.text import _
from app.core.merging import Revision
from app.core.realtime.presence import SITE, Presence
from app.nugget import queries as nugget
from app.nugget.queries import EntryListed
from app.people.identity import names
from app.people.identity.models import Account, ProfileRow
from app.people.identity.sanctions import check_not_muted
from app.people.identity.service import Identity, check_registered
from app.people.social.queries import Between, blocked_with, lets_see, relations_between, showing
from app.people.social.relations import Relation
from app.play.games.queries import GameSummary, is_shown_to_all, summaries
from app.play.ratings import speeds
from app.play.ratings.speeds import BySpeed
from app.play.solitaire import scores
from app.play.solitaire.scores import RankedScore
from app.site.awards import queries as awards
from app.site.awards.models import Award
from app.site.players import queries
from app.site.players.queries import About, GameRating, GamesWanted, Results

_ENTRIES = 5  # of a profile
_MOST_ONLINE = 60
_ONLINE_KEPT = 10  # seconds


@dataclass(frozen=True, slots=True)
class Profile:
    """A player: ratings, results (also those against the viewer), scores, last entries, achievements, teams.

    `scores` has the game's key, the size and the score, `relations` what the viewer has chosen about the
    player; it is None for visitors and for the player. `activity` has the number of games that ended on
    each day of the last year. `about` has no words for viewers from whom they are hidden.
    """

    account: Account
    about: About
    is_online: bool
    ratings: Sequence[GameRating]
    results: Results
    activity: Mapping[date, int]
    against_viewer: Results | None
    relations: frozenset[Relation] | None
    scores: Sequence[tuple[str, int, RankedScore]]
    entries: Sequence[EntryListed]
    awards: Sequence[Award]
    teams: Sequence[TeamShown]


@dataclass(frozen=True, slots=True)
class GamesPage:
    """A page of a list of a player's games; `has_more` says whether there is a next one."""

    username: str
    games: Sequence[GameSummary]
    has_more: bool


class Players:
    """The players of the server."""

    def __init__(self, database: Database, presence: Presence) -> None:
        self._database = database
        self._presence = presence
        self._online: TTLCache[None, Sequence[Account]] = TTLCache(maxsize=1, ttl=_ONLINE_KEPT)

    recent_opponents = reads(queries.recent_opponents)

    async def profile(self, username: str, viewer: Identity | None) -> Profile:
        """Return a player as a viewer sees them. Raise NotFoundError."""
        async with self._database.reading_now() as session:
            account = await names.player(session, username)
            other = viewer if viewer is not None and viewer.id != account.id else None
            between = await relations_between(session, other.id, account.id) if other else None
            about = await _about(session, account, between)
        is_shown = lets_see(account) and not (between and between.has_block)
        online = await self._presence.online([account.id]) if is_shown else ()
        async with self._database.reading() as session:
            reader_id = viewer.id if viewer else None
            entries = await nugget.of_account(session, account.id, reader_id, "", _ENTRIES)
            against_viewer = await queries.results(session, other.id, account.id) if other else None
            return Profile(
                account=account,
                about=about,
                is_online=account.id in online,
                ratings=await queries.game_ratings(session, account.id),
                results=await queries.results(session, account.id),
                activity=await queries.activity(session, account.id),
                against_viewer=against_viewer,
                relations=between.own if between else None,
                scores=await scores.of_account(session, account.id),
                entries=entries.rows,
                awards=await awards.of_account(session, account.id) if account.closed_at is None else (),
                teams=await teams_of(session, account.id),
            )

    async def ratings_by_speed(self, username: str) -> Mapping[str, BySpeed]:
        """Return a player's ratings by kind of game and speed. Raise NotFoundError."""
        async with self._database.reading() as session:
            account = await names.player(session, username)
            return await speeds.of_account(session, account.id)

    async def about(self, identity: Identity) -> About:
        """Return what the identity tells on its profile. Raise NeedsAccountError."""
        _check_registered(identity)
        async with self._database.reading_now() as session:
            return await queries.about(session, identity.id)

    async def describe(self, identity: Identity, change: Revision[About]) -> None:
        """Change what the identity tells on its profile.

        Raise NeedsAccountError, ForbiddenError `muted` for new words of a muted player, and what `change`
        raises.
        """
        _check_registered(identity)
        async with self._database.transaction() as session:
            before = await queries.locked_about(session, identity.id)
            about = change(before)
            if about.has_other_words_than(before):
                await check_not_muted(session, identity.id)
            is_own = ProfileRow.account_id == identity.id
            await session.execute(update(ProfileRow).where(is_own).values(asdict(about)))

    async def online(self, viewer: Identity | None) -> Sequence[Account]:
        """Return the first registered players who are online and let the viewer see it; a few seconds old."""
        online = self._online.get(None)
        if online is None:
            here = (await self._presence.at(SITE)).accounts
            async with self._database.reading() as session:
                online = await queries.players(session, await showing(session, here), _MOST_ONLINE)
            self._online[None] = online
        if viewer is None:
            return online
        async with self._database.reading_now() as session:
            hidden = await blocked_with(session, viewer.id)
        return [account for account in online if account.id not in hidden]

    async def named(self, start: str, limit: int) -> list[Account]:
        """Return the players whose names begin so, the shortest names first; none for an empty start.

        A player who had just this name until lately comes first.
        """
        if not start or not start.isprintable():
            return []
        async with self._database.reading() as session:
            found = await queries.named(session, start, limit)
            exact = await names.find(session, start)
        if exact is None or exact.closed_at is not None or exact.is_guest or exact in found:
            return found
        return [exact, *found][:limit]

    async def games(
        self, username: str, viewer: Identity | None, wanted: GamesWanted, *, number: int, limit: int
    ) -> GamesPage:
        """Return a page of the games of a player by name, as `games_of` does. Raise NotFoundError."""
        async with self._database.reading_now() as session:
            account = await names.player(session, username)
        return await self.games_of(account, viewer, wanted, number=number, limit=limit)

    async def games_of(
        self, account: Account, viewer: Identity | None, wanted: GamesWanted, *, number: int, limit: int
    ) -> GamesPage:
        """Return a page of a player's games, those under way first, then the latest.

        Those whose boards the viewer may not see are left out.
        """
        conditions = wanted.conditions
        if viewer is None or viewer.id != account.id:
            conditions.append(is_shown_to_all())
        async with self._database.reading() as session:
            return await _page(session, account, number, limit, *conditions)

    async def games_over(self, identity: Identity, *, number: int, limit: int) -> GamesPage:
        """Return a page of the identity's games that are over, the latest first."""
        async with self._database.reading_now() as session:
            return await _page(session, identity, number, limit, queries.is_over())


def _check_registered(identity: Identity) -> None:
    check_registered(identity, _("Register first: guests have no profile."))


async def _about(session: AsyncSession, account: Account, between: Between | None) -> About:
    """Return what a player tells a viewer: nothing once the account is closed."""
    if account.closed_at is not None:
        return About()
    about = await queries.about(session, account.id)
    if between and between.hides_words:
        return replace(about, text="", links=())
    return about


async def _page(
    session: AsyncSession,
    player: Account | Identity,
    number: int,
    limit: int,
    *conditions: ColumnElement[bool],
) -> GamesPage:
    games, has_more = await summaries(
        session, player.id, *conditions, limit=limit, offset=limit * (number - 1)
    )
    return GamesPage(player.username, games, has_more)
