"""What the players of a tournament are notified of: that it starts soon, changes, or is cancelled."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from sqlalchemy import exists, func, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.tournaments.models import Tournament
from app.compete.tournaments.queries import players_of, terms_of
from app.compete.tournaments.terms import TournamentTerms, name_of
from app.core.database.session import Database
from app.core.i18n.text import Text, _
from app.core.realtime.bus import Bus
from app.people.inbox.events import InboxChanged
from app.people.inbox.kinds import URGENT, Kind, NewsKind, Sent, declare
from app.people.inbox.service import News, notify, withdraw

_OF_COMING = (NewsKind.TOURNAMENT_SOON, NewsKind.TOURNAMENT_CHANGED, NewsKind.TOURNAMENT_MOVED)
"""The kinds about a tournament that has not begun."""

_AHEAD = timedelta(minutes=15)
_JOINED = (
    "SELECT FROM tournaments JOIN tournament_players ON tournament_id = tournaments.id "
    "WHERE tournaments.id = notifications.subject AND tournaments.status = 'created' "
    "AND tournament_players.account_id = notifications.account_id"
)
_STARTS_THEN = (
    f"{_JOINED} AND starts_at IS NOT DISTINCT FROM (notifications.data ->> 'starts_at')::timestamptz"
)
_MOVES = {
    "start": _("One of your tournaments has a new starting time"),
    "both": _("The terms and the starting time of one of your tournaments have changed"),
}


declare(
    Kind(
        NewsKind.TOURNAMENT_SOON,
        _("One of your tournaments starts soon"),
        "/tournaments/{subject}",
        when=("starts_at", _("It starts on %(moment)s UTC.")),
        still_true=_STARTS_THEN,
        sent=Sent(_("One of your tournaments starts soon"), URGENT),
    ),
    Kind(
        NewsKind.TOURNAMENT_CHANGED,
        _("The terms of one of your tournaments have changed"),
        "/tournaments/{subject}",
        still_true=_JOINED,
        sent=Sent(_("Changed terms of your tournaments")),
    ),
    Kind(
        NewsKind.TOURNAMENT_MOVED,
        lambda item: _MOVES[item.data["change"]],
        "/tournaments/{subject}",
        when=("starts_at", _("It starts on %(moment)s UTC.")),
        still_true=_STARTS_THEN,
        sent=Sent(_("New starting times of your tournaments")),
    ),
    Kind(
        NewsKind.TOURNAMENT_CANCELLED,
        _("One of your tournaments was cancelled"),
        "/tournaments/{subject}",
        sent=Sent(_("Your tournaments that are cancelled")),
    ),
)


async def withdraw_coming(session: AsyncSession, tournament_id: str, account_ids: Iterable[int]) -> None:
    """Withdraw what accounts were told of a tournament that was to begin: it has, or they have left it."""
    await withdraw(session, tournament_id, account_ids, *_OF_COMING)


async def tell_changed(
    session: AsyncSession, tournament: Tournament, before: TournamentTerms, edited_by: int
) -> InboxChanged:
    """Notify the players of a tournament that has other terms than before, or starts at another time.

    Return the event to publish after the commit.
    """
    concerned = {player.account_id for player in await players_of(session, tournament.id)}
    after = terms_of(tournament)
    # What may change without a word to the players is taken from before.
    of_play = replace(after, name=before.name, description=before.description, chat=before.chat)
    has_changed = of_play != replace(before, starts_at=after.starts_at, is_called=after.is_called)
    told = concerned - {edited_by}
    if after.starts_at != before.starts_at:
        await withdraw_coming(session, tournament.id, concerned)
        data = {"starts_at": after.starts_at.isoformat()} if after.starts_at else {}
        data["change"] = "both" if has_changed else "start"
        await tell(session, tournament, NewsKind.TOURNAMENT_MOVED, told, edited_by, **data)
    elif has_changed:
        await tell(session, tournament, NewsKind.TOURNAMENT_CHANGED, told, edited_by)
    return InboxChanged(tuple(concerned))


async def tell_cancelled(session: AsyncSession, tournament: Tournament, by: int | None) -> InboxChanged:
    """Notify the players and the organiser that a tournament is cancelled, but not the account that did it.

    `by` is None if it was the server or a moderator. Return the event to publish after the commit.
    """
    concerned = {player.account_id for player in await players_of(session, tournament.id)}
    if tournament.organiser_id is not None:
        concerned.add(tournament.organiser_id)
    told = concerned - {by}
    await tell(session, tournament, NewsKind.TOURNAMENT_CANCELLED, told, by)
    return InboxChanged(tuple(told))


async def tell(
    session: AsyncSession,
    tournament: Tournament,
    kind: NewsKind,
    account_ids: Iterable[int],
    by: int | None = None,
    **data: str,
) -> None:
    """Notify accounts about a tournament, which the account `by` has caused, None for the server.

    After the commit publish `InboxChanged`.
    """
    data["name"] = tournament.name
    if isinstance(name_of(tournament.name, tournament.series), Text):
        data["is_text"] = "yes"
    await notify(session, *(News(account_id, kind, tournament.id, by, data) for account_id in account_ids))


_TO_REMIND_OF = (
    Tournament.status == "created",
    Tournament.starts_at <= func.now() + _AHEAD,
    Tournament.reminded_at.is_(None),
)
HAS_TO_REMIND = exists().where(*_TO_REMIND_OF)
"""Whether there are tournaments of which to remind the players."""


async def remind_of_tournaments(database: Database, bus: Bus) -> None:
    """Notify the players of tournaments that start within 15 minutes, once."""
    async with database.transaction() as session:
        reminded = await session.scalars(
            update(Tournament).where(*_TO_REMIND_OF).values(reminded_at=func.now()).returning(Tournament)
        )
        told: set[int] = set()
        for tournament in reminded.all():
            players = {player.account_id for player in await players_of(session, tournament.id)}
            assert tournament.starts_at is not None
            start = tournament.starts_at.isoformat()
            await tell(session, tournament, NewsKind.TOURNAMENT_SOON, players, starts_at=start)
            told |= players
    if told:
        bus.publish(InboxChanged(tuple(told)))
