"""What each action of a moderator does, in the transaction that adds it to the log."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from sqlalchemy import func
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.teams import memberships
from app.core.errors import ConflictError, FieldError, InvalidError
from app.core.events import Event
from app.core.i18n.text import _
from app.core.moments import utc_now
from app.nugget import entries
from app.nugget.standings import RankingChanged
from app.people.identity import names, ranked, sanctions
from app.people.identity.events import PlayersChanged
from app.people.identity.models import Account, Erasure
from app.people.identity.sanctions import SanctionKind
from app.people.mail import service as mail
from app.play.ratings import voiding
from app.play.ratings.voiding import VoidingPlan
from app.site.accounts import keys
from app.site.accounts.credentials import check_username, may_return
from app.site.moderation import places, queries
from app.site.moderation.kinds import ModeratorAction, Order

_SANCTIONS = {ModeratorAction.MUTE: SanctionKind.MUTE, ModeratorAction.BAN: SanctionKind.NO_RATED}


class OutdatedPlanError(Exception):
    """Rated games have ended since a plan for voiding one was made."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What the log keeps of an action beside its reason, and the events to publish after the commit."""

    details: dict[str, Any] = field(default_factory=dict)
    events: Sequence[Event] = ()


async def carry_out(
    session: AsyncSession, account: Account, order: Order, plan: VoidingPlan | None
) -> Effect:
    """Do what is ordered about a locked account; `plan` is for voiding a game.

    Raise ConflictError or InvalidError if it cannot be done, OutdatedPlanError.
    """
    match order.action:
        case ModeratorAction.MUTE | ModeratorAction.BAN:
            effect = await _forbid(session, account, order)
        case ModeratorAction.CLOSE:
            effect = await _close(session, account, order.reason)
        case ModeratorAction.RENAME:
            effect = await _rename(session, account, order.new_name)
        case ModeratorAction.REMOVE_TEXT:
            effect = await _remove_text(session, account, order.subject)
        case ModeratorAction.CLOSE_TEAM:
            effect = await _close_team(session, account, order.subject_id)
        case ModeratorAction.VOID_GAME:
            effect = await _void(session, account, order.subject_id, plan)
        case ModeratorAction.WITHDRAW_ENTRY:
            effect = await _withdraw_entry(session, account, order)
        case ModeratorAction.LIFT:
            effect = await _lift(session, account)
        case ModeratorAction.WARN | ModeratorAction.DISMISS:
            effect = Effect()
    return effect


async def _forbid(session: AsyncSession, account: Account, order: Order) -> Effect:
    until = utc_now() + timedelta(days=order.days)
    await sanctions.impose(session, account.id, _SANCTIONS[order.action], until)
    return Effect({"until": until.isoformat()})


async def _close(session: AsyncSession, account: Account, reason: str) -> Effect:
    if account.closed_at is not None and not await may_return(session, account):
        raise ConflictError("closed", _("This account is closed already."))
    account.closed_at = func.now()
    await ranked.keep_results(session, account.id, keep=False)
    await mail.tell_closed(session, account.id, reason.strip())
    teams_left = await memberships.leave_all(session, account.id)
    revoked = await keys.revoke_all(session, account.id)
    return Effect(events=[*revoked, *teams_left, RankingChanged()])


async def _rename(session: AsyncSession, account: Account, new_name: str) -> Effect:
    check_username(new_name)
    old_name = account.username
    if new_name.lower() == old_name.lower() or await names.is_withheld(session, new_name):
        raise _taken()
    await names.retire(session, old_name, account.id)
    account.username = new_name
    try:
        await session.flush()
    except IntegrityError:
        raise _taken() from None
    return Effect({"from": old_name, "to": new_name}, [PlayersChanged((account.id,))])


async def _remove_text(session: AsyncSession, account: Account, place: str) -> Effect:
    if not await places.remove(session, places.parse(place), account.id):
        raise ConflictError("no_such_text", _("This player has no text there. Check the place."))
    return Effect({"subject": place})


async def _close_team(session: AsyncSession, account: Account, team_id: str) -> Effect:
    team = await memberships.lock(session, team_id)
    if team is None or team.leader_id != account.id:
        raise ConflictError("no_such_team", _("This player leads no team with this id."))
    return Effect({"subject": team_id}, await memberships.close(session, team, knowing=account.id))


async def _withdraw_entry(session: AsyncSession, account: Account, order: Order) -> Effect:
    await entries.remove(session, order.subject_id, account.id, order.reason)
    return Effect({"subject": order.subject_id}, [RankingChanged()])


async def _void(session: AsyncSession, account: Account, game_id: str, plan: VoidingPlan | None) -> Effect:
    if plan is None or account.id not in plan.players:
        raise ConflictError("not_rated", _("This player has no rated game with this id that counts."))
    if not await voiding.carry_out(session, plan):
        raise OutdatedPlanError
    return Effect({"subject": game_id}, [PlayersChanged(tuple(plan.ratings))])


async def _lift(session: AsyncSession, account: Account) -> Effect:
    was_closed = await queries.is_closed_by_moderator(session, account)
    if not await sanctions.lift(session, account.id) and not was_closed:
        raise InvalidError("nothing_to_lift", _("This player has no restrictions."))
    if was_closed:
        is_owners_wish = await session.get(Erasure, account.id) is not None
        account.closed_at = func.now() if is_owners_wish else None
    return Effect(events=[RankingChanged()])


def _taken() -> FieldError:
    return FieldError("new_name", "username_taken", _("This username is taken. Choose another one."))
