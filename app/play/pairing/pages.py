"""The page on which a player looks for any of several games."""

from collections.abc import Mapping

from starlette.responses import Response

from app.core.errors import AppError
from app.core.web.deps import Part
from app.core.web.forms import SubmissionDep
from app.core.web.redirects import go
from app.core.web.render import page
from app.core.web.throttle import Limit
from app.people.identity.pages import page_router
from app.people.identity.viewer import SignInDep, Viewer
from app.play.pairing import api
from app.play.pairing.presenter import proposed, search_form, search_view
from app.play.pairing.schemas import AcceptForm, SearchForm
from app.play.pairing.service import Pairing
from engine.search.levels import USUAL

router = page_router()


@router.get("/pairing")
async def pairing_page(viewer: Viewer, pairing: Part[Pairing]) -> Response:
    """Show what the viewer looks for, or the form to look for games."""
    search = await pairing.keep(viewer.id) if viewer else None
    if search is not None and search.is_open:
        return page("pages/pairing.html", search=search_view(search), usual_level=USUAL)
    return _form(proposed(search))


@router.post("/pairing")
async def begin(
    viewer: Viewer, sign_in: SignInDep, pairing: Part[Pairing], submission: SubmissionDep
) -> Response:
    """Look for games; an anonymous visitor becomes a guest."""
    try:
        form = submission.parse(SearchForm)
        terms = form.terms(is_member=viewer is not None and not viewer.is_guest)
        identity = await sign_in.limited(viewer, Limit.CHALLENGE)
        await pairing.cancel(identity.id)  # a click asks for another game, even right after one has begun
        search = await pairing.search(identity, terms)
    except AppError as error:
        return sign_in.finish(_form(submission.values, error))
    return sign_in.finish(go(f"/games/{search.game_id}" if search.game_id else "/pairing"))


@router.post("/pairing/{username}/accept")
async def accept(
    username: str, viewer: Viewer, sign_in: SignInDep, pairing: Part[Pairing], submission: SubmissionDep
) -> Response:
    """Play somebody who looks for an opponent, and go to the game; an anonymous visitor becomes a guest."""
    form = submission.parse(AcceptForm)
    identity = await sign_in.viewer_or_guest(viewer)
    game_id = await pairing.meet(identity, username, form.wanted.terms, form.rated)
    return sign_in.finish(go(f"/games/{game_id}"))


router.form("/pairing/cancel", api.end_search, then="/pairing")


def _form(values: Mapping[str, str], failure: AppError | None = None) -> Response:
    return page(
        "pages/pairing.html",
        failure=failure,
        search=None,
        form=search_form(values),
        form_values={"rating_min": "", "rating_max": "", **values},
    )
