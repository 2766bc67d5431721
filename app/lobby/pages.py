"""Home, lobby and challenges as pages."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import HTMLResponse, Response

from app.errors import FieldError, ForbiddenError, InvalidError
from app.games.deps import GamesDep
from app.games.watch_pages import in_progress
from app.identity.viewer import SignedIn, SignInDep, Viewer
from app.lobby.challenges import DECLINE_REASONS, Terms
from app.lobby.context import (
    games_of,
    games_offered,
    levels,
    lobby_context,
    onlooker_of,
    open_challenges,
)
from app.lobby.deps import LobbyDep
from app.lobby.forms import DEFAULT_GAME, ChallengeForm, FilterDep, blank, control_named
from app.lobby.presenter import challenge_form, challenge_view
from app.lobby.views import filter_fields
from app.web.deps import DatabaseDep, SiteUrl, ThrottleDep
from app.web.redirects import go
from app.web.render import fragment, page, wants_htmx
from app.web.throttle import Limit
from engine.registry import FOR_TWO, SOLITAIRE
from engine.search.levels import LEVELS, USUAL

router = APIRouter(include_in_schema=False)


@router.get("/")
async def home(
    request: Request, viewer: Viewer, database: DatabaseDep, games: GamesDep, lobby: LobbyDep
) -> Response:
    """Show what can be played here, and with whom."""
    onlooker = await onlooker_of(database, viewer)
    return page(
        request,
        "pages/home.html",
        kinds=games_offered(),
        duels=list(FOR_TWO.values()),
        levels=levels(),
        usual_level=USUAL,
        solitaires=list(SOLITAIRE.values()),
        challenges=(await open_challenges(lobby, onlooker))[:5],
        games=await games_of(games, viewer),
        minis=await in_progress(games, 1),
    )


@router.get("/lobby")
async def lobby_page(
    request: Request,
    viewer: Viewer,
    database: DatabaseDep,
    games: GamesDep,
    lobby: LobbyDep,
    wanted: FilterDep,
    opponent: str = "",
    offer: str = "",
) -> Response:
    """Show the open challenges, the viewer's games, and the form for a challenge at the game `offer`."""
    values = blank(offer)
    if opponent:
        values |= {"opponent_kind": "username", "opponent": opponent}
    context = await lobby_context(database, games, lobby, viewer)
    challenges = await open_challenges(lobby, await onlooker_of(database, viewer))
    return page(
        request,
        "pages/lobby.html",
        challenges=[challenge for challenge in challenges if wanted.takes(challenge)],
        filters=filter_fields(FOR_TWO, wanted.model_dump()),
        live_query=f"?{wanted.query}" if wanted.query else "",
        form=challenge_form(values, {}),
        form_values=values,
        form_errors={},
        **context,
    )


@router.post("/challenges")
async def make(
    request: Request,
    viewer: Viewer,
    sign_in: SignInDep,
    database: DatabaseDep,
    games: GamesDep,
    lobby: LobbyDep,
    throttle: ThrottleDep,
    form: Annotated[ChallengeForm, Form()],
) -> Response:
    """Make a challenge; who is nobody yet becomes a guest."""
    maker = await sign_in.viewer_or_guest(viewer)
    await throttle.hit(Limit.CHALLENGE, f"account:{maker.id}")
    try:
        challenge = await lobby.make(maker, form.terms, form.kind, form.opponent)
    except (InvalidError, ForbiddenError) as error:
        field = error.field if isinstance(error, FieldError) else "form"
        onlooker = await onlooker_of(database, viewer)
        values = {**blank(form.game), **{name: str(value) for name, value in form.model_dump().items()}}
        errors = {field: error.message}
        response: Response = page(
            request,
            "pages/lobby.html",
            status=error.status,
            challenges=await open_challenges(lobby, onlooker),
            filters=None,
            live_query="",
            form=challenge_form(values, errors),
            form_values=values,
            form_errors=errors,
            **await lobby_context(database, games, lobby, viewer),
        )
        return sign_in.finish(response)
    return sign_in.finish(go(request, f"/challenges/{challenge.id}"))


