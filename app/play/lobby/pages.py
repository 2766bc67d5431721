"""The lobby and challenges as pages."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated

from fastapi import Query
from starlette.responses import HTMLResponse, Response

from app.core.errors import AppError
from app.core.i18n.text import _
from app.core.web.deps import Part
from app.core.web.forms import SubmissionDep, form_errors
from app.core.web.redirects import go, stay_or_go
from app.core.web.render import page, wants_htmx
from app.core.web.throttle import Limit
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.throttled import Challenging
from app.people.identity.viewer import PersonDep, SignInDep, Viewer
from app.play.bots.service import Coach
from app.play.games.presenter.cards import turns_in
from app.play.games.service import Games
from app.play.lobby import api
from app.play.lobby.challenges import DECLINE_REASONS, ChallengeTerms
from app.play.lobby.forms import ChallengeForm, ComputerForm, Filter, PairingForm, blank
from app.play.lobby.presenter import (
    WAYS,
    challenge_form,
    challenge_view,
    challenge_views,
    challenges_html,
    filter_fields,
)
from app.play.lobby.rematches import rematch_update
from app.play.lobby.schemas import AcceptRequest, PlayOnRequest
from app.play.lobby.service import Lobby
from app.play.pairing.presenter import who_waits
from app.play.pairing.service import Pairing
from engine.registry import FOR_TWO
from engine.search.levels import USUAL

router = page_router()


@router.get("/lobby")
async def lobby_page(
    viewer: Viewer,
    lobby: Part[Lobby],
    pairing: Part[Pairing],
    wanted: Annotated[Filter, Query()],
    opponent: Annotated[str, Query(max_length=64)] = "",
    offer: Annotated[str, Query(max_length=32)] = "",
    casual: Annotated[bool, Query()] = False,
) -> Response:
    """Show the open challenges, the viewer's games, and the form for a challenge at the game `offer`.

    The form proposes a rated game unless the viewer is a guest, or the opponent plays `casual` games only.
    """
    values = blank(offer)
    if viewer and not viewer.is_guest and not casual:
        values["rated"] = "yes"
    if opponent:
        values |= {"opponent_kind": "username", "opponent": opponent}
    return await _lobby_page(viewer, lobby, pairing, wanted, values)


@router.post("/challenges")
async def make(
    viewer: Viewer,
    sign_in: SignInDep,
    lobby: Part[Lobby],
    pairing: Part[Pairing],
    submission: SubmissionDep,
) -> Response:
    """Make a challenge; an anonymous visitor becomes a guest."""
    identity = await sign_in.limited(viewer, Limit.CHALLENGE)
    try:
        form = submission.parse(ChallengeForm)
        challenge = await lobby.make(identity, form.terms, form.kind, form.opponent)
    except AppError as error:
        values = {**blank(submission.values.get("game", "")), **submission.values}
        return sign_in.finish(await _lobby_page(viewer, lobby, pairing, Filter(), values, error))
    return sign_in.finish(go(f"/challenges/{challenge.id}"))


@router.post("/challenges/pair")
async def pair(viewer: Viewer, sign_in: SignInDep, lobby: Part[Lobby], submission: SubmissionDep) -> Response:
    """Find an opponent by one click: accept an open challenge, or make one."""
    form = submission.parse(PairingForm)
    identity = await sign_in.limited(viewer, Limit.CHALLENGE)
    is_member = not identity.is_guest
    terms = ChallengeTerms(form.game, {}, control=form.control, rated=is_member, casual_with_guests=is_member)
    challenge, game_id = await lobby.pair(identity, terms)
    path = f"/games/{game_id}" if game_id else f"/challenges/{challenge.id}"
    return sign_in.finish(go(path))


@router.post("/challenges/computer")
async def challenge_computer(
    viewer: Viewer,
    sign_in: SignInDep,
    lobby: Part[Lobby],
    games: Part[Games],
    coach: Part[Coach],
    submission: SubmissionDep,
) -> Response:
    """Start a game against the computer by one click; an anonymous visitor becomes a guest."""
    form = submission.parse(ComputerForm)
    identity = await sign_in.limited(viewer, Limit.CHALLENGE)
    game_id = await lobby.challenge_computer(identity, ChallengeTerms(form.game, {}), form.level)
    if form.coach:
        await coach.accompany(await games.get(game_id), identity.id)
    # To a stranger the page explains the game, move by move.
    return sign_in.finish(go(f"/games/{game_id}" + ("#game" if viewer is None else "")))


@router.post("/games/{game_id:id}/play-on")
async def play_on(
    game_id: str,
    viewer: Viewer,
    person: PersonDep,
    sign_in: SignInDep,
    games: Part[Games],
    lobby: Part[Lobby],
    submission: SubmissionDep,
) -> Response:
    """Start a game against the computer from a position of a finished game; a visitor becomes a guest."""
    form = submission.parse(PlayOnRequest)
    identity = await sign_in.limited(viewer, Limit.CHALLENGE)
    state = await games.seen_by(identity, game_id)
    new_game_id = await lobby.play_on(identity, person, state, form.ply, form.level)
    return sign_in.finish(go(f"/games/{new_game_id}"))


@router.get("/challenges/{challenge_id:id}")
async def challenge_page(challenge_id: str, viewer: Viewer, lobby: Part[Lobby]) -> Response:
    """Show one challenge; redirect to the game once it is accepted."""
    challenge = await lobby.get(challenge_id)
    if challenge.game_id is not None:
        return go(f"/games/{challenge.game_id}")
    return page(
        "pages/challenge.html",
        challenge=challenge_view(challenge, viewer, await lobby.ratings(viewer)),
        usual_level=USUAL,
        decline_reasons=DECLINE_REASONS,
    )


@router.post("/challenges/{challenge_id:id}/accept")
async def accept(
    challenge_id: str, viewer: Viewer, sign_in: SignInDep, lobby: Part[Lobby], submission: SubmissionDep
) -> Response:
    """Accept a challenge and go to the game; an anonymous visitor becomes a guest."""
    form = submission.parse(AcceptRequest)
    identity = await sign_in.viewer_or_guest(viewer)
    game_id = await lobby.accept(challenge_id, identity, form.side, form.rated)
    return sign_in.finish(go(f"/games/{game_id}"))


@router.post("/games/{game_id:id}/rematch")
async def rematch(
    game_id: str, viewer: Challenging, person: PersonDep, lobby: Part[Lobby], games: Part[Games]
) -> Response:
    """Offer a rematch, or accept the opponent's offer and go to the new game."""
    challenge, rematch_id = await lobby.rematch(game_id, viewer, person)
    if rematch_id is not None:
        return go(f"/games/{rematch_id}")
    if wants_htmx():
        message = _("Your opponent has been asked. The new game opens here when they accept.")
        game = await games.seen_by(viewer, game_id)
        return HTMLResponse(rematch_update(game, challenge, viewer, message))
    return go(f"/challenges/{challenge.id}")


# htmx stays on the page, whose live connection shows that the challenge is gone.
router.form("/challenges/{challenge_id:id}/decline", api.decline, then="/lobby", answer=stay_or_go)
router.form("/challenges/{challenge_id:id}/cancel", api.cancel, then="/lobby", answer=stay_or_go)


async def _lobby_page(
    viewer: Identity | None,
    lobby: Lobby,
    pairing: Pairing,
    wanted: Filter,
    values: Mapping[str, str],
    failure: AppError | None = None,
) -> Response:
    overview = await lobby.overview(viewer)
    searches, challenges = who_waits(await pairing.listing(), await lobby.listing(), viewer, overview, wanted)
    form = challenge_form(values, form_errors(failure) if failure else {})
    return page(
        "pages/lobby.html",
        failure=failure,
        challenges_html=partial(challenges_html, challenges, searches),
        concerning=challenge_views(overview.challenges, viewer, overview.ratings),
        turns=turns_in(overview.games),
        filters=filter_fields(FOR_TWO, wanted.model_dump()),
        live_query=f"?{wanted.query}" if wanted.query else "",
        form=form,
        chosen=form.rules,
        form_values=values,
        ways=WAYS,
        usual_level=USUAL,
    )
