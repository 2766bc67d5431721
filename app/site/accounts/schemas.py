"""Accounts and tokens in the JSON API."""

from datetime import timedelta
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from app.core.web.bodies import RequestBody
from app.core.web.shown import Username, example
from app.people.identity.service import TOKEN_LIFETIME
from app.play.ratings.schemas import RatingsByGame
from app.site.accounts.forms import Name


class Credentials(RequestBody):
    """A username and a password."""

    username: Annotated[str, Field(max_length=64, examples=["wren"])]
    password: Annotated[str, Field(max_length=256, examples=["a long pass phrase"])]


class TokenRequest(Credentials):
    """A username and a password, and the name, scopes and lifetime of the new token.

    An account with a second factor also needs `code`: its code, or a recovery code.
    """

    code: Annotated[str, Field(max_length=64, examples=["123456"])] | None = None
    name: Name = "token"
    scopes: list[Literal["play", "read"]] = Field(["play"], max_length=8)
    expires_in_days: Annotated[int, Field(ge=1, le=3650)] | None = TOKEN_LIFETIME.days

    @property
    def lifetime(self) -> timedelta | None:
        """Return how long the token is valid, or None (if the member is null) if it never expires."""
        return None if self.expires_in_days is None else timedelta(days=self.expires_in_days)


class PasswordChange(RequestBody):
    """A new password, and whether the account's other API tokens are revoked, as its sessions are."""

    current_password: Annotated[str, Field(max_length=256, examples=["a long pass phrase"])]
    new_password: Annotated[str, Field(max_length=256, examples=["a longer pass phrase"])]
    revoke_tokens: bool = True


class Closing(RequestBody):
    """The closing of the account. `erase` also removes its name and texts, after 14 days without a log-in.

    With `keep_results` its results stay in rankings, without the name.
    """

    password: Annotated[str, Field(max_length=256, examples=["a long pass phrase"])]
    erase: bool = False
    keep_results: bool = False


class EmailChange(RequestBody):
    """A new e-mail address, confirmed by the password."""

    email: Annotated[str, Field(max_length=254, examples=["wren@example.org"])]
    password: Annotated[str, Field(max_length=256, examples=["a long pass phrase"])]


class Confirmed(RequestBody):
    """What only the owner may do, confirmed by the password."""

    password: Annotated[str, Field(max_length=256, examples=["a long pass phrase"])]


class EmailShown(BaseModel):
    """The confirmed e-mail address of the account, and the one that its link has not confirmed yet."""

    email: Annotated[str, example("wren@example.org")] | None
    unconfirmed: Annotated[str, example("finch@example.org")] | None


class NewAccount(BaseModel):
    """A new account and its first token, which is not shown again."""

    username: Username
    token: Annotated[str, example("Jz0f…")]


class NewToken(BaseModel):
    """A new token; it is not shown again."""

    token: Annotated[str, example("Jz0f…")]


class Me(BaseModel):
    """The account of the token, with its ratings by game."""

    username: Username
    is_guest: bool
    ratings: RatingsByGame
