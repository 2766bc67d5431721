"""FastAPI dependencies that turn a session cookie or a bearer token into an identity.

Those that hundreds of routes share take their parts from the connection: for a `Part`, FastAPI would look at
its getter once more for each route when the server starts, and call it at each request. `Throttle` stays a
`Part`, since the description of the API says by it which routes refuse requests.
"""

from datetime import timedelta
from functools import partial
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.security import HTTPBearer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from app.core.database.session import Database
from app.core.errors import (
    DrawnForAnotherError,
    ForbiddenError,
    LogInFirstError,
    RenamedError,
    ThrottledError,
    TooManyGuestsError,
    UnauthenticatedError,
)
from app.core.i18n.text import Text
from app.core.parts import parts_of
from app.core.settings import Settings
from app.core.web.addresses import network_of
from app.core.web.deps import Part
from app.core.web.language import use_of_account
from app.core.web.problems import refuses
from app.core.web.throttle import Limit, Throttle
from app.people.identity import devices, names, service
from app.people.identity.clients import Client, browser_name
from app.people.identity.service import Identity, new_token

TOKEN_IS_OPTIONAL: dict[str, Any] = {"security": [{}]}
"""What the OpenAPI says of an operation that takes a `Program` and works without a token, too."""
_ASIDE = "-guest"
"""What is added to the name of the session's cookie for that of the guest who is kept aside."""
_bearer = HTTPBearer(auto_error=False, description="A token from POST /accounts or POST /tokens.")


async def current_viewer(connection: HTTPConnection) -> Identity | None:
    """Return the owner of the session cookie, or None.

    The first call stores the result in `connection.state.viewer`, from which `page` draws the header, and
    sets the language to that of the account. Every route of a page calls it (see `pages.py`).
    """
    state = connection.state
    if "viewer" not in state:
        state["viewer"] = await _use_sessions(connection)
        _note_account(connection, state["viewer"])
        if state["viewer"] is not None:
            use_of_account(connection, state["viewer"].preferences.get("language"))
    viewer: Identity | None = state["viewer"]
    return viewer


async def _use_sessions(connection: HTTPConnection) -> Identity | None:
    """Return the owner of the session cookie, or None, and use the session of a guest who is kept aside.

    When the use of a guest's session is noted, the next page lets the browser keep its cookie as long again.
    """
    parts = parts_of(connection)
    settings, database = parts.get(Settings), parts.get(Database)
    name, cookies = settings.session_cookie, connection.cookies
    token, aside = cookies.get(name), cookies.get(name + _ASIDE)
    viewer, is_noted = await service.use_session(database, token, aside) if token else (None, False)
    if viewer is None and aside:
        _guest, is_noted = await service.use_session(database, aside)
    suffix, guests = ("", token) if viewer is not None and viewer.is_guest else (_ASIDE, aside)
    if is_noted and guests:
        lifetime = service.SESSION_LIFETIME
        connection.state["finish"] = partial(_keep_cookie, settings, name + suffix, guests, lifetime)
    return viewer


Viewer = Annotated[Identity | None, Depends(current_viewer)]


async def present_name(connection: HTTPConnection) -> None:
    """Raise RenamedError if the page of a player is asked for by a name that the player had until lately."""
    name = connection.path_params.get("username")
    if name is None or connection.scope.get("method") not in ("GET", "HEAD"):
        return
    database = parts_of(connection).get(Database)
    if await names.is_present(database, name):
        return
    async with database.reading_now() as session:
        account = await names.find(session, name)
    if account is not None:
        raise RenamedError(name, account.username)


async def signed_in(connection: HTTPConnection, viewer: Viewer) -> Identity:
    """Return the viewer. Raise UnauthenticatedError if there is none, or what `check_drawn_for` raises."""
    if viewer is None:
        raise UnauthenticatedError
    check_drawn_for(connection, viewer)
    return viewer


async def _sender(connection: HTTPConnection, viewer: Viewer) -> Identity | None:
    check_drawn_for(connection, viewer)
    return viewer


