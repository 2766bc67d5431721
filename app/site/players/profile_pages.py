"""The settings of what a player tells on the profile."""

from collections.abc import Mapping
from functools import partial

from starlette.responses import Response

from app.core.errors import AppError
from app.core.i18n.names import countries, languages
from app.core.web.deps import Part
from app.core.web.forms import SubmissionDep, form_errors
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.throttled import Stepping
from app.people.identity.viewer import SignedIn
from app.site.players.about import MOST_CHARACTERS
from app.site.players.forms import AboutForm
from app.site.players.presenter import about_values
from app.site.players.service import Players

router = page_router()


@router.get("/account/profile")
async def profile_page(viewer: SignedIn, players: Part[Players], saved: str = "") -> Response:
    """Show what the viewer tells on the profile, to change it."""
    values = about_values(await players.about(viewer))
    return await _settings(values, is_saved=saved == "1")


@router.post("/account/profile")
async def describe(viewer: Stepping, players: Part[Players], submission: SubmissionDep) -> Response:
    """Store what the viewer tells on the profile."""
    return await submission.carry_out(
        AboutForm,
        lambda form: players.describe(viewer, form.about),
        then="/account/profile?saved=1",
        refused=partial(_settings, submission.values),
    )


async def _settings(
    values: Mapping[str, str], error: AppError | None = None, *, is_saved: bool = False
) -> Response:
    return page(
        "pages/profile_settings.html",
        status=error.status if error else 200,
        form_values=values,
        form_errors=form_errors(error) if error else {},
        is_saved=is_saved,
        most_characters=MOST_CHARACTERS,
        countries=countries(),
        known_languages=languages(),
    )
