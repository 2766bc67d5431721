"""Nugget of the day: playing it, its ranking, and the days before."""

from datetime import date
from typing import Annotated, Any
from uuid import NAMESPACE_URL, UUID, uuid5

from fastapi import Form, Query
from starlette.responses import HTMLResponse, Response

from app.core.errors import AppError, ConflictError, found
from app.core.i18n.formats import day_in
from app.core.i18n.languages import current
from app.core.i18n.text import _, ngettext
from app.core.web.cards import own_picture
from app.core.web.deps import Part, SiteUrl
from app.core.web.params import Cursor
from app.core.web.redirects import go
from app.core.web.render import fragment, page
from app.core.web.throttle import Limit, Throttle
from app.nugget.answers import answered
from app.nugget.daily.service import Daily, StaleTryError, TryState
from app.nugget.drawing import draw_live, draw_still, picture_of
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.throttled import Stepping
from app.people.identity.viewer import SignedIn, SignInDep, Viewer
from app.play.days.days import day_of, line_to_share, today
from app.play.days.presenter import ranking_table
from app.play.games.boards.board import by_night
from engine.golden_nugget.board import MOVE_LIMIT

router = page_router()

_ROWS = 50


@router.get("/nugget/daily")
async def day_of_today(
    viewer: Viewer, daily: Part[Daily], site_url: SiteUrl, cursor: Cursor = ""
) -> Response:
    """Show the board of today, with the viewer's try, and its ranking."""
    return await _page(daily, today(), viewer, site_url, cursor)


@router.get("/nugget/daily/{day:day}")
async def one_day(
    day: str, viewer: Viewer, daily: Part[Daily], site_url: SiteUrl, cursor: Cursor = ""
) -> Response:
    """Show the board of a day."""
    return await _page(daily, day_of(day), viewer, site_url, cursor)


@router.get("/nugget/daily/{day:day}/board.svg")
async def picture(day: str, daily: Part[Daily]) -> Response:
    """Return an image of the board of a day."""
    return own_picture(by_night(picture_of((await daily.day(day_of(day))).board)))


@router.get("/nugget/daily/calendar")
async def calendar(viewer: Viewer, daily: Part[Daily], before: date | None = None) -> Response:
    """Show the days before, with what the viewer has done."""
    return page(
        "pages/day_calendar.html",
        path="/nugget/daily",
        title=_("Nugget of the day: the days before"),
        lead=_("The boards of past days, with the fewest moves and yours."),
        best_label=_("Fewest moves"),
        own_label=_("Your moves"),
        month=await daily.days.calendar(before or today(), viewer.id if viewer else None),
        streak=await daily.days.streak(viewer.id, today()) if viewer else 0,
    )


@router.post("/nugget/daily/begin")
async def begin(viewer: Viewer, sign_in: SignInDep, daily: Part[Daily]) -> Response:
    """Begin the viewer's try; anonymous visitors become guests."""
    account = await sign_in.limited(viewer, Limit.CHALLENGE)
    await daily.begin(account.id)
    return sign_in.finish(go("/nugget/daily"))


@router.post("/nugget/daily/commands")
async def act(
    viewer: SignedIn,
    daily: Part[Daily],
    throttle: Part[Throttle],
    day: date,
    commands: Annotated[str, Form(max_length=600)],
    version: Annotated[int, Form(ge=0)],
    request_id: Annotated[UUID, Form()],
) -> Response:
    """Carry out space-separated commands, in order, on the board of the day that the page shows.

    Each is saved before the response.
    """
    await throttle.hit(Limit.MOVE, f"account:{viewer.id}")
    problem: AppError | None
    try:
        state, refusal = await daily.act(viewer.id, day, commands.split(), version, request_id)
        problem = refusal.problem if refusal else None
    except ConflictError as refused:  # the page shows what is stored, and why
        state, problem = found(await daily.try_of(day, viewer.id), "try"), refused

    async def draw() -> str:
        return fragment("partials/nugget_day_play.html", **_play(day, viewer.id, state))

    return await answered(problem, "/nugget/daily", draw)


@router.post("/nugget/daily/hand-in")
async def hand_in(
    viewer: Stepping, daily: Part[Daily], day: date, version: Annotated[int, Query(ge=0)]
) -> Response:
    """Make the moves on the board count, at the version that the page shows."""
    try:
        await daily.hand_in(viewer.id, day, version)
    except StaleTryError as stale:
        state = stale.state

        async def draw() -> str:
            return fragment("partials/nugget_day_update.html", **_play(day, viewer.id, state))

        return await answered(stale, "/nugget/daily", draw)
    return go("/nugget/daily")


async def _page(daily: Daily, day: date, viewer: Identity | None, site_url: str, cursor: str) -> HTMLResponse:
    info = await daily.day(day)
    state = await daily.try_of(day, viewer.id) if viewer else None
    ranking = await daily.days.ranking(day, cursor, _ROWS)
    streak = await daily.days.streak(viewer.id, day) if viewer else 0
    if viewer and state and not info.lot.is_over:
        board = _play(day, viewer.id, state)
    else:
        board = {"play": None, "still": draw_still(info.board)}
    figures = [(_("Moves"), "moves")]
    return page(
        "pages/nugget_daily.html",
        path="/nugget/daily",
        title=_("Nugget of the day, %(day)s", day=day_in(current(), day)),
        lot=info.lot,
        figures=figures,
        mine=state,
        streak=streak,
        share=_to_share(day, state, streak, site_url) if state and state.moves else None,
        ranking=ranking_table(ranking.rows, figures, viewer),
        cursor=cursor,
        next=ranking.next,
        tomorrow=await daily.days.next_commitment(),
        **board,
    )


def _play(day: date, account_id: int, state: TryState) -> dict[str, Any]:
    """Return what the board of a try shows."""
    name = f"gorrion:nugget-day:{day}:{account_id}:{state.version}"
    return {
        "day": day,
        "attempt": state,
        "play": state.play,
        "drawing": draw_live(state.play.board),
        "most_moves": MOVE_LIMIT,
        "request_id": uuid5(NAMESPACE_URL, name),
    }


def _to_share(day: date, state: TryState, streak: int, site_url: str) -> str:
    assert state.moves is not None
    result = ngettext(
        "Nugget of the day, %(day)s: solved in %(count)s move.",
        "Nugget of the day, %(day)s: solved in %(count)s moves.",
        state.moves,
        day=day_in(current(), day),
    )
    return line_to_share(result, streak, f"{site_url}/nugget/daily/{day}")
