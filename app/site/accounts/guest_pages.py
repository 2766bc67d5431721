"""The page that asks who has logged in as a guest what becomes of the guest's games and runs."""

from starlette.responses import RedirectResponse, Response

from app.core.web.addresses import own_path
from app.core.web.deps import Part
from app.core.web.forms import SubmissionDep
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.throttled import Stepping
from app.people.identity.viewer import GuestAside, SignedIn, SignInDep
from app.site.accounts.belongings import Plan
from app.site.accounts.forms import GuestForm
from app.site.accounts.guests import Guests
from app.site.accounts.views import brought_texts, left_texts

router = page_router()


@router.get("/login/guest")
async def guest_page(
    viewer: SignedIn,
    guest: GuestAside,
    guests: Part[Guests],
    next: str = "/lobby",  # noqa: A002
) -> Response:
    """Ask whether what the guest has comes along into the account."""
    if guest is None or not await guests.has_any(guest):
        return RedirectResponse(own_path(next), 303)
    return _page(guest, await guests.plan(guest, viewer), own_path(next))


@router.post("/login/guest")
async def bring_along(
    viewer: Stepping,
    guest: GuestAside,
    guests: Part[Guests],
    sign_in: SignInDep,
    submission: SubmissionDep,
) -> Response:
    """Bring along what may come, and say what may not, or keep everything apart."""
    form = submission.parse(GuestForm)
    gone_on = RedirectResponse(own_path(form.next), 303)
    if guest is None or form.choice == "apart":
        return gone_on
    brought = await guests.bring(guest, viewer)
    if brought.left:
        return _page(guest, await guests.plan(guest, viewer), own_path(form.next))
    return sign_in.forget_guest(gone_on)


def _page(guest: Identity, plan: Plan, next_page: str) -> Response:
    return page(
        "pages/guest.html",
        guest=guest.username,
        brought=brought_texts(plan),
        left=left_texts(plan),
        next=next_page,
    )
