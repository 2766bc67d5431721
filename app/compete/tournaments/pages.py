"""The pages of tournaments: each one with its chat and results, the lists, the calendar and the seasons."""

import asyncio
import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from fastapi import Query
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.compete.tournaments import api, presenter
from app.compete.tournaments.calendar import Calendar, days, to_ical
from app.compete.tournaments.chat import TournamentChat, is_open
from app.compete.tournaments.entering import Entering
from app.compete.tournaments.follow import LISTED, Followed, TournamentSnapshot
from app.compete.tournaments.forms import ListShown, LiveShown, PageShown
from app.compete.tournaments.queries import TournamentInfo
from app.compete.tournaments.schemas import EntryRequest, TournamentExport, TournamentShown
from app.compete.tournaments.seasons import FEWEST, POINTS, Seasons, season_of
from app.compete.tournaments.service import Tournaments
from app.compete.tournaments.terms import TournamentKind, TournamentTerms
from app.compete.tournaments.wording import TIE_BREAKS, season_text, tie_breaks
from app.core.database.rank_order import RankedPage
from app.core.errors import AppError, ConflictError, ForbiddenError, NeedsAccountError, NotFoundError
from app.core.i18n.text import Text, _
from app.core.moments import now, utc_now
from app.core.web.conditional import etag_of
from app.core.web.deps import Part, SiteUrl
from app.core.web.downloads import attachment
from app.core.web.forms import SubmissionDep
from app.core.web.params import Cursor, OwnPlace
from app.core.web.redirects import go, stay_or_go
from app.core.web.render import fragment, page
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.throttled import COMPUTING, Challenging, Stepping
from app.people.identity.viewer import Viewer
from app.play.games.service import Games

router = page_router()

_SEASON_ROWS = 50
_COLUMNS = ("rank", "username", "rating", "group", "points", "games", "status")
_OTHERS = (_("See other tournaments"), "/tournaments")
_REMEDIES: Mapping[str, tuple[Text, str]] = {
    "tournament_over": _OTHERS,
    "tournament_started": _OTHERS,
    "tournament_full": _OTHERS,
    "rating_out_of_range": _OTHERS,
    "no_computers": _OTHERS,
    "too_many_tournaments": (_("See your tournaments"), "/tournaments#yours"),
    "too_few_games": (_("Play rated games"), "/lobby"),
}
"""Links that help a player who could not join, by the code of the refusal."""


@dataclass(frozen=True, slots=True)
class _Sources:
    """What the page of a tournament is built from."""

    tournaments: Tournaments
    entering: Entering
    followed: Followed
    games: Games
    chat: TournamentChat


@router.get("/tournaments/{tournament_id:id}", dependencies=[COMPUTING])
async def tournament(
    tournament_id: str, viewer: Viewer, sources: Part[_Sources], shown: Annotated[PageShown, Query()]
) -> Response:
    """Show a tournament: its terms, standings and pairings, and what the viewer may do."""
    return await _page(tournament_id, viewer, sources, shown)


@router.post("/tournaments/{tournament_id:id}/join")
async def join(
    tournament_id: str,
    viewer: Challenging,
    sources: Part[_Sources],
    submission: SubmissionDep,
) -> Response:
    """Take part in a tournament, or come back to it; a refusal is shown on its page."""
    try:
        form = submission.parse(EntryRequest)
        await sources.entering.join(tournament_id, viewer, form.password, form.terms)
    except NeedsAccountError:
        raise
    except (ConflictError, ForbiddenError) as error:
        return await _page(tournament_id, viewer, sources, PageShown(), refusal=error)
    return go(f"/tournaments/{tournament_id}")


@router.get("/tournaments/{tournament_id:id}/players/{username}", dependencies=[COMPUTING])
async def sheet(
    tournament_id: str, username: str, tournaments: Part[Tournaments], followed: Part[Followed]
) -> Response:
    """Show the games of a player in a tournament."""
    snapshot = await followed.read(tournament_id)
    player, pairings = await tournaments.sheet(tournament_id, username)
    standing = snapshot.standing_of(player.id)
    kind = snapshot.info.terms.kind
    return page(
        "pages/tournament_sheet.html",
        info=snapshot.info,
        player=player.username,
        standing=standing,
        has_rounds=kind is not TournamentKind.ARENA,
        tie_breaks=list(zip(tie_breaks(kind), standing.tie_breaks if standing else (), strict=False)),
        rows=[presenter.sheet_row(snapshot.info, player.id, each) for each in pairings],
    )


