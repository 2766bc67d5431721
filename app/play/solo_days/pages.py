"""Boards of the day of the games for one: playing them, their rankings, and the days before."""

from datetime import date
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Query
from starlette.responses import HTMLResponse, Response

from app.core.i18n.formats import day_in
from app.core.i18n.languages import current
from app.core.i18n.text import Text, _, ngettext
from app.core.web.cards import own_picture
from app.core.web.deps import Part, SiteUrl
from app.core.web.filters import figure_name
from app.core.web.params import Cursor
from app.core.web.redirects import go
from app.core.web.render import page
from app.core.web.throttle import Limit
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.throttled import Stepping
from app.people.identity.viewer import SignInDep, Viewer
from app.play.days.days import day_of, line_to_share, today
from app.play.days.presenter import Figures, ranking_table
from app.play.games.boards import BOARDS
from app.play.games.boards.board import by_night
from app.play.solitaire.scores import merit
from app.play.solo_days.service import SoloDayInfo, SoloDays, SoloTry
from engine.registry import SOLITAIRE

router = page_router()

_ROWS = 50
_PATH = "/solitaire/daily/{game:solo}"


@router.get(_PATH)
async def day_of_today(
    game: str, viewer: Viewer, solo_days: Part[SoloDays], site_url: SiteUrl, cursor: Cursor = ""
) -> Response:
    """Show the board of today, the viewer's try at it, and its ranking."""
    return await _page(solo_days, game, today(), viewer, site_url, cursor)


@router.get(f"{_PATH}/{{day:day}}")
async def one_day(
    game: str, day: str, viewer: Viewer, solo_days: Part[SoloDays], site_url: SiteUrl, cursor: Cursor = ""
) -> Response:
    """Show the board of a day."""
    return await _page(solo_days, game, day_of(day), viewer, site_url, cursor)


@router.get(f"{_PATH}/{{day:day}}/board.svg")
async def picture(game: str, day: str, solo_days: Part[SoloDays]) -> Response:
    """Return an image of the board of a day as it begins."""
    info = await solo_days.day(game, day_of(day))
    return own_picture(by_night(BOARDS[info.rules].picture(info.start, None)))


@router.get(f"{_PATH}/calendar")
async def calendar(
    game: str, viewer: Viewer, solo_days: Part[SoloDays], before: date | None = None
) -> Response:
    """Show the days before, with what the viewer has done."""
    days = solo_days.of[game]
    return page(
        "pages/day_calendar.html",
        path=_path(game),
        title=_("Board of the day at %(game)s: the days before", game=SOLITAIRE[game].short_title),
        lead=_("The boards of past days, with the best score and yours."),
        best_label=_("Best score"),
        own_label=_("Your score"),
        month=await days.calendar(before or today(), viewer.id if viewer else None),
        streak=await days.streak(viewer.id, today()) if viewer else 0,
    )


@router.post(f"{_PATH}/play")
async def play(game: str, viewer: Viewer, sign_in: SignInDep, solo_days: Part[SoloDays]) -> Response:
    """Go to the viewer's game on the board of today; anonymous visitors become guests."""
    account = await sign_in.limited(viewer, Limit.CHALLENGE)
    return sign_in.finish(go(f"/games/{await solo_days.play(game, account.id)}"))


@router.post(f"{_PATH}/hand-in")
async def hand_in(
    game: str,
    viewer: Stepping,
    solo_days: Part[SoloDays],
    day: date,
    version: Annotated[int, Query(ge=0)],
) -> Response:
    """Make the viewer's game count, at the version that the page was made of."""
    await solo_days.hand_in(game, viewer.id, day, version)
    return go(_path(game))


async def _page(
    solo_days: SoloDays, game: str, day: date, viewer: Identity | None, site_url: str, cursor: str
) -> HTMLResponse:
    info, days = await solo_days.day(game, day), solo_days.of[game]
    state = await solo_days.try_of(game, day, viewer.id) if viewer else None
    ranking = await days.ranking(day, cursor, _ROWS)
    streak = await days.streak(viewer.id, day) if viewer else 0
    name = _("Board of the day at %(game)s, %(day)s", game=info.rules.short_title, day=day_in(current(), day))
    figures = _figures(info)
    return page(
        "pages/solo_day.html",
        path=_path(game),
        title=name,
        rules=info.rules,
        lot=info.lot,
        figures=figures,
        mine=state,
        streak=streak,
        share=_to_share(name, info, state, streak, site_url),
        ranking=ranking_table(ranking.rows, figures, viewer),
        cursor=cursor,
        next=ranking.next,
        tomorrow=await days.next_commitment(),
        **_boards(info),
    )


def _path(game: str) -> str:
    return f"/solitaire/daily/{game}"


def _figures(info: SoloDayInfo) -> Figures:
    tie_break = info.rules.tie_break
    return [(_("Score"), "points"), *([(figure_name(tie_break), "tie_break")] if tie_break else [])]


def _boards(info: SoloDayInfo) -> dict[str, Any]:
    """Return the picture of the board: at the start, or after the computer's game once that may be told."""
    best = info.best
    position = info.start if best is None else best
    still = BOARDS[info.rules].draw(position)
    if best is None or info.lot.best is None:
        return {"still": still, "best_path": None}
    query = {**info.board.options, "players": 1, "moves": ",".join(info.lot.best)}
    return {
        "still": still,
        "best_points": merit(info.rules, best).points,
        "best_path": f"/analysis/{info.rules.key}?{urlencode(query, safe=',')}",
    }


def _to_share(name: Text, info: SoloDayInfo, state: SoloTry | None, streak: int, site_url: str) -> str | None:
    """Return a line to share, None without a result."""
    if state is None or state.points is None:
        return None
    result = ngettext("%(day)s: %(count)s point.", "%(day)s: %(count)s points.", state.points, day=name)
    return line_to_share(result, streak, f"{site_url}{_path(info.rules.key)}/{info.lot.day}")
