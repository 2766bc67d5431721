"""Accounts and tokens for programs."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.accounts.deps import AccountsDep
from app.accounts.schemas import Credentials, Me, NewAccount, NewToken, TokenRequest
from app.identity.viewer import KnownProgram, PlayingProgram
from app.ratings.schemas import OwnRating
from app.web.addresses import network_of
from app.web.deps import ThrottleDep
from app.web.problems import problems
from app.web.throttle import Limit

router = APIRouter(tags=["accounts"])


@router.post("/accounts", status_code=201, responses=problems(422, 429))
async def create_account(
    request: Request, body: Credentials, accounts: AccountsDep, throttle: ThrottleDep
) -> NewAccount:
    """Create an account and a first token for it."""
    await throttle.hit(Limit.REGISTER, network_of(request))
    token = await accounts.register_program(body.username, body.password)
    return NewAccount(username=body.username, token=token)


@router.post("/tokens", status_code=201, responses=problems(401, 422, 429))
async def create_token(
    request: Request, body: TokenRequest, accounts: AccountsDep, throttle: ThrottleDep
) -> NewToken:
    """Create a token for an account by its username and password."""
    await throttle.hit(Limit.LOGIN, network_of(request))
    await throttle.hit(Limit.LOGIN, f"name:{body.username.lower()}")
    token = await accounts.log_in_program(body.username, body.password, body.name, body.scopes, body.lifetime)
    return NewToken(token=token)


@router.delete("/tokens/current", status_code=204, responses=problems(401))
async def revoke_current_token(program: KnownProgram, accounts: AccountsDep) -> Response:
    """Revoke the token of this request; its sockets and streams close."""
    await accounts.log_out(program)
    return Response(status_code=204)


@router.get("/me", responses=problems(401))
async def me(program: KnownProgram, accounts: AccountsDep) -> Me:
    """Return the account of the token, and its ratings."""
    ratings = await accounts.ratings(program)
    return Me(
        username=program.username,
        is_guest=program.is_guest,
        ratings={game: OwnRating.of(rating, games) for game, (rating, games) in ratings.items()},
    )


@router.post("/me/computer", status_code=204, responses=problems(401, 403, 409))
async def declare_computer(program: PlayingProgram, accounts: AccountsDep) -> Response:
    """Label the token's account as one that a program plays with. This cannot be undone."""
    await accounts.declare_computer(program)
    return Response(status_code=204)
