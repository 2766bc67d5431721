"""What each action of a moderator does, in the transaction that adds it to the log."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from sqlalchemy import func
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.teams import memberships
from app.core.errors import ConflictError, InvalidError
from app.core.events import Event
from app.core.i18n.text import _
from app.core.moments import utc_now
from app.learn.statistics import digest
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
from app.site.accounts.credentials import check_username, erase_later, username_taken
from app.site.moderation import places, queries
from app.site.moderation.kinds import ModeratorAction, Order
from app.site.moderation.models import ModerationAction

_SANCTIONS = {ModeratorAction.MUTE: SanctionKind.MUTE, ModeratorAction.BAN: SanctionKind.NO_RATED}
_KEPT_RESULTS = "kept_results"


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
    if order.action is ModeratorAction.VOID_GAME:
        return await _void(session, account, order, plan)
    return await _EFFECTS[order.action](session, account, order)


async def _only_tell(_session: AsyncSession, _account: Account, _order: Order) -> Effect:
    return Effect()


async def _forbid(session: AsyncSession, account: Account, order: Order) -> Effect:
    kind, until = _SANCTIONS[order.action], utc_now() + timedelta(days=order.days)
    present = (await sanctions.of_account(session, account.id)).get(kind)
    if present is not None and present > until:
        raise ConflictError(
            "restricted_longer",
            _("This is forbidden to the player for longer already. Lift the restrictions first."),
        )
    await sanctions.impose(session, account.id, kind, until)
    return Effect({"until": until.isoformat()})


async def _close(session: AsyncSession, account: Account, order: Order) -> Effect:
    """Close an account, or leave one that its owner has closed no results in rankings, and no way back."""
    if await queries.closing(session, account) is not None:
        raise ConflictError("closed", _("This account is closed already."))
    if account.closed_at is None:
        account.closed_at = func.now()
    details = {_KEPT_RESULTS: await ranked.keeps_results(session, account.id)}
    await ranked.keep_results(session, account.id, keep=False)
    await mail.tell_closed(session, account.id, order.reason.strip())
    teams_left = await memberships.leave_all(session, account.id)
    revoked = await keys.revoke_all(session, account.id)
    return Effect(details, [*revoked, *teams_left, RankingChanged()])


async def _erase(session: AsyncSession, account: Account, _order: Order) -> Effect:
    if account.closed_at is None:
        raise ConflictError("not_closed", _("Close the account first."))
    if not await erase_later(session, account.id):
        raise ConflictError("erasing", _("This account has already been erased, or will be within days."))
    return Effect()


async def _rename(session: AsyncSession, account: Account, order: Order) -> Effect:
    old_name, new_name = account.username, order.new_name
    check_username(new_name, "new_name")
    if new_name.lower() == old_name.lower():
        raise username_taken("new_name")
    account.username = new_name
    try:
        await session.flush()
    except IntegrityError:
        raise username_taken("new_name") from None
    # Not before: this may have waited for an account that gave the name up.
    if await names.is_withheld(session, new_name):
        raise username_taken("new_name")
    await names.retire(session, old_name, account.id)
    return Effect({"from": old_name, "to": new_name}, [PlayersChanged((account.id,))])


async def _remove_text(session: AsyncSession, account: Account, order: Order) -> Effect:
    events = await places.remove(session, places.parse(order.subject), account.id)
    if events is None:
        raise ConflictError("no_such_text", _("This player has no text there. Check the place."))
    return Effect({"subject": order.subject}, events)


async def _close_team(session: AsyncSession, account: Account, order: Order) -> Effect:
    team = await memberships.lock(session, order.subject_id)
    if team is None or account.id not in (team.leader_id, team.written_by, team.text_by):
        raise ConflictError("no_such_team", _("This player has no team with this id."))
    events = await memberships.close(session, team, by=None, knows=account.id)  # by the decision
    return Effect({"subject": order.subject_id}, events)


async def _withdraw_entry(session: AsyncSession, account: Account, order: Order) -> Effect:
    await entries.remove(session, order.subject_id, account.id, order.reason)
    return Effect({"subject": order.subject_id}, [RankingChanged()])


async def _void(session: AsyncSession, account: Account, order: Order, plan: VoidingPlan | None) -> Effect:
    if plan is None or account.id not in plan.players:
        raise ConflictError("not_rated", _("This player has no rated game with this id that counts."))
    await digest.take_back(session, plan.game_id)
    if not await voiding.carry_out(session, plan):
        raise OutdatedPlanError
    return Effect({"subject": order.subject_id}, [PlayersChanged(tuple(plan.ratings))])


async def _lift(session: AsyncSession, account: Account, _order: Order) -> Effect:
    closing = await queries.closing(session, account)
    if not await sanctions.lift(session, account.id) and closing is None:
        raise InvalidError("nothing_to_lift", _("This player has no restrictions."))
    if closing is not None:
        await _undo_closing(session, account, closing)
    return Effect(events=[RankingChanged()])


async def _undo_closing(session: AsyncSession, account: Account, closing: ModerationAction) -> None:
    """Open an account, or leave one that its owner has closed, or that waits to be erased, as it was."""
    is_to_be_erased = await session.get(Erasure, account.id) is not None
    if account.closed_at == closing.at and not is_to_be_erased:
        account.closed_at = None
    await ranked.keep_results(session, account.id, keep=bool(closing.details.get(_KEPT_RESULTS)))


_EFFECTS: Mapping[ModeratorAction, Callable[[AsyncSession, Account, Order], Awaitable[Effect]]] = {
    ModeratorAction.DISMISS: _only_tell,
    ModeratorAction.WARN: _only_tell,
    ModeratorAction.MUTE: _forbid,
    ModeratorAction.BAN: _forbid,
    ModeratorAction.CLOSE: _close,
    ModeratorAction.ERASE: _erase,
    ModeratorAction.RENAME: _rename,
    ModeratorAction.REMOVE_TEXT: _remove_text,
    ModeratorAction.CLOSE_TEAM: _close_team,
    ModeratorAction.WITHDRAW_ENTRY: _withdraw_entry,
    ModeratorAction.LIFT: _lift,
}
"""What each action does but that of voiding a game, which needs a plan."""