@router.get("/tournaments/{tournament_id:id}/results.{form}", dependencies=[COMPUTING])
async def results(tournament_id: str, form: Literal["csv", "json"], followed: Part[Followed]) -> Response:
    """Download the standings as CSV, or all results as JSON."""
    results = await followed.results(tournament_id)
    headers = attachment(f"tournament-{tournament_id}.{form}")
    # A large one takes long enough to write that moves would wait for it.
    if form == "csv":
        return Response(await asyncio.to_thread(_as_csv, results), media_type="text/csv", headers=headers)
    body = await asyncio.to_thread(_as_json, results)
    return Response(body, media_type="application/json", headers=headers)


@router.get("/tournaments/{tournament_id:id}/games/{game_id:id}")
async def place_of_game(
    tournament_id: str, game_id: str, viewer: Viewer, tournaments: Part[Tournaments], games: Part[Games]
) -> Response:
    """Show beside a game which tournament it belongs to, how its players rank, and when they play again."""
    info = await tournaments.get(tournament_id)
    state = await games.get(game_id)
    if state.tournament_id != tournament_id:
        raise NotFoundError("game")
    is_player = viewer is not None and any(player.id == viewer.id for player in state.players)
    next_from = await tournaments.next_game_from(tournament_id, viewer.id) if viewer and is_player else None
    counts_soon = state.result is not None and await tournaments.is_open(game_id)
    rows = [await tournaments.standing_of(tournament_id, player.id) for player in state.players]
    return HTMLResponse(
        fragment(
            "partials/tournament_of_game.html",
            info=info,
            game_id=game_id,
            rows=filter(None, rows),
            next_from=next_from if state.result else None,
            counts_soon=counts_soon,
        )
    )


@router.get("/tournaments")
async def tournaments_page(
    viewer: Viewer,
    tournaments: Part[Tournaments],
    followed: Part[Followed],
    shown: Annotated[ListShown, Query()],
) -> Response:
    """List the tournaments that are played and that come, or those that are over."""
    lists = await followed.lists()

    async def after(
        cursor: str, status: str, first: RankedPage[TournamentInfo]
    ) -> RankedPage[TournamentInfo]:
        return await tournaments.listing(status, cursor, LISTED) if cursor else first

    if shown.when == "past":
        past = presenter.page_view(await after(shown.cursor, "finished", lists.past), None)
        return page("pages/tournaments_past.html", past=past, shown=shown)
    own = await tournaments.of_account(viewer.id) if viewer else []
    lists = replace(
        lists,
        running=await after(shown.running, "started", lists.running),
        coming=await after(shown.cursor, "created", lists.coming),
        filling=await after(shown.filling, "filling", lists.filling),
    )
    reader = await tournaments.list_reader(viewer, (*own, *lists.open))
    return page(
        "pages/tournaments.html",
        own=presenter.row_views(own, reader),
        lists=presenter.lists_view(lists, reader),
        shown=shown,
    )


@router.post("/tournaments/{tournament_id:id}/chat/{position}")
async def switch_chat(
    tournament_id: str, position: Literal["on", "off"], viewer: Stepping, tournaments: Part[Tournaments]
) -> Response:
    """Switch the chat on or off."""
    await tournaments.switch_chat(tournament_id, viewer, is_on=position == "on")
    return go(f"/tournaments/{tournament_id}")


@router.get("/calendar")
async def calendar_page(calendar: Part[Calendar]) -> Response:
    """List what goes on now and what comes, by day."""
    return page("pages/calendar.html", days=days(await calendar.entries(), utc_now()))


@router.get("/calendar.ics", dependencies=[COMPUTING])
async def calendar_feed(calendar: Part[Calendar], site_url: SiteUrl) -> Response:
    """Return what goes on now and what comes."""
    document = to_ical(await calendar.entries(), site_url)
    headers = {**attachment("gorrion.ics"), **etag_of(document)}
    return Response(document, media_type="text/calendar", headers=headers)


