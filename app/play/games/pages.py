"""The pages of games: playing and watching them, their records, and the rules."""

import asyncio
from typing import Annotated
from uuid import UUID

from fastapi import File, Form, Query, Request, UploadFile
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from app.core.errors import ConflictError, ForbiddenError, InvalidError
from app.core.i18n.languages import current
from app.core.i18n.text import _
from app.core.moments import now
from app.core.web.addresses import network_of
from app.core.web.cards import Cards, sample_picture, shared_picture
from app.core.web.deps import Part, ReceivedAt, SiteUrl
from app.core.web.downloads import attachment
from app.core.web.forms import SubmissionDep
from app.core.web.params import page_of_list
from app.core.web.paths import register_choice, register_pattern
from app.core.web.render import fragment, page, wants_htmx, wants_partial
from app.core.web.throttle import Limit, Throttle
from app.people.identity.pages import page_router
from app.people.identity.throttled import COMPUTING
from app.people.identity.viewer import PersonDep, SignedIn, Viewer
from app.play.bots.service import Coach
from app.play.chat.presenter import transcript
from app.play.chat.service import Chat, has_chat
from app.play.conditions.service import Conditions
from app.play.games import export
from app.play.games.boards import BOARDS
from app.play.games.boards.board import Theme, by_night
from app.play.games.decisions import Command
from app.play.games.forms import WatchFilter
from app.play.games.game import GameState
from app.play.games.presenter.board import board_of, move_rows, replay_view, seat_views
from app.play.games.presenter.cards import games_to_watch
from app.play.games.presenter.page import game_view, hint_view, live_view, obstacle_view, role_of
from app.play.games.presenter.updates import as_time_passes, refusal, refusal_of_move, update, with_move
from app.play.games.schemas import SeenRequest
from app.play.games.service import Games, SharedGameBoards
from app.play.games.views import SPECTATOR, WATCH_FILTERS, steps_of
from app.play.games.wording import headline
from app.play.kept_games.service import KeptGames
from app.play.lobby.rematches import rematch_view
from app.play.lobby.service import Lobby
from engine.game_record import MAX_BYTES
from engine.registry import GAMES

register_choice("action", Command)
register_pattern("square", "[a-z][1-9][0-9]?")
router = page_router()

_KEPT = {"Cache-Control": "private, max-age=86400"}

_GAMES = (
    *((key, rules.title, BOARDS[rules].summary) for key, rules in GAMES.items()),
    (
        "golden_nugget",
        "Golden Nugget",
        _("For one: sort 49 blocks in as few moves as you can, and enter the world ranking."),
    ),
)


@router.get("/games/{game_id:id}")
async def game_page(
    game_id: str,
    viewer: Viewer,
    games: Part[Games],
    chat: Part[Chat],
    conditions: Part[Conditions],
    coach: Part[Coach],
    kept_games: Part[KeptGames],
    lobby: Part[Lobby],
    shared_boards: Part[SharedGameBoards],
    ply: str = "",
    hint: str = "",
    version: Annotated[int, Query()] = -1,
) -> Response:
    """Show a game as it is now or was after a ply. htmx gets only the board for a past ply.

    A `hint` is shown at its `version` of the game.
    """
    state = await games.seen_by(viewer, game_id)
    replay = None
    if ply.isascii() and ply.isdigit() and len(ply) <= 6 and int(ply) < state.ply:
        replay = replay_view(state, int(ply))
    if wants_partial():
        return HTMLResponse(fragment("partials/replay_update.html", replay=replay))
    role = role_of(state, viewer.id if viewer else None)
    live = live_view(state, role)
    offer = await lobby.rematch_offer(game_id) if state.result else None
    return page(
        "pages/game.html",
        game=game_view(state, role),
        live=live,
        board=board_of(state, playable=live.turn.is_yours, live=True),
        seats=seat_views(state, (role,)),
        rows=move_rows(state),
        replay=replay,
        game_steps=replay.steps if replay else steps_of(state.ply, state.ply),
        has_chat=has_chat(viewer, state),
        rooms=await chat.conversations(viewer, state),
        hint=hint_view(state, role, hint, version),
        conditions_note=await conditions.note(state, viewer.id) if viewer else None,
        rematch=rematch_view(offer, viewer) if viewer else None,
        is_watched=await coach.watches(state),
        is_kept=await kept_games.is_kept(viewer, game_id),
        shared_board=None if role == SPECTATOR else await shared_boards.shared_board_of(state),
        now=now(),
    )


