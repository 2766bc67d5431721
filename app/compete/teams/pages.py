"""The pages of teams: the list, each team, and the forms of its leader and officers."""

from collections.abc import Mapping
from functools import partial

from starlette.responses import RedirectResponse, Response

from app.compete.teams import api
from app.compete.teams.chat import TeamChat
from app.compete.teams.decisions import ends_by_leaving
from app.compete.teams.queries import Role, TeamDetails
from app.compete.teams.service import Teams, TeamSettings
from app.compete.tournaments.presenter import row_views
from app.compete.tournaments.service import Tournaments
from app.core.errors import AppError, ConflictError, ForbiddenError, InvalidError
from app.core.i18n.text import Text, _
from app.core.web.deps import Part
from app.core.web.forms import SubmissionDep, drawn_with
from app.core.web.params import PageNumber, page_of_list
from app.core.web.redirects import stay_or_go
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.throttled import SEARCHING, Stepping
from app.people.identity.viewer import SignedIn, Viewer
from app.play.games.wording import rating_text
from engine.registry import GAMES

router = page_router()

_TEAMS, _MEMBERS = 30, 50  # on a page
_ONE = "/teams/{team_id:id}"
_JOIN_CHOICES = {"open": _("Everybody may join"), "request": _("Players ask, and the team decides")}
_ROLES = {Role.LEADER: _("Leader"), Role.OFFICER: _("Officer"), Role.MEMBER: _("Member")}


@router.get("/teams", dependencies=[SEARCHING])
async def teams_page(
    viewer: Viewer, teams: Part[Teams], q: api.Words = "", number: PageNumber = 1
) -> Response:
    """List the viewer's teams, and those whose names contain some words."""
    listed = await teams.named(q.strip(), number=number, limit=_TEAMS)
    return page(
        "pages/teams.html",
        mine=await teams.of_account(viewer.id) if viewer else [],
        obstacle=await _obstacle(viewer, teams),
        teams=listed.teams,
        shown=page_of_list(listed.teams, number, has_more=listed.has_more),
        q=q,
    )


async def _obstacle(viewer: Identity | None, teams: Teams) -> Text | None:
    """Return why a viewer who has registered may not make a team, None if they may."""
    if viewer is None or viewer.is_guest:
        return None
    try:
        await teams.check_maker(viewer)
    except ForbiddenError as error:
        return error.message
    return None


@router.get("/teams/new")
async def new_page(viewer: SignedIn, teams: Part[Teams]) -> Response:
    """Show the form for a new team to those who may make one, so that nobody fills it in for nothing."""
    await teams.check_maker(viewer)
    return await _form("/teams/new", {"join": "open"})


@router.post("/teams/new")
async def create(viewer: Stepping, teams: Part[Teams], submission: SubmissionDep) -> Response:
    """Make a team."""
    try:
        team_id = await teams.create(viewer, submission.parse(api.TeamTerms).settings)
    except (InvalidError, ConflictError) as error:
        return await _form("/teams/new", submission.values, error)
    return RedirectResponse(f"/teams/{team_id}", 303)


@router.get(_ONE)
async def team_page(
    team_id: str,
    viewer: Viewer,
    teams: Part[Teams],
    chat: Part[TeamChat],
    tournaments: Part[Tournaments],
    number: PageNumber = 1,
    events: PageNumber = 1,
) -> Response:
    """Show a team with its members, its tournaments and the members' last games; to these with their chat."""
    team = await teams.get(team_id, viewer)
    listed = await teams.members(team_id, number=number, limit=_MEMBERS)
    held, has_more_held = await tournaments.of_team(team_id, events)
    return page(
        "pages/team.html",
        team=team,
        members=listed.members,
        shown=page_of_list(listed.members, number, has_more=listed.has_more),
        tournaments=row_views(held, await tournaments.list_reader(viewer, held)),
        held=page_of_list(held, events, has_more=has_more_held, parameter="events"),
        games=await teams.games(team_id),
        titles={key: rules.title for key, rules in GAMES.items()},
        rating_text=rating_text,
        roles=_ROLES,
        rooms=await chat.conversations(viewer, team),
        ends=ends_by_leaving(Role(team.role) if team.role else None, team.size),
    )


@router.get(_ONE + "/settings")
async def settings_page(team_id: str, viewer: SignedIn, teams: Part[Teams]) -> Response:
    """Show the form to change a team."""
    team = await teams.get_own(team_id, viewer)
    return await _form(f"/teams/{team_id}/settings", drawn_with(_values_of(team)))


@router.post(_ONE + "/settings")
async def change(team_id: str, viewer: Stepping, teams: Part[Teams], submission: SubmissionDep) -> Response:
    """Change a team."""
    return await submission.change(
        partial(teams.change, viewer, team_id),
        _values_of,
        lambda sent: sent.parse(api.TeamTerms).settings,
        then=f"/teams/{team_id}",
        refused=partial(_form, f"/teams/{team_id}/settings", submission.values),
    )


@router.get(_ONE + "/requests")
async def requests_page(team_id: str, viewer: SignedIn, teams: Part[Teams]) -> Response:
    """Show who wants to join a team, and who was refused or removed."""
    applicants = await teams.applicants(viewer, team_id)
    return page("pages/team_requests.html", team=await teams.get(team_id, viewer), applicants=applicants)


def _values_of(team: TeamDetails | TeamSettings) -> Mapping[str, str]:
    return {"name": team.name, "text": team.text, "join": "open" if team.is_open else "request"}


async def _form(action: str, values: Mapping[str, str], failure: AppError | None = None) -> Response:
    return page(
        "pages/team_edit.html",
        failure=failure,
        action=action,
        form_values=values,
        join_choices=_JOIN_CHOICES.items(),
    )


router.form(_ONE + "/chat", api.say, then="/teams/{team_id}#chat", answer=stay_or_go)
router.form(_ONE + "/join", api.join, then="/teams/{team_id}")
router.form(_ONE + "/leave", api.leave, then="/teams")
router.form(_ONE + "/close", api.close, then="/teams")
router.form(_ONE + "/requests/{username}/accept", api.admit, then="/teams/{team_id}/requests")
router.form(_ONE + "/requests/{username}/decline", api.refuse, then="/teams/{team_id}/requests")
router.form(_ONE + "/members/{username}", api.set_role, then="/teams/{team_id}")
router.form(_ONE + "/members/{username}/remove", api.remove, then="/teams/{team_id}")
