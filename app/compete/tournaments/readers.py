"""What a tournament lets one of its readers do, by the rules that its commands follow."""

from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.candidates import check_fits
from app.compete.teams.models import TeamMember
from app.compete.tournaments import decisions
from app.compete.tournaments.models import Tournament, TournamentPlayer
from app.compete.tournaments.queries import terms_of
from app.core.errors import ForbiddenError, found
from app.core.i18n.text import _
from app.people.eligibility import Candidate
from app.people.identity.service import Identity, check_registered


@dataclass(frozen=True, slots=True)
class TournamentReader:
    """Somebody who looks at a tournament.

    `refusal` is why its terms do not admit them, whether or not it can still be joined; `may_edit` is whether
    they may change it before its start, `may_end` whether they may cancel it and switch its chat.
    """

    refusal: ForbiddenError | None
    may_edit: bool = False
    may_end: bool = False


async def reader(session: AsyncSession, tournament_id: str, identity: Identity) -> TournamentReader:
    """Return what a tournament lets an account do. Raise NotFoundError."""
    tournament = found(await session.get(Tournament, tournament_id), "tournament")
    return TournamentReader(
        await _refusal(session, tournament, identity),
        may_edit=await may_edit(session, tournament, identity),
        may_end=await may_end(session, tournament, identity),
    )


async def _refusal(
    session: AsyncSession, tournament: Tournament, identity: Identity
) -> ForbiddenError | None:
    try:
        player = await session.get(TournamentPlayer, (tournament.id, identity.id))
        if player is None or player.status != "active":
            await check_fits_terms(session, tournament, player, identity)
    except ForbiddenError as error:
        return error
    return None


def check_has_account(identity: Identity | None) -> Identity:
    """Return the identity, which may take part. Raise NeedsAccountError for guests and visitors."""
    check_registered(identity, _("Register to take part in tournaments."))
    assert identity is not None
    return identity


async def check_fits_terms(
    session: AsyncSession, tournament: Tournament, player: TournamentPlayer | None, identity: Identity
) -> Candidate:
    """Return what is known of an account that the terms admit; a player comes back to a tournament.

    Raise ForbiddenError: an `Ineligibility`.
    """
    terms = terms_of(tournament)
    conditions = terms.conditions.once_begun if player else terms.conditions
    return await check_fits(session, identity.id, terms.game, conditions)


async def may_edit(session: AsyncSession, tournament: Tournament, identity: Identity) -> bool:
    """Return whether an account may change a tournament before its start: who made it, and answers for it."""
    return tournament.organiser_id == identity.id and await is_held_by(session, tournament, identity)


async def may_end(session: AsyncSession, tournament: Tournament, identity: Identity) -> bool:
    """Return whether an account may cancel a tournament and switch its chat; moderators may do so in all."""
    return identity.is_moderator or await is_held_by(session, tournament, identity)


async def is_held_by(session: AsyncSession, tournament: Tournament, identity: Identity) -> bool:
    """Return whether an account answers for a tournament, by itself or for its team; see `decisions`."""
    of_team = tournament.team_id and (tournament.team_id, identity.id)
    member = await session.get(TeamMember, of_team) if of_team else None
    return decisions.answers_for(tournament, identity.id, member)