@router.get("/games/{game_id:id}/again")
async def look_again(game_id: str, viewer: Viewer, games: Part[Games]) -> Response:
    """Show what a page of the game shows differently only because time has passed."""
    state = await games.seen_by(viewer, game_id)
    return HTMLResponse(as_time_passes(state, role_of(state, viewer.id if viewer else None)))


@router.get("/games/{game_id:id}/squares/{square:square}")
async def obstacle(game_id: str, square: str, viewer: Viewer, games: Part[Games]) -> Response:
    """Show why a square is closed to the side to move; nothing if it is open."""
    state = await games.seen_by(viewer, game_id)
    shown = obstacle_view(state, role_of(state, viewer.id if viewer else None), square)
    return HTMLResponse(fragment("partials/obstacle.html", obstacle=shown))


@router.post("/games/{game_id:id}/moves")
async def play(
    game_id: str,
    viewer: SignedIn,
    games: Part[Games],
    coach: Part[Coach],
    throttle: Part[Throttle],
    person: PersonDep,
    move: Annotated[str, Form(max_length=16)],
    ply: Annotated[int, Form(ge=0, le=100_000)],
    move_id: Annotated[UUID, Form()],
    received_at: ReceivedAt,
    sure: Annotated[bool | None, Form()] = None,
) -> Response:
    """Play a move. Pages whose scripts run send it over their live connection while that is open."""
    await throttle.hit(Limit.MOVE, f"account:{viewer.id}")
    try:
        await coach.check(person, game_id, move, ply, is_sure=sure)
        state = await games.play_move(
            game_id, viewer.id, move, ply, move_id, at=received_at, device=person.device
        )
    except ConflictError as error:
        if not wants_htmx():
            raise with_move(move, error) from error
        shown = await refusal_of_move(games, game_id, viewer.id, move, ply, error)
        return HTMLResponse(shown, error.status)
    return _moved(state, viewer.id, ply)


@router.post("/games/{game_id:id}/{action:action}")
async def act(
    game_id: str,
    action: Command,
    viewer: SignedIn,
    games: Part[Games],
    throttle: Part[Throttle],
    received_at: ReceivedAt,
    submission: SubmissionDep,
) -> Response:
    """Carry out a command other than a move, such as resigning or asking for a takeback."""
    form = submission.parse(SeenRequest)
    limit = Limit.EDIT if action is Command.TAKEBACK else Limit.STEP
    await throttle.hit(limit, f"account:{viewer.id}")
    try:
        state = await games.command(action, game_id, viewer.id, at=received_at, seen=form.seen)
    except (ConflictError, ForbiddenError) as error:
        if not wants_htmx():
            raise
        state = await games.seen_by(viewer, game_id)
        return HTMLResponse(refusal(state, viewer.id, error), error.status)
    return _moved(state, viewer.id, state.ply)


def _moved(state: GameState, account_id: int, seen_ply: int) -> Response:
    if wants_htmx():
        return HTMLResponse(update(state, role_of(state, account_id), seen_ply, current()).text)
    return RedirectResponse(f"/games/{state.id}", 303)


@router.get("/watch")
async def watch_page(games: Part[Games], wanted: Annotated[WatchFilter, Query()]) -> Response:
    """Show a page of the games in progress, the strongest players' first."""
    minis, has_more = await games_to_watch(games, wanted)
    return page(
        "pages/watch.html",
        minis=minis,
        shown=page_of_list(minis, wanted.number, has_more=has_more),
        wanted=wanted.model_dump(exclude={"number"}, exclude_defaults=True),
        filters=[(name, label, choices, getattr(wanted, name)) for name, label, choices in WATCH_FILTERS],
        live_query=f"?{wanted.query}" if wanted.query else "",
    )


@router.get("/rules")
async def rules_index() -> Response:
    """List the games with links to their rules."""
    return page("pages/rules.html", games=_GAMES)


@router.get("/rules/{game:game}")
async def rules(game: str) -> Response:
    """Show the rules of a game of the registry."""
    return page(f"pages/rules_{game}.html", figures=BOARDS[GAMES[game]].figures())


