"""Accounts and tokens for programs."""

from starlette.responses import Response

from app.core.web.deps import Part
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.people.identity.throttled import SteppingProgram
from app.people.identity.viewer import ClientDep, KnownProgram, PlayingProgram
from app.people.mail.service import Mail
from app.play.ratings.schemas import OwnRating
from app.site.accounts import schemas
from app.site.accounts.log_ins import LogIns
from app.site.accounts.preferences import chosen
from app.site.accounts.security import Security
from app.site.accounts.service import Accounts

router = Router(prefix="/api/v1", tags=["accounts"])


@router.post("/accounts", status_code=201, responses=problems(403, 429))
async def create_account(
    body: schemas.NewCredentials, accounts: Part[Accounts], client: ClientDep
) -> schemas.NewAccount:
    """Create an account and a first token for it."""
    token = await accounts.register_program(body.username, body.password, client, body.invitation)
    return schemas.NewAccount(username=body.username, token=token)


@router.post("/tokens", status_code=201, responses=problems(401, 403, 409, 429))
async def create_token(
    body: schemas.TokenRequest, log_ins: Part[LogIns], client: ClientDep
) -> schemas.NewToken:
    """Create a token for an account by its username and password, and its code if it has a second factor."""
    token = await log_ins.log_in_program(
        body.username,
        body.password,
        client,
        name=body.name,
        scopes=body.scopes,
        lifetime=body.lifetime,
        code=body.code,
    )
    return schemas.NewToken(token=token)


@router.delete("/tokens/current", status_code=204)
async def revoke_current_token(program: KnownProgram, log_ins: Part[LogIns], client: ClientDep) -> None:
    """Revoke the token of this request; its sockets and streams close."""
    await log_ins.log_out(program, client)


@router.get("/me/tokens")
async def tokens(program: KnownProgram, security: Part[Security]) -> schemas.TokenList:
    """List the valid tokens of the account."""
    return schemas.TokenList(tokens=(await security.keys_of(program)).tokens)


@router.delete("/me/tokens/{handle}", status_code=204)
async def revoke_token(
    handle: str, program: SteppingProgram, security: Part[Security], client: ClientDep
) -> None:
    """Revoke a token of the account; its sockets and streams close."""
    await security.revoke(program, handle, client)


@router.get("/me/preferences")
async def own_preferences(program: KnownProgram) -> schemas.PreferencesShown:
    """Return the preferences of the account."""
    return chosen(program.preferences)


@router.put("/me/preferences")
async def set_preferences(
    body: schemas.Preferences, program: SteppingProgram, accounts: Part[Accounts]
) -> schemas.PreferencesShown:
    """Change preferences of the account; what is not given stays as it is."""
    return chosen(await accounts.set_preferences(program, lambda _stored: body.given))


@router.get("/me")
async def me(program: KnownProgram, accounts: Part[Accounts]) -> schemas.Me:
    """Return the account of the token, and its ratings."""
    ratings = await accounts.ratings(program.id)
    return schemas.Me(
        username=program.username,
        is_guest=program.is_guest,
        ratings={game: OwnRating.of(rating) for game, rating in ratings.items()},
    )


@router.post("/me/password", status_code=204, responses=problems(429))
async def change_password(
    body: schemas.PasswordChange, program: PlayingProgram, security: Part[Security], client: ClientDep
) -> None:
    """Change the password, log browsers out, and revoke other tokens if asked to."""
    await security.check_password(program, body.current_password, client, "current_password")
    await security.change_password(program, client, new=body.new_password, revoke_tokens=body.revoke_tokens)


@router.get("/me/email")
async def email(program: KnownProgram, mail: Part[Mail]) -> schemas.EmailShown:
    """Return the e-mail address of the token's account."""
    address = await mail.address(program.id)
    return schemas.EmailShown(email=address.address, unconfirmed=address.unconfirmed)


@router.put("/me/email", status_code=202, responses=problems(409, 429))
async def set_email(
    body: schemas.EmailChange, program: PlayingProgram, security: Part[Security], client: ClientDep
) -> Response:
    """Send a link to an address; it becomes the account's when the link is opened."""
    await security.check_password(program, body.password, client)
    await security.set_address(program, body.email, client)
    return Response(status_code=202)


@router.delete("/me/email", status_code=204, responses=problems(429))
async def remove_email(
    body: schemas.Confirmed, program: PlayingProgram, security: Part[Security], client: ClientDep
) -> None:
    """Forget the e-mail address of the account."""
    await security.check_password(program, body.password, client)
    await security.remove_address(program, client)


@router.post("/me/computer", status_code=204, responses=problems(409))
async def declare_computer(program: PlayingProgram, accounts: Part[Accounts], client: ClientDep) -> None:
    """Label the token's account as one that a program plays with. This cannot be undone."""
    await accounts.declare_computer(program, client)


@router.post("/me/close", status_code=204, responses=problems(429))
async def close(
    body: schemas.Closing,
    program: PlayingProgram,
    accounts: Part[Accounts],
    security: Part[Security],
    client: ClientDep,
) -> None:
    """Close the token's account, and erase its name and texts if asked to."""
    await security.check_password(program, body.password, client)
    await accounts.close(program, client, erase=body.erase, keep_results=body.keep_results)