Sender = Annotated[Identity | None, Depends(_sender)]
"""The viewer who sends a form that visitors may send, too. It raises what `check_drawn_for` raises."""


def check_drawn_for(connection: HTTPConnection, viewer: Identity | None) -> None:
    """Raise DrawnForAnotherError for a form that was drawn for another account than the viewer's.

    Somebody has logged in or out since, in another tab. A form that was drawn for a visitor is anybody's.
    """
    drawn_for = getattr(connection.state, "drawn_for", None)
    if drawn_for is not None and (viewer is None or viewer.id != drawn_for):
        raise DrawnForAnotherError


SignedIn = Annotated[Identity, Depends(signed_in)]


async def _page_owner(viewer: Viewer) -> Identity:
    """Return the viewer. Raise LogInFirstError if there is none."""
    if viewer is None:
        raise LogInFirstError
    return viewer


PageOwner = Annotated[Identity, Depends(_page_owner)]
"""The viewer of a page about their own account. A visitor is sent to the log-in page."""


async def _owner(viewer: SignedIn) -> Identity:
    """Return the viewer. Raise NeedsAccountError for a guest, NotConfirmedError without a confirmation."""
    service.check_owner(viewer)
    return viewer


Owner = Annotated[Identity, Depends(_owner)]
"""A viewer who may change what protects the account: the password or a passkey was given minutes ago."""


async def _client(connection: HTTPConnection) -> Client:
    """Return the sender of a request; a browser without a device cookie gets a new token for one."""
    settings = parts_of(connection).get(Settings)
    return Client(
        network=network_of(connection),
        browser=browser_name(connection.headers.get("user-agent", "")),
        device=connection.cookies.get(f"{settings.session_cookie}-device") or new_token(),
    )


ClientDep = Annotated[Client, Depends(_client)]


async def _person(viewer: Viewer, client: ClientDep) -> devices.Person:
    return devices.Person(viewer.id if viewer else None, client.device)


PersonDep = Annotated[devices.Person, Depends(_person)]
"""The viewer, and the browser in which other accounts may have logged in."""


async def _guest_aside(
    connection: HTTPConnection, viewer: Viewer, settings: Part[Settings], database: Part[Database]
) -> Identity | None:
    token = connection.cookies.get(settings.session_cookie + _ASIDE)
    if token is None or viewer is None or viewer.is_guest:
        return None
    guest = await service.identify_session(database, token)
    return guest if guest is not None and guest.is_guest else None


GuestAside = Annotated[Identity | None, Depends(_guest_aside)]
"""The guest whose session the browser keeps aside while somebody is logged in, or None."""