@router.post("/challenges/pair")
async def pair(
    request: Request,
    viewer: Viewer,
    sign_in: SignInDep,
    lobby: LobbyDep,
    throttle: ThrottleDep,
    game: Annotated[str, Form(max_length=32)] = DEFAULT_GAME,
    time: Annotated[str, Form(max_length=16)] = "",
) -> Response:
    """Find an opponent by one click: accept a waiting challenge, or make one."""
    account = await sign_in.viewer_or_guest(viewer)
    await throttle.hit(Limit.CHALLENGE, f"account:{account.id}")
    terms = Terms(game, {}, control=control_named(time), rated=not account.is_guest)
    challenge, game_id = await lobby.pair(account, terms)
    where = f"/games/{game_id}" if game_id else f"/challenges/{challenge.id}"
    return sign_in.finish(go(request, where))


@router.post("/challenges/computer")
async def challenge_computer(
    request: Request,
    viewer: Viewer,
    sign_in: SignInDep,
    lobby: LobbyDep,
    throttle: ThrottleDep,
    game: Annotated[str, Form(max_length=32)] = DEFAULT_GAME,
    level: Annotated[int, Form(ge=LEVELS[0], le=LEVELS[-1])] = USUAL,
) -> Response:
    """Begin a game against the computer by one click; who is nobody yet becomes a guest."""
    account = await sign_in.viewer_or_guest(viewer)
    await throttle.hit(Limit.CHALLENGE, f"account:{account.id}")
    game_id = await lobby.challenge_computer(account, Terms(game, {}), level)
    return sign_in.finish(go(request, f"/games/{game_id}"))


@router.get("/challenges/{challenge_id:id}")
async def challenge_page(
    request: Request,
    challenge_id: str,
    viewer: Viewer,
    database: DatabaseDep,
    lobby: LobbyDep,
    site_url: SiteUrl,
) -> Response:
    """Show one challenge; an accepted one leads its players on to the game."""
    challenge = await lobby.get(challenge_id)
    if challenge.game_id is not None:
        return go(request, f"/games/{challenge.game_id}")
    onlooker = await onlooker_of(database, viewer)
    view = challenge_view(challenge, viewer, onlooker.ratings)
    return page(
        request, "pages/challenge.html", challenge=view, site_url=site_url, decline_reasons=DECLINE_REASONS
    )


@router.post("/challenges/{challenge_id:id}/accept")
async def accept(
    request: Request, challenge_id: str, viewer: Viewer, sign_in: SignInDep, lobby: LobbyDep
) -> Response:
    """Accept a challenge and go to the game; who is nobody yet becomes a guest."""
    account = await sign_in.viewer_or_guest(viewer)
    game_id = await lobby.accept(challenge_id, account)
    return sign_in.finish(go(request, f"/games/{game_id}"))


@router.post("/challenges/{challenge_id:id}/decline")
async def decline(
    request: Request,
    challenge_id: str,
    viewer: SignedIn,
    lobby: LobbyDep,
    reason: Annotated[str, Form(max_length=32)] = "",
) -> Response:
    """Decline a challenge; htmx stays on the page, whose live connection takes the challenge away."""
    await lobby.decline(challenge_id, viewer, reason or None)
    return Response(status_code=204) if wants_htmx(request) else go(request, "/lobby")


@router.post("/challenges/{challenge_id:id}/cancel")
async def cancel(request: Request, challenge_id: str, viewer: SignedIn, lobby: LobbyDep) -> Response:
    """Take a challenge back."""
    await lobby.cancel(challenge_id, viewer)
    return go(request, "/lobby")


@router.post("/games/{game_id:id}/rematch")
async def rematch(
    request: Request, game_id: str, viewer: SignedIn, lobby: LobbyDep, throttle: ThrottleDep
) -> Response:
    """Offer a rematch, or accept the opponent's offer and go to the new game."""
    await throttle.hit(Limit.CHALLENGE, f"account:{viewer.id}")
    challenge, started = await lobby.rematch(game_id, viewer)
    if started is not None:
        return go(request, f"/games/{started}")
    if wants_htmx(request):
        return HTMLResponse(
            fragment(
                "partials/notice.html", message="Your opponent has been asked. This page goes on to the game."
            )
        )
    return go(request, f"/challenges/{challenge.id}")
