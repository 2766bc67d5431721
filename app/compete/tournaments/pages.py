"""A tournament as a page, and its players' sheets."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Literal

from fastapi import Depends, Query
from starlette.responses import HTMLResponse, Response

from app.compete.tournaments.chatting import Chatting, is_open
from app.compete.tournaments.entering import Entering
from app.compete.tournaments.export import as_csv, as_json
from app.compete.tournaments.follow import Followed
from app.compete.tournaments.forms import LiveShown, Shown
from app.compete.tournaments.presenter import (
    featured,
    own_view,
    page_with,
    rounds_view,
    sheet_rows,
    tournament_page,
)
from app.compete.tournaments.schemas.terms import EntryRequest
from app.compete.tournaments.service import Tournaments
from app.compete.tournaments.terms import Terms, TournamentKind
from app.compete.tournaments.wording import tie_breaks
from app.core.errors import AppError, ConflictError, ForbiddenError, NeedsAccountError
from app.core.i18n.text import Text, _
from app.core.moments import now
from app.core.web.deps import Part
from app.core.web.downloads import attachment
from app.core.web.forms import SubmissionDep
from app.core.web.redirects import go
from app.core.web.render import fragment, page
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.throttled import COMPUTING, Challenging, Stepping
from app.people.identity.viewer import Viewer
from app.play.chat.presenter import room_views
from app.play.games.service import Games

router = page_router()

_OTHERS = (_("See other tournaments"), "/tournaments")
_REMEDIES: Mapping[str, tuple[Text, str]] = MappingProxyType(
    {
        "tournament_over": _OTHERS,
        "tournament_started": _OTHERS,
        "tournament_full": _OTHERS,
        "rating_out_of_range": _OTHERS,
        "no_computers": _OTHERS,
        "too_many_tournaments": (_("See your tournaments"), "/tournaments#yours"),
        "too_few_games": (_("Play rated games"), "/lobby"),
    }
)
"""Links that help a player who could not join, by the code of the refusal."""


def _remedy(refusal: AppError, terms: Terms) -> tuple[Text, str] | None:
    """Return a link that helps a player who could not join, or None."""
    if refusal.code == "not_a_member":
        return _("See the team"), f"/teams/{terms.team_id}"
    return _REMEDIES.get(refusal.code)


@dataclass(frozen=True, slots=True)
class _Sources:
    """What the page of a tournament is built from."""

    tournaments: Part[Tournaments]
    followed: Part[Followed]
    games: Part[Games]
    chatting: Part[Chatting]


SourcesDep = Annotated[_Sources, Depends()]


@router.get("/tournaments/{tournament_id:id}", dependencies=[COMPUTING])
async def tournament(
    tournament_id: str,
    viewer: Viewer,
    sources: SourcesDep,
    shown: Annotated[Shown, Query()],
) -> Response:
    """Show a tournament: its terms, standings and pairings, and what the viewer may do."""
    return await _page(tournament_id, viewer, sources, shown)


@router.post("/tournaments/{tournament_id:id}/join")
async def join(
    tournament_id: str,
    viewer: Challenging,
    entering: Part[Entering],
    sources: SourcesDep,
    submission: SubmissionDep,
) -> Response:
    """Take part in a tournament, or come back to it; a refusal is shown on its page."""
    try:
        await entering.join(tournament_id, viewer, submission.parse(EntryRequest).password)
    except NeedsAccountError:
        raise
    except (ConflictError, ForbiddenError) as error:
        return await _page(tournament_id, viewer, sources, Shown(), refusal=error)
    return go(f"/tournaments/{tournament_id}")


@router.post("/tournaments/{tournament_id:id}/pause")
async def pause(tournament_id: str, viewer: Stepping, entering: Part[Entering]) -> Response:
    """Take no further games until the player joins again."""
    await entering.pause(tournament_id, viewer)
    return go(f"/tournaments/{tournament_id}")


@router.post("/tournaments/{tournament_id:id}/withdraw")
async def withdraw(tournament_id: str, viewer: Stepping, entering: Part[Entering]) -> Response:
    """Leave a tournament."""
    await entering.withdraw(tournament_id, viewer)
    return go(f"/tournaments/{tournament_id}")


@router.get("/tournaments/{tournament_id:id}/players/{username}", dependencies=[COMPUTING])
async def sheet(
    tournament_id: str,
    username: str,
    tournaments: Part[Tournaments],
    followed: Part[Followed],
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
        rows=sheet_rows(snapshot.info, player.id, pairings),
    )


@router.get("/tournaments/{tournament_id:id}/results.{form}", dependencies=[COMPUTING])
async def results(
    tournament_id: str, form: Literal["csv", "json"], tournaments: Part[Tournaments]
) -> Response:
    """Download the standings as CSV, or all results as JSON."""
    results = await tournaments.results(tournament_id)
    headers = attachment(f"tournament-{tournament_id}.{form}")
    # A large one takes long enough to write that moves would wait for it.
    if form == "csv":
        return Response(await asyncio.to_thread(as_csv, results), media_type="text/csv", headers=headers)
    body = await asyncio.to_thread(as_json, results)
    return Response(body, media_type="application/json", headers=headers)


@router.get("/tournaments/{tournament_id:id}/games/{game_id:id}")
async def place_of_game(
    tournament_id: str, game_id: str, tournaments: Part[Tournaments], games: Part[Games]
) -> Response:
    """Show beside a game which tournament it belongs to, and how its players rank in it."""
    info = await tournaments.get(tournament_id)
    state = await games.get(game_id)
    counts_soon = state.result is not None and await tournaments.is_open(game_id)
    rows = [await tournaments.standing_of(tournament_id, player.id) for player in state.players]
    return HTMLResponse(
        fragment(
            "partials/tournament_of_game.html",
            info=info,
            game_id=game_id,
            rows=filter(None, rows),
            counts_soon=counts_soon,
        )
    )


async def _page(
    tournament_id: str,
    viewer: Identity | None,
    sources: _Sources,
    shown: Shown,
    *,
    refusal: AppError | None = None,
) -> Response:
    snapshot = await sources.followed.read(tournament_id)
    info = snapshot.info
    if shown.at:
        shown = Shown(number=page_with(snapshot, viewer.id if viewer else None), round=shown.round)
    is_earlier = shown.round is not None and info.terms.kind is TournamentKind.SWISS
    of_round = await sources.tournaments.rounds(tournament_id, shown.round) if is_earlier else None
    rounds = rounds_view(snapshot, shown.round, of_round)
    own = own_view(snapshot, viewer)
    return page(
        "pages/tournament.html",
        status=refusal.status if refusal else 200,
        page=tournament_page(snapshot, await featured(snapshot, sources.games), shown.number, rounds),
        own=own,
        rooms=room_views(await sources.chatting.conversations(viewer, info)),
        is_live=is_open(info),
        refusal=(refusal.message, _remedy(refusal, info.terms)) if refusal else None,
        live_query=LiveShown(**shown.model_dump(), has_game=bool(own.games)).query,
        now=now(),
    )