@router.get("/seasons")
async def seasons_index() -> Response:
    """Redirect to the current season."""
    return RedirectResponse(f"/seasons/{season_of(utc_now())}", 303)


@router.get("/seasons/{season:slug}")
async def season_page(
    season: str, viewer: Viewer, seasons: Part[Seasons], cursor: Cursor = "", at: OwnPlace = ""
) -> Response:
    """Show the table of a season, the viewer's place, how points are made, and the other seasons."""
    if at and viewer:
        cursor = await seasons.cursor_to(season, viewer.id)
    table = await seasons.table(season, cursor, _SEASON_ROWS)
    current = season_of(utc_now())
    others = sorted({current, *await seasons.all()} - {season}, reverse=True)
    return page(
        "pages/season.html",
        title=season_text(season),
        is_current=season == current,
        is_final=table.is_final,
        rows=table.rows,
        cursor=cursor,
        next=table.next,
        mine=await seasons.row_of(season, viewer.id) if viewer else None,
        others=[(other, season_text(other)) for other in others],
        points=POINTS,
        fewest=FEWEST,
    )


async def _page(
    tournament_id: str,
    viewer: Identity | None,
    sources: _Sources,
    shown: PageShown,
    *,
    refusal: AppError | None = None,
) -> Response:
    snapshot = await sources.followed.read(tournament_id)
    info = snapshot.info
    if shown.at and viewer:
        shown = PageShown(number=presenter.page_with(snapshot, viewer.id), round=shown.round)
    of_round = None
    if shown.round is not None and shown.round < info.round and info.terms.kind is TournamentKind.SWISS:
        of_round = (await sources.tournaments.rounds(tournament_id, shown.round)).pairings
    rounds = presenter.rounds_view(snapshot, shown.round, of_round)
    own = presenter.own_view(snapshot, viewer, await sources.tournaments.reader(tournament_id, viewer))
    pictured = await presenter.pictured(snapshot, sources.games)
    return page(
        "pages/tournament.html",
        status=refusal.status if refusal else 200,
        page=presenter.tournament_page(snapshot, pictured, shown.number, rounds),
        own=own,
        jumps=presenter.is_on_another_page(snapshot, viewer, shown.number),
        rooms=await sources.chat.conversations(viewer, info),
        is_live=is_open(info),
        refusal=(refusal.message, _remedy(refusal, info.terms)) if refusal else None,
        live_query=LiveShown(**shown.model_dump(), has_game=bool(own.games)).query,
        now=now(),
    )


def _remedy(refusal: AppError, terms: TournamentTerms) -> tuple[Text, str] | None:
    """Return a link that helps a player who could not join, or None."""
    if refusal.code == "not_a_member":
        return _("See the team"), f"/teams/{terms.team_id}"
    return _REMEDIES.get(refusal.code)


def _as_csv(results: TournamentSnapshot) -> str:
    """Return the standings as comma-separated values with a header."""
    sheet = io.StringIO()
    writer = csv.writer(sheet)
    tie_breaks = TIE_BREAKS.get(results.info.terms.kind, ())
    writer.writerow((*_COLUMNS, *tie_breaks))
    for row in results.standings:
        figures = (*row.tie_breaks, *(0.0 for _ in tie_breaks))[: len(tie_breaks)]
        writer.writerow((*(getattr(row, name) for name in _COLUMNS), *figures))
    return sheet.getvalue()


def _as_json(results: TournamentSnapshot) -> bytes:
    """Return the tournament, its standings and its pairings, as the API shows them."""
    tournament = TournamentShown.of(results.info)
    export = TournamentExport(tournament=tournament, standings=results.standings, pairings=results.pairings)
    return export.model_dump_json(by_alias=True).encode()


router.form("/tournaments/{tournament_id:id}/pause", api.pause, then="/tournaments/{tournament_id}")
router.form("/tournaments/{tournament_id:id}/withdraw", api.withdraw, then="/tournaments/{tournament_id}")
router.form(
    "/tournaments/{tournament_id:id}/chat",
    api.say,
    then="/tournaments/{tournament_id}#chat",
    answer=stay_or_go,
)
