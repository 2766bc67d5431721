"""Solitaire games and races as pages."""

from dataclasses import dataclass

from starlette.responses import Response

from app.core.i18n.text import Text
from app.core.moments import from_datetime, now
from app.core.web.deps import Part, SiteUrl
from app.core.web.forms import SubmissionDep
from app.core.web.redirects import go
from app.core.web.render import page
from app.core.web.throttle import Limit
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.throttled import Stepping
from app.people.identity.viewer import SignInDep, Viewer
from app.play.games.boards import BOARDS
from app.play.games.presenter.cards import game_cards
from app.play.solitaire import api
from app.play.solitaire.api import RaceForm, StartForm
from app.play.solitaire.races import MINUTES, RaceShown
from app.play.solitaire.service import Races, Solitaire
from engine.registry import SOLITAIRE

router = page_router()


@dataclass(frozen=True, slots=True)
class RaceView:
    """A race as one viewer sees it."""

    race: RaceShown
    title: str  # "Up and Up"
    board: str  # "8×8"
    lasts: Text | None  # "10 minutes", if it waits for its start
    may_start: bool
    is_awaited: bool  # by the viewer, who has joined
    deadline: int  # milliseconds since the epoch
    tie_break: str | None  # what breaks ties of points, if anything
    own_game: str | None  # the id of the viewer's game


def race_view(race: RaceShown, viewer: Identity | None) -> RaceView:
    """Return a race as a viewer sees it."""
    rules = SOLITAIRE[race.game]
    return RaceView(
        race=race,
        title=rules.title,
        board=BOARDS[rules].size_text(race.options),
        lasts=MINUTES.get(race.minutes or 0) if race.is_waiting else None,
        may_start=viewer is not None and race.may_be_started_by(viewer.id, viewer.username),
        is_awaited=race.is_waiting and viewer is not None and race.is_awaited_by(viewer.id),
        deadline=from_datetime(race.ends_at),
        tie_break=rules.tie_break,
        own_game=race.game_of(viewer.id) if viewer else None,
    )


@router.get("/solitaire")
async def solitaire_page(viewer: Viewer, solitaire: Part[Solitaire], races: Part[Races]) -> Response:
    """Show the solitaire games, the viewer's unfinished ones, and the races under way."""
    return page(
        "pages/solitaire.html",
        kinds=list(SOLITAIRE.values()),
        summaries={key: BOARDS[rules].summary for key, rules in SOLITAIRE.items()},
        games=game_cards(await solitaire.under_way(viewer)),
        races=[race_view(race, viewer) for race in await races.under_way()],
        durations=MINUTES,
    )


@router.post("/solitaire")
async def start(
    viewer: Viewer, sign_in: SignInDep, solitaire: Part[Solitaire], submission: SubmissionDep
) -> Response:
    """Go to the viewer's game without a move, or start one; an anonymous visitor becomes a guest."""
    form = submission.parse(StartForm)
    identity = await sign_in.limited(viewer, Limit.CHALLENGE)
    game_id = await solitaire.resume_or_start(identity, form.game, form.options)
    return sign_in.finish(go(f"/games/{game_id}"))


@router.post("/races")
async def make_race(
    viewer: Viewer, sign_in: SignInDep, races: Part[Races], submission: SubmissionDep
) -> Response:
    """Make a race that is waiting to start, and go to its page; an anonymous visitor becomes a guest."""
    form = submission.parse(RaceForm)
    identity = await sign_in.limited(viewer, Limit.CHALLENGE)
    race = await races.announce(identity, form.game, form.options, form.minutes)
    return sign_in.finish(go(f"/races/{race.id}"))


@router.get("/races/{race_id:id}")
async def race_page(race_id: str, viewer: Viewer, races: Part[Races], site_url: SiteUrl) -> Response:
    """Show a race: its players, their scores, and when it ends."""
    view = race_view(await races.get(race_id), viewer)
    return page("pages/race.html", view=view, now=now(), link=f"{site_url}/races/{race_id}")


@router.get("/games/{game_id:id}/race")
async def race_of_game(game_id: str, races: Part[Races]) -> Response:
    """Go from a game to its race."""
    return go(f"/races/{await races.of_game(game_id)}")


@router.post("/races/{race_id:id}/start")
async def start_race(race_id: str, viewer: Stepping, races: Part[Races]) -> Response:
    """Start a race, and go to the maker's game in it."""
    race = await races.start(race_id, viewer)
    return go(f"/games/{race.game_of(viewer.id)}")


@router.post("/races/{race_id:id}/join")
async def join(race_id: str, viewer: Viewer, sign_in: SignInDep, races: Part[Races]) -> Response:
    """Join a race, and go to the player's game if it has started; an anonymous visitor becomes a guest."""
    identity = await sign_in.limited(viewer, Limit.STEP)
    game_id = await races.join(race_id, identity)
    return sign_in.finish(go(f"/games/{game_id}" if game_id else f"/races/{race_id}"))


router.form("/races/{race_id:id}/leave", api.leave, then="/races/{race_id}")
