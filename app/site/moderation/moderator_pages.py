"""The pages of moderators: the queue, what is known about a player, and the log."""

from collections.abc import Mapping
from types import MappingProxyType

from starlette.responses import RedirectResponse, Response

from app.core.errors import ConflictError, InvalidError
from app.core.web.deps import Part
from app.core.web.forms import SubmissionDep, form_errors
from app.core.web.params import Before
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.viewer import SignedIn
from app.site.moderation.forms import ActionForm
from app.site.moderation.orders import LABELS, Order
from app.site.moderation.places import Place
from app.site.moderation.presenter import logged_view, report_view, said_view
from app.site.moderation.service import Moderation

router = page_router()

_NONE: Mapping[str, str] = MappingProxyType({})


@router.get("/moderation")
async def queue(viewer: SignedIn, moderation: Part[Moderation]) -> Response:
    """Show the open reports, and what cannot be read."""
    reports = [report_view(info) for info in await moderation.queue(viewer)]
    unreadable = await moderation.unreadable(viewer)
    return page("pages/moderation.html", reports=reports, unreadable=unreadable)


@router.get("/moderation/log")
async def log(
    viewer: SignedIn,
    moderation: Part[Moderation],
    before: Before = None,
) -> Response:
    """Show what moderators did, the latest first."""
    log = await moderation.log(viewer, before)
    actions = [logged_view(logged) for logged in log.actions]
    return page("pages/moderation_log.html", actions=actions, older=log.older)


@router.get("/moderation/chat/{number:serial}")
async def around_chat(number: int, viewer: SignedIn, moderation: Part[Moderation]) -> Response:
    """Show what was said around a line of chat that was reported."""
    return await _around(Place("chat", str(number)), viewer, moderation)


@router.get("/moderation/messages/{number:serial}")
async def around_message(number: int, viewer: SignedIn, moderation: Part[Moderation]) -> Response:
    """Show the messages around one that was reported."""
    return await _around(Place("message", str(number)), viewer, moderation)


@router.get("/moderation/players/{username}")
async def case(username: str, viewer: SignedIn, moderation: Part[Moderation]) -> Response:
    """Show what is known about a player, and what can be done."""
    return await _case(username, viewer, moderation)


@router.post("/moderation/players/{username}")
async def act(
    username: str,
    viewer: SignedIn,
    moderation: Part[Moderation],
    submission: SubmissionDep,
) -> Response:
    """Do something about a player, and go back to the queue."""
    try:
        form = submission.parse(ActionForm)
        order = Order(form.action, form.reason, form.days, form.subject, form.new_name)
        await moderation.act(viewer, username, order)
    except (ConflictError, InvalidError) as error:
        return await _case(
            username,
            viewer,
            moderation,
            status=error.status,
            errors=form_errors(error),
            values=submission.values,
        )
    return RedirectResponse("/moderation", 303)


async def _around(place: Place, viewer: Identity, moderation: Moderation) -> Response:
    conversation = await moderation.context(viewer, place)
    lines = [said_view(said) for said in conversation.said]
    return page("pages/moderation_context.html", context=conversation, lines=lines)


async def _case(
    username: str,
    viewer: Identity,
    moderation: Moderation,
    *,
    status: int = 200,
    errors: Mapping[str, str] = _NONE,
    values: Mapping[str, str] = _NONE,
) -> Response:
    known = await moderation.case(viewer, username)
    return page(
        "pages/moderation_case.html",
        status=status,
        player=known.account,
        sanctions=known.sanctions,
        reports=[report_view(info) for info in known.reports],
        actions=[logged_view(logged) for logged in known.actions],
        choices=list(LABELS.items()),
        places=sorted({info.report.place for info in known.reports if info.report.place}),
        form_values={"days": "7", **values},
        form_errors=errors,
    )
