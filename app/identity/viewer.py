"""Who is asking: the dependencies that turn a cookie or a bearer token into an identity."""

from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPBearer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from app.database.session import Database
from app.errors import ForbiddenError, UnauthenticatedError
from app.identity import service
from app.identity.browsers import browser_name
from app.identity.service import Identity
from app.settings import Settings
from app.web.deps import DatabaseDep, SettingsDep, ThrottleDep
from app.web.origin import check_same_origin
from app.web.throttle import Limit, Throttle, address

_SAFE = ("GET", "HEAD", "OPTIONS")
_bearer = HTTPBearer(auto_error=False, description="A token from POST /accounts or POST /tokens.")


async def current_viewer(
    connection: HTTPConnection, settings: SettingsDep, database: DatabaseDep
) -> Identity | None:
    """Tell who looks at a page, by the session cookie, or None."""
    token = connection.cookies.get(_cookie_name(settings))
    viewer = None
    if token:
        async with database.transaction() as session:
            viewer = await service.identify_session(session, token)
    connection.state.viewer = viewer
    return viewer


Viewer = Annotated[Identity | None, Depends(current_viewer)]


async def signed_in(viewer: Viewer) -> Identity:
    """Tell who looks at a page. Raises UnauthenticatedError when nobody known does."""
    if viewer is None:
        raise UnauthenticatedError
    return viewer


SignedIn = Annotated[Identity, Depends(signed_in)]


async def same_origin(request: Request, settings: SettingsDep) -> None:
    """Refuse what was not sent by one of our own pages; for every route that a cookie opens."""
    if request.method not in _SAFE:
        check_same_origin(request.headers, settings.public_url)


class SignIn:
    """Opens sessions and puts their cookies on responses."""

    def __init__(
        self,
        connection: HTTPConnection,
        settings: Settings,
        database: Database,
        throttle: Throttle,
    ) -> None:
        self._connection = connection
        self._settings = settings
        self._database = database
        self._throttle = throttle
        self._token: str | None = None

    async def viewer_or_guest(self, viewer: Identity | None) -> Identity:
        """Give the viewer, or a new guest who is then signed in by `finish`."""
        if viewer is not None:
            return viewer
        await self._throttle.hit(Limit.GUEST, address(self._connection))
        async with self._database.transaction() as session:
            guest = await service.create_guest(session)
            self._token = await service.open_session(session, guest, self.browser)
            identity = await service.identify_session(session, self._token)
        assert identity is not None
        return identity

    @property
    def browser(self) -> str:
        """Give the name of the browser that asks."""
        return browser_name(self._connection.headers.get("user-agent", ""))

    def remember(self, token: str) -> None:
        """Take the token of a session that was just opened."""
        self._token = token

    def finish(self, response: Response) -> Response:
        """Put the cookie of a newly opened session, if there is one, on the response."""
        if self._token is not None:
            response.set_cookie(
                _cookie_name(self._settings),
                self._token,
                max_age=int(service.SESSION_LIFETIME.total_seconds()),
                httponly=True,
                secure=self._settings.secure,
                samesite="lax",
            )
        return response

    def forget(self, response: Response) -> Response:
        """Take the session's cookie away."""
        response.delete_cookie(
            _cookie_name(self._settings), httponly=True, secure=self._settings.secure, samesite="lax"
        )
        return response


async def _sign_in(
    connection: HTTPConnection, settings: SettingsDep, database: DatabaseDep, throttle: ThrottleDep
) -> SignIn:
    return SignIn(connection, settings, database, throttle)


SignInDep = Annotated[SignIn, Depends(_sign_in)]


async def program_of(connection: HTTPConnection, database: Database) -> Identity | None:
    """Tell which account the bearer token speaks for, or None without one.

    Raises UnauthenticatedError for a token that is not valid.
    """
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    async with database.transaction() as session:
        return await service.identify_token(session, token.strip())


async def _program(
    request: Request,
    database: DatabaseDep,
    _described: Annotated[object, Depends(_bearer)],  # so that the OpenAPI tells of the header
) -> Identity | None:
    return await program_of(request, database)


Program = Annotated[Identity | None, Depends(_program)]


async def known_program(program: Program) -> Identity:
    """Tell which account a program speaks for. Raises UnauthenticatedError when it does not say."""
    if program is None:
        raise UnauthenticatedError(
            "This needs an Authorization: Bearer TOKEN header. Get a token from POST /api/v1/tokens."
        )
    return program


KnownProgram = Annotated[Identity, Depends(known_program)]


async def playing_program(program: KnownProgram) -> Identity:
    """Tell which account a program may play for. Raises ForbiddenError without the `play` scope."""
    if "play" not in program.scopes:
        raise ForbiddenError("missing_scope", "This token lacks the scope 'play'.")
    return program


PlayingProgram = Annotated[Identity, Depends(playing_program)]


def _cookie_name(settings: Settings) -> str:
    return "__Host-gorrion" if settings.secure else "gorrion"
