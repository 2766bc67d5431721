"""Pages to report a player, to read and answer what moderators decided, and those of moderators."""

import re
from collections.abc import Mapping
from typing import Annotated

from fastapi import Query
from starlette.responses import RedirectResponse, Response

from app.core.errors import AppError, ConflictError, InvalidError
from app.core.i18n.text import _
from app.core.ids import SERIAL
from app.core.web.addresses import own_path
from app.core.web.deps import Part
from app.core.web.forms import SubmissionDep
from app.core.web.params import Before
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.viewer import ClientDep, SignedIn
from app.play.games.presenter.cards import GameCard, mini_view
from app.play.games.service import Games
from app.site.moderation import api, places, presenter
from app.site.moderation.kinds import OFFERED, WORDINGS, ModeratorAction, Order
from app.site.moderation.places import Place
from app.site.moderation.queries import LoggedAction, ReportSource
from app.site.moderation.service import Moderation
from app.site.players.queries import GamesWanted
from app.site.players.service import Players

router = page_router()

_REPORT = re.compile(f"report-({SERIAL})")
"""The name of the field of a report that is chosen."""

_LAST_GAMES = 8


@router.get("/report")
async def report_page(
    viewer: SignedIn,
    moderation: Part[Moderation],
    player: Annotated[str, Query(max_length=64)] = "",
    place: Annotated[str, Query(max_length=100)] = "",
    next: Annotated[str, Query(max_length=200)] = "",  # noqa: A002
) -> Response:
    """Ask what is wrong with a player; without a name, let the viewer find one, whose profile leads back."""
    if not player:
        return RedirectResponse("/players", 303)
    return page(
        "pages/report.html",
        username=player,
        place=place,
        seen=await moderation.text_to_report(viewer, player, place),
        reasons=OFFERED,
        reported=False,
        next=next,
    )


@router.post("/report")
async def report(
    viewer: SignedIn, moderation: Part[Moderation], submission: SubmissionDep, client: ClientDep
) -> Response:
    """Report a player, and say thank you."""
    form = submission.parse(api.ReportForm)
    await api.report(form, viewer, moderation, client)
    known = places.parse(form.place)
    place = (known and known.url) or f"/players/{form.username}"
    return page(
        "pages/report.html",
        username=form.username,
        place=form.place,
        reasons=OFFERED,
        reported=True,
        next=own_path(form.next) if form.next else place,
    )


@router.get("/account/moderation")
async def decisions(viewer: SignedIn, moderation: Part[Moderation]) -> Response:
    """Show what moderators decided about the viewer."""
    return await _decisions(moderation, viewer.id, "/account/moderation")


@router.get("/appeal")
async def appeal_page(
    moderation: Part[Moderation], token: Annotated[str, Query(max_length=64)] = ""
) -> Response:
    """Show the owner of an account that a moderator closed what was decided, with a form to answer once."""
    return await _decisions(moderation, await moderation.owner_of_link(token), "/appeal", token)


@router.post("/appeal/{action_id:serial}")
async def appeal(action_id: int, moderation: Part[Moderation], submission: SubmissionDep) -> Response:
    """Answer a moderator's decision as the owner of a closed account."""
    form = submission.parse(api.AppealForm)
    await moderation.answer(await moderation.owner_of_link(form.token), action_id, form.text)
    return RedirectResponse(f"/appeal?token={form.token}", 303)


async def _decisions(moderation: Moderation, account_id: int, answer_path: str, token: str = "") -> Response:
    """Return the page of decisions; answers are sent to a path, with a token if there is one."""
    decisions = [LoggedAction(decision) for decision in await moderation.decisions(account_id)]
    return page("pages/moderation_decisions.html", decisions=decisions, answer_path=answer_path, token=token)


@router.get("/moderation")
async def queue(viewer: SignedIn, moderation: Part[Moderation], before: Before = None) -> Response:
    """Show the open reports but those by guests, and what cannot be read."""
    found = await moderation.queue(viewer, ReportSource.OTHERS, before)
    unreadable = await moderation.unreadable(viewer)
    rows = presenter.queue_rows(found.reports)
    by_guests = await moderation.open_reports(viewer, ReportSource.GUESTS)
    return page(
        "pages/moderation.html", rows=rows, older=found.older, by_guests=by_guests, unreadable=unreadable
    )


