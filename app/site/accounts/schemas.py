"""Accounts and tokens in the JSON API."""

from datetime import timedelta
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.core.web.bodies import RequestBody
from app.people.identity.service import TOKEN_LIFETIME
from app.play.ratings.schemas import OwnRating
from app.site.accounts.forms import Name


class Credentials(RequestBody):
    """A username and a password."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"username": "wren", "password": "a long pass phrase"}]},
    )

    username: Annotated[str, Field(max_length=64)]
    password: Annotated[str, Field(max_length=256)]


class TokenRequest(Credentials):
    """A username and a password, and the name, scopes and lifetime of the new token.

    An account with a second factor also needs `code`: its code, or a recovery code.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"username": "wren", "password": "a long pass phrase", "name": "my bot", "scopes": ["play"]}
            ]
        }
    )

    code: Annotated[str, Field(max_length=64)] | None = None
    name: Name = "token"
    scopes: list[Literal["play", "read"]] = Field(["play"], max_length=8)
    expires_in_days: Annotated[int, Field(ge=1, le=3650)] | None = TOKEN_LIFETIME.days

    @property
    def lifetime(self) -> timedelta | None:
        """Return how long the token is valid, or None (if the member is null) if it never expires."""
        return None if self.expires_in_days is None else timedelta(days=self.expires_in_days)


class PasswordChange(RequestBody):
    """A new password, and whether the account's other API tokens are revoked, as its sessions are."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"current_password": "a long pass phrase", "new_password": "a longer pass phrase"}]
        },
    )

    current_password: Annotated[str, Field(max_length=256)]
    new_password: Annotated[str, Field(max_length=256)]
    revoke_tokens: bool = True


class Closing(RequestBody):
    """The closing of the account. `erase` also removes its name and texts, after 14 days without a log-in.

    With `keep_results` its results stay in rankings, without the name.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"password": "a long pass phrase", "erase": False, "keep_results": False}]
        }
    )

    password: Annotated[str, Field(max_length=256)]
    erase: bool = False
    keep_results: bool = False


class EmailChange(RequestBody):
    """A new e-mail address, confirmed by the password."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"email": "wren@example.org", "password": "a long pass phrase"}]}
    )

    email: Annotated[str, Field(max_length=254)]
    password: Annotated[str, Field(max_length=256)]


class Confirmed(RequestBody):
    """What only the owner may do, confirmed by the password."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"password": "a long pass phrase"}]})

    password: Annotated[str, Field(max_length=256)]


class EmailShown(BaseModel):
    """The confirmed e-mail address of the account, and the one that its link has not confirmed yet."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"email": "wren@example.org", "unconfirmed": None}]}
    )

    email: str | None
    unconfirmed: str | None


class NewAccount(BaseModel):
    """A new account and its first token, which is not shown again."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"username": "wren", "token": "Jz0f…"}]})

    username: str
    token: str


class NewToken(BaseModel):
    """A new token; it is not shown again."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"token": "Jz0f…"}]})

    token: str


class Me(BaseModel):
    """The account of the token, with its ratings by game."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"username": "wren", "is_guest": False, "ratings": {}}]}
    )

    username: str
    is_guest: bool
    ratings: dict[str, OwnRating]
