"""The forms that make, change and cancel tournaments."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from app.compete.teams.service import Teams
from app.compete.tournaments.decisions import is_organiser, most_of, with_account
from app.compete.tournaments.forms import (
    CancelForm,
    NewShown,
    Start,
    TournamentForm,
    changed,
    entered,
    proposed,
    terms_errors,
    values_of,
)
from app.compete.tournaments.queries import TournamentInfo
from app.compete.tournaments.service import PreviewShown, Tournaments
from app.compete.tournaments.terms import ALL_PRESENT, LONGEST_WAIT, TournamentKind
from app.compete.tournaments.wording import EXPLAINED, KINDS, left_out_text
from app.core.errors import AppError, ConflictError, ForbiddenError, InvalidError, NeedsAccountError
from app.core.i18n.text import NO_TEXT, Text, _
from app.core.web.deps import Part
from app.core.web.forms import SubmissionDep, drawn_with
from app.core.web.redirects import go
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.throttled import Challenging, Stepping
from app.people.identity.viewer import SignedIn, Viewer
from app.play.lobby.presenter import CLOCKS, DAY_CHOICES, option_fields
from engine.registry import FOR_TWO
from engine.tournaments.knock_out import BEST_OF
from engine.tournaments.round_robin import MOST as MOST_IN_GROUP

router = page_router()

_REALTIME = ("realtime", "byoyomi", "per_move")
_ANY = (*_REALTIME, "correspondence", "days_bank")
_CLOCKS = {kind: _REALTIME if kind in ALL_PRESENT else _ANY for kind in TournamentKind}
_STARTS: Sequence[tuple[Start, Text]] = (
    ("5", _("in 5 minutes")),
    ("15", _("in 15 minutes")),
    ("60", _("in an hour")),
    ("at", _("at another time")),
    ("full", _("when all places are taken")),
)


@router.get("/tournaments/new")
async def new_tournament(viewer: Viewer, teams: Part[Teams], shown: Annotated[NewShown, Query()]) -> Response:
    """Show the kinds of tournaments, or to those with an account the form for one of the kind chosen."""
    if shown.kind is None:
        return page(
            "pages/tournament_kinds.html",
            kinds=[(kind, KINDS[kind], EXPLAINED[kind]) for kind in TournamentKind],
            team_id=shown.team,
        )
    return await _form(with_account(viewer), teams, proposed(shown.kind, shown.game, shown.team))


@router.post("/tournaments/new")
async def make(
    viewer: Challenging, tournaments: Part[Tournaments], teams: Part[Teams], submission: SubmissionDep
) -> Response:
    """Make a tournament."""
    try:
        form = submission.parse(TournamentForm)
        info = await tournaments.make(viewer, form.terms, form.password)
    except NeedsAccountError:
        raise
    except (InvalidError, ConflictError, ForbiddenError) as error:
        return await _form(viewer, teams, entered(submission.values), error)
    return go(f"/tournaments/{info.id}")


@router.get("/tournaments/{tournament_id:id}/edit")
async def edit_page(
    tournament_id: str, viewer: SignedIn, tournaments: Part[Tournaments], teams: Part[Teams]
) -> Response:
    """Show the form that changes a tournament before its start."""
    info = await tournaments.get_own(tournament_id, viewer)
    return await _form(viewer, teams, drawn_with(values_of(info.terms)), edited=info)


@router.post("/tournaments/{tournament_id:id}/edit")
async def edit(
    tournament_id: str,
    viewer: Challenging,
    tournaments: Part[Tournaments],
    teams: Part[Teams],
    submission: SubmissionDep,
) -> Response:
    """Change a tournament before its start, once its organiser has seen whom that leaves out."""
    info = await tournaments.get_own(tournament_id, viewer)
    try:
        form, change = submission.parse(TournamentForm), partial(changed, submission)
        preview = await tournaments.preview(tournament_id, viewer, change)
        if not {each.username for each in preview.left_out} <= form.has_seen:
            values = entered(submission.values)
            return await _form(viewer, teams, values, edited=info, preview=preview)
        await tournaments.edit(tournament_id, viewer, change)
    except (InvalidError, ConflictError, ForbiddenError) as error:
        return await _form(viewer, teams, entered(submission.values), error, edited=info)
    return go(f"/tournaments/{tournament_id}")


@router.post("/tournaments/{tournament_id:id}/cancel")
async def cancel(
    tournament_id: str, viewer: Stepping, tournaments: Part[Tournaments], submission: SubmissionDep
) -> Response:
    """End a tournament without a result."""
    await tournaments.cancel(tournament_id, viewer, submission.parse(CancelForm).reason)
    return go(f"/tournaments/{tournament_id}")


async def _form(
    viewer: Identity,
    teams: Teams,
    values: Mapping[str, str],
    error: AppError | None = None,
    *,
    edited: TournamentInfo | None = None,
    preview: PreviewShown | None = None,
) -> Response:
    """Return the form with its fields, for a new tournament or one that is changed.

    With a preview it asks whether the players shown may be left out.
    """
    kind = TournamentKind(values["kind"])
    rules = FOR_TWO.get(values["game"], next(iter(FOR_TWO.values())))
    left_out = [each.username for each in preview.left_out] if preview else []
    return page(
        "pages/tournament_form.html",
        status=error.status if error else 200,
        kind=kind,
        kind_name=KINDS[kind],
        explained=EXPLAINED[kind],
        action=f"/tournaments/{edited.id}/edit" if edited else "/tournaments/new",
        edited=edited,
        rules=rules,
        games=FOR_TWO.values(),
        options=option_fields(rules),
        clocks=[choice for choice in CLOCKS if choice[0] in _CLOCKS.get(kind, _ANY)],
        days=DAY_CHOICES,
        starts=[each for each in _STARTS if each[0] != "full" or kind not in ALL_PRESENT],
        best_of=[(str(count), str(count)) for count in BEST_OF],
        most_players=most_of(kind, viewer),
        most_in_group=MOST_IN_GROUP,
        longest_wait=LONGEST_WAIT.days,
        teams=[(team.id, team.name) for team in await teams.of_account(viewer.id)],
        may_be_rated=is_organiser(viewer),
        form_values=values,
        form_errors=terms_errors(error) if error else {},
        left_out=left_out,
        warning=left_out_text(left_out, preview.players) if preview else NO_TEXT,
    )