@router.get("/moderation/guests")
async def queue_of_guests(viewer: SignedIn, moderation: Part[Moderation], before: Before = None) -> Response:
    """Show the open reports by guests."""
    found = await moderation.queue(viewer, ReportSource.GUESTS, before)
    rows = presenter.queue_rows(found.reports)
    return page("pages/moderation_guests.html", rows=rows, older=found.older)


@router.get("/moderation/log")
async def log(viewer: SignedIn, moderation: Part[Moderation], before: Before = None) -> Response:
    """Show what moderators did, the latest first."""
    log = await moderation.log(viewer, before)
    return page("pages/moderation_log.html", actions=log.actions, older=log.older)


@router.get("/moderation/chat/{number:serial}")
async def around_chat(number: int, viewer: SignedIn, moderation: Part[Moderation]) -> Response:
    """Show what was said around a line of chat that was reported."""
    return await _around(Place("chat", str(number)), viewer, moderation)


@router.get("/moderation/messages/{number:serial}")
async def around_message(number: int, viewer: SignedIn, moderation: Part[Moderation]) -> Response:
    """Show the messages around one that was reported."""
    return await _around(Place("message", str(number)), viewer, moderation)


@router.get("/moderation/players/{username}")
async def case(
    username: str,
    viewer: SignedIn,
    moderation: Part[Moderation],
    players: Part[Players],
    games: Part[Games],
) -> Response:
    """Show what is known about a player, and what can be done."""
    return await _case(username, viewer, moderation, players, games)


@router.post("/moderation/players/{username}")
async def act(
    username: str,
    viewer: SignedIn,
    moderation: Part[Moderation],
    players: Part[Players],
    games: Part[Games],
    submission: SubmissionDep,
) -> Response:
    """Do something about a player, and go back to the queue."""
    try:
        form = submission.parse(api.ActionForm)
        concerned = _concerned(submission.values)
        order = Order(form.action, form.words, form.days, form.subject, form.new_name, concerned, form.after)
        await moderation.act(viewer, username, order)
    except (ConflictError, InvalidError) as error:
        return await _case(username, viewer, moderation, players, games, error, submission.values)
    return RedirectResponse("/moderation", 303)


def _concerned(values: Mapping[str, str]) -> frozenset[int] | None:
    """Return the reports that were chosen; None for a form that lets nobody choose."""
    if "choice" not in values:
        return None
    chosen = (_REPORT.fullmatch(name) for name in values)
    return frozenset(int(match[1]) for match in chosen if match)


async def _around(place: Place, viewer: Identity, moderation: Moderation) -> Response:
    return page("pages/moderation_context.html", context=await moderation.context(viewer, place))


async def _case(
    username: str,
    viewer: Identity,
    moderation: Moderation,
    players: Players,
    games: Games,
    error: AppError | None = None,
    values: Mapping[str, str] | None = None,
) -> Response:
    known = await moderation.case(viewer, username)
    open_ones = [each for each in known.reports if each.is_open]
    concerned = presenter.games_of(open_ones, known.said)
    last = await players.games_of(known.account, viewer, GamesWanted(), number=1, limit=_LAST_GAMES)
    return page(
        "pages/moderation_case.html",
        failure=error,
        player=known.account,
        case=known,
        reports=open_ones,
        earlier=[each for each in known.reports if not each.is_open],
        minis={state.id: mini_view(state) for state in await games.readable(set(concerned.values()))},
        concerned=concerned,
        games=[GameCard(game, player=known.account.username) for game in last.games],
        choices=[(action, action.words) for action in ModeratorAction if action in known.choices],
        wordings=[("", _("In your own words")), *WORDINGS.items()],
        places={each.place: each.place_text for each in open_ones if each.place}
        | {game.id: _("Game") for game in last.games},
        form_values={"days": "7", **(values or {})},
    )


router.form("/account/moderation/{action_id:serial}", api.answer, then="/account/moderation")