class SignIn:
    """Opens sessions of guests, and sets the cookies of sessions."""

    def __init__(
        self,
        connection: HTTPConnection,
        client: Client,
        settings: Settings,
        database: Database,
        throttle: Throttle,
    ) -> None:
        self._connection = connection
        self._current = connection.cookies.get(settings.session_cookie)
        self._aside = connection.cookies.get(settings.session_cookie + _ASIDE)
        self._client = client
        self._settings = settings
        self._database = database
        self._throttle = throttle
        self._cookies: list[tuple[str, str, timedelta]] = []

    async def viewer_or_guest(self, viewer: Identity | None) -> Identity:
        """Return the viewer, the guest who was kept aside, or a new one.

        `finish` sets the guest's cookie. Raise TooManyGuestsError, DrawnForAnotherError.
        """
        check_drawn_for(self._connection, viewer)
        if viewer is not None:
            return viewer
        if self._aside and (known := await service.identify_session(self._database, self._aside)):
            self._keep("", self._aside, service.SESSION_LIFETIME)
            return known
        try:
            await self._throttle.hit(Limit.GUEST, self._client.network)
        except ThrottledError as error:
            raise TooManyGuestsError(error.seconds) from None
        async with self._database.transaction() as session:
            guest = await service.create_guest(session)
            token = await service.open_session(session, guest, self._client.browser)
        identity = await service.identify_session(self._database, token)
        assert identity is not None
        self._keep("", token, service.SESSION_LIFETIME)
        return identity

    async def limited(self, viewer: Identity | None, limit: Limit) -> Identity:
        """Return the viewer, or a new guest, and count what it does.

        Raise TooManyGuestsError, DrawnForAnotherError, ThrottledError.
        """
        identity = await self.viewer_or_guest(viewer)
        await self._throttle.hit(limit, f"account:{identity.id}")
        return identity

    def logged_in(self, token: str) -> None:
        """Keep the token of a session that was opened with a password; `finish` sets its cookies."""
        self._keep("", token, service.SESSION_LIFETIME)
        self._keep("-device", self._client.device, devices.LIFETIME)

    def keep_guest_aside(self, token: str) -> None:
        """Keep the token of a session of the guest who has logged in; `finish` sets its cookie."""
        self._keep(_ASIDE, token, service.SESSION_LIFETIME)

    def _keep(self, suffix: str, value: str, lifetime: timedelta) -> None:
        self._cookies.append((self._settings.session_cookie + suffix, value, lifetime))

    def finish(self, response: Response) -> Response:
        """Return the response, with the cookies of the newly opened session if there is one."""
        for cookie in self._cookies:
            _keep_cookie(self._settings, *cookie, response)
        return response

    def forget(self, response: Response) -> Response:
        """Return the response, which also deletes the session's cookie: that of a guest takes its place."""
        if self._aside in (None, self._current):
            return self._delete("", response)
        self._keep("", self._aside, service.SESSION_LIFETIME)
        return self.finish(self.forget_guest(response))

    def forget_guest(self, response: Response) -> Response:
        """Return the response, which also deletes the cookie of the guest who was kept aside."""
        return self._delete(_ASIDE, response)

    def _delete(self, suffix: str, response: Response) -> Response:
        name, secure = self._settings.session_cookie + suffix, self._settings.secure
        response.delete_cookie(name, httponly=True, secure=secure, samesite="lax")
        return response


async def _sign_in(connection: HTTPConnection, client: ClientDep, throttle: Part[Throttle]) -> SignIn:
    parts = parts_of(connection)
    return SignIn(connection, client, parts.get(Settings), parts.get(Database), throttle)


SignInDep = Annotated[SignIn, Depends(_sign_in)]


async def program_of(connection: HTTPConnection) -> Identity | None:
    """Return the owner of the bearer token, or None if the request has none.

    Raise UnauthenticatedError if the token is invalid.
    """
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    identity = await service.identify_token(parts_of(connection).get(Database), token.strip())
    _note_account(connection, identity)
    return identity


@refuses(401)
async def asking_program(
    request: Request,
    _described: Annotated[object, Depends(_bearer)],  # describes the header in the OpenAPI
) -> Identity | None:
    """Return the owner of the bearer token, or None. Raise what `program_of` raises."""
    return await program_of(request)


Program = Annotated[Identity | None, Depends(asking_program)]


async def known_program(program: Program) -> Identity:
    """Return the owner of the bearer token. Raise UnauthenticatedError if the request has none."""
    if program is None:
        raise UnauthenticatedError(
            Text("This needs an Authorization: Bearer TOKEN header. Get a token from POST /api/v1/tokens.")
        )
    return program


KnownProgram = Annotated[Identity, Depends(known_program)]


@refuses(403)
async def playing_program(program: KnownProgram) -> Identity:
    """Return the owner of the bearer token. Raise ForbiddenError if it lacks the scope `play`."""
    if not program.may_play:
        raise ForbiddenError("missing_scope", Text("This token lacks the scope 'play'."))
    return program


PlayingProgram = Annotated[Identity, Depends(playing_program)]


def _keep_cookie(
    settings: Settings, name: str, value: str, lifetime: timedelta, response: Response
) -> Response:
    """Return the response, which also lets the browser keep a cookie."""
    seconds = int(lifetime.total_seconds())
    response.set_cookie(name, value, seconds, httponly=True, secure=settings.secure, samesite="lax")
    return response


def _note_account(connection: HTTPConnection, identity: Identity | None) -> None:
    """Store who is asking for the log line of `app.core.web.middleware.RequestLog`."""
    if identity is not None:
        connection.state["account"] = identity.id
