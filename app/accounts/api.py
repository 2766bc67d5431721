"""Accounts and tokens for programs."""

from datetime import datetime, timedelta

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.accounts.schemas import Credentials, NewAccount, NewToken, TokenRequest
from app.events import ProofRevoked
from app.identity import service
from app.identity.viewer import KnownProgram
from app.moments import utc_now
from app.web.deps import BusDep, DatabaseDep, ThrottleDep
from app.web.problems import problems
from app.web.throttle import Limit, address

router = APIRouter(tags=["accounts"])


@router.post("/accounts", status_code=201, responses=problems(422, 429))
async def create_account(
    request: Request, body: Credentials, database: DatabaseDep, throttle: ThrottleDep
) -> NewAccount:
    """Make an account and a first token for it."""
    await throttle.hit(Limit.REGISTER, address(request))
    async with database.transaction() as session:
        account = await service.register(session, body.username, body.password)
        token = await service.issue_token(session, account, "first token", list(service.SCOPES))
    return NewAccount(username=account.username, token=token)


@router.post("/tokens", status_code=201, responses=problems(401, 422, 429))
async def create_token(
    request: Request, body: TokenRequest, database: DatabaseDep, throttle: ThrottleDep
) -> NewToken:
    """Make a token for an account by its name and password."""
    await throttle.hit(Limit.LOGIN, address(request))
    await throttle.hit(Limit.LOGIN, f"name:{body.username.lower()}")
    async with database.transaction() as session:
        account = await service.authenticate(session, body.username, body.password)
        token = await service.issue_token(session, account, body.name, list(body.scopes), _expiry(body))
    return NewToken(token=token)


def _expiry(body: TokenRequest) -> datetime | None:
    if body.expires_in_days is None:
        return None
    return utc_now() + timedelta(days=body.expires_in_days)


@router.delete("/tokens/current", status_code=204, responses=problems(401))
async def revoke_current_token(program: KnownProgram, database: DatabaseDep, bus: BusDep) -> Response:
    """Revoke the token that this request is made with; its sockets and streams close."""
    async with database.transaction() as session:
        await service.revoke_token(session, program)
    bus.publish(ProofRevoked(program.proof.hex()))
    return Response(status_code=204)