@router.get("/rules/{game:game}/film.svg")
async def film(request: Request, game: str) -> Response:
    """Return a sample game that plays by itself."""
    return sample_picture(request, BOARDS[GAMES[game]].film())


@router.get("/rules/{game:game}/still.svg")
async def still(request: Request, game: str) -> Response:
    """Return the last position of the same game."""
    return sample_picture(request, BOARDS[GAMES[game]].still())


@router.get("/games/{game_id:id}/about")
async def about(
    game_id: str,
    viewer: Viewer,
    games: Part[Games],
    site_url: SiteUrl,
    ply: Annotated[int | None, Query(ge=0, le=100_000)] = None,
) -> Response:
    """Show a game's score graph, its record, and a link to share a ply of it."""
    state = await games.seen_by(viewer, game_id)
    role = role_of(state, viewer.id if viewer else None)
    shown = state.ply if ply is None else min(ply, state.ply)
    return page(
        "pages/game_about.html",
        game=game_view(state, role),
        headline=headline(state, role) if state.result else "",
        last_ply=state.ply,
        graph=export.score_graph(export.record_of(state)),
        record=export.export(state),
        ply=shown,
        link=f"{site_url}/games/{state.id}" + (f"?ply={shown}" if shown < state.ply else ""),
    )


@router.get("/games/{game_id:id}/record.txt")
async def download(game_id: str, viewer: Viewer, games: Part[Games], chat: Part[Chat]) -> Response:
    """Download a game's record; its players get their chat as comments."""
    state = await games.seen_by(viewer, game_id)
    said = transcript(await chat.of_player(viewer, state))
    return PlainTextResponse(
        export.export(state) + said,
        headers=attachment(f"gorrion-{game_id}.txt"),
    )


@router.get("/games/{game_id:id}/board.svg")
async def picture(
    game_id: str, viewer: Viewer, games: Part[Games], ply: Annotated[int, Query(ge=0, le=100_000)] = 100_000
) -> Response:
    """Return an image of a game after a ply, by default the last one; lists show it, too."""
    state = await games.visible_to(viewer, game_id)
    kept = _KEPT if state.is_final and not state.is_hidden_from(None, now()) else None
    return Response(by_night(export.picture(state, ply)), media_type="image/svg+xml", headers=kept)


@router.get("/games/{game_id:id}/film.svg", dependencies=[COMPUTING])
async def film_of_game(game_id: str, games: Part[Games], theme: Theme = "system") -> Response:
    """Return a game that plays by itself."""
    drawn, _shown = await asyncio.to_thread(export.film, await games.seen_by(None, game_id), theme)
    return shared_picture(drawn)


@router.get("/games/{game_id:id}/card.png")
async def card(request: Request, game_id: str, games: Part[Games], cards: Part[Cards]) -> Response:
    """Return a picture of a game for links to it."""
    state = await games.seen_by(None, game_id)
    view = game_view(state, SPECTATOR)
    lines = [f"{view.title} {view.board_text}", *view.players_with_sides]
    if state.result:
        lines.append(headline(state))
    return await cards.response(request, export.picture(state, state.ply), lines)


@router.get("/import")
async def import_form() -> Response:
    """Show the form to import a record."""
    return page("pages/import.html", text="", error="", replay=None)


@router.post("/import")
async def import_record(
    request: Request,
    throttle: Part[Throttle],
    record: Annotated[str, Form(max_length=MAX_BYTES)] = "",
    file: Annotated[UploadFile | None, File()] = None,
    ply: Annotated[int, Form(ge=0, le=100_000)] = 0,
) -> Response:
    """Replay a record. Nothing is stored."""
    await throttle.hit(Limit.RECORD, network_of(request))
    text = record
    try:
        if file is not None and file.filename:
            text = _text_of(await file.read(MAX_BYTES + 1))
        read = await asyncio.to_thread(export.read, text)
    except InvalidError as error:
        return page(
            "pages/import.html", status=error.status, text=text[:MAX_BYTES], error=error.message, replay=None
        )
    return page(
        "pages/import.html",
        text=text,
        replay=export.replay_of_record(read, ply),
        graph=export.score_graph(read),
        headers_of_record=read.headers,
    )


def _text_of(content: bytes) -> str:
    """Return the text of a file. Raise InvalidError if it is in another encoding than UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidError(
            "bad_record", _("This file is not text in UTF-8. Save it as UTF-8, or paste the record.")
        ) from None
