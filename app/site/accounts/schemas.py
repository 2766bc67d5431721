"""Accounts and tokens in the JSON API, and what the forms of accounts send."""

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import AfterValidator, BaseModel, Field, create_model

from app.core.i18n.languages import LANGUAGES
from app.core.web.bodies import RequestBody, among
from app.core.web.params import OwnPath, TypedName
from app.core.web.plain_text import Cleaned, one_line, words
from app.core.web.shown import ShownAs, Username, example
from app.people.identity.service import TOKEN_LIFETIME
from app.play.ratings.schemas import RatingsByGame
from app.site.accounts.keys import TokenShown
from app.site.accounts.preferences import PREFERENCES

EXPIRIES = (7, 30, 90, 365)
"""The days after which a token may expire."""

Password = Annotated[str, Field(max_length=256, examples=["a long pass phrase"])]
Name = Annotated[str, Field(max_length=64, examples=["my bot"]), Cleaned(one_line)]
Code = Annotated[str, Field(max_length=64)]
PasskeyJson = Annotated[str, Field(max_length=16_384)]
LinkToken = Annotated[str, Field(max_length=64)]


class CredentialsForm(BaseModel):
    """A username and a password, to log in or to register."""

    username: TypedName = ""
    password: Password = ""


class RegisterForm(CredentialsForm):
    """A username and a password to register with, and the invitation of the link that led here."""

    invitation: Annotated[str, Field(max_length=64), Cleaned(words)] | None = None


class GuestForm(BaseModel):
    """Whether what a guest has comes along into the account or stays apart, with the page to go on to."""

    choice: Literal["bring", "apart"]
    next: OwnPath = "/lobby"


class LanguageForm(BaseModel):
    """A choice of a language, with the page to return to."""

    language: Annotated[str, among(LANGUAGES)]
    next: OwnPath = "/"


class PasswordForm(BaseModel):
    """A change of the password; a checkbox that is not ticked is not sent."""

    new_password: Password
    revoke_tokens: bool = False


class EmailForm(BaseModel):
    """An e-mail address."""

    email: Annotated[str, Field(max_length=254), AfterValidator(str.strip)]


class NewPasswordForm(PasswordForm):
    """A new password, and the token of the link that allows it."""

    token: LinkToken


class TokenForm(BaseModel):
    """A new API token."""

    name: Name
    scope: Literal["play", "read"]
    days: Annotated[int, among(EXPIRIES)] | None = None

    @property
    def lifetime(self) -> timedelta | None:
        """Return how long the token is valid, or None if it never expires."""
        return None if self.days is None else timedelta(days=self.days)


class CodeForm(BaseModel):
    """A code of an authenticator app."""

    code: Code


class PendingForm(CodeForm):
    """A code that completes a log-in."""

    pending: LinkToken


class ResetForm(BaseModel):
    """A recovery code, with the password that replaces the forgotten one."""

    username: TypedName
    code: Code
    new_password: Password


class PasskeyForm(BaseModel):
    """What a passkey answered, as JSON."""

    credential: PasskeyJson


class NewPasskeyForm(BaseModel):
    """A new passkey, as JSON, and its name."""

    passkey_name: Name
    credential: PasskeyJson


class CloseForm(BaseModel):
    """The closing of an account. A checkbox that is not ticked is not sent."""

    erase: bool = False
    keep_results: bool = False


class Credentials(RequestBody):
    """A username and a password."""

    username: Annotated[TypedName, Field(examples=["wren"])]
    password: Password


class NewCredentials(Credentials):
    """A username and a password to register with, and the code of an `invitation` where one is needed."""

    invitation: Annotated[str, Field(max_length=64, examples=["k3m9x7abcd"]), Cleaned(words)] | None = None


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

    current_password: Password
    new_password: Annotated[str, Field(max_length=256, examples=["a longer pass phrase"])]
    revoke_tokens: bool = True


class EmailChange(RequestBody):
    """A new e-mail address, confirmed by the password."""

    email: Annotated[str, Field(max_length=254, examples=["wren@example.org"])]
    password: Password


class Confirmed(RequestBody):
    """What only the owner may do, confirmed by the password."""

    password: Password


class Closing(Confirmed):
    """The closing of the account. `erase` also removes its name and texts, after 14 days without a log-in.

    With `keep_results` its results stay in rankings, without the name.
    """

    erase: bool = False
    keep_results: bool = False


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


class TokenList(BaseModel):
    """The valid tokens of the account, the newest first."""

    tokens: list[TokenShown]


class _Preferences(RequestBody):
    """How pages look, sound and behave, and who may write to the account or see that it is online."""

    @property
    def given(self) -> dict[str, str]:
        """Return the preferences that were given."""
        return self.model_dump(exclude_unset=True)


if TYPE_CHECKING:
    Preferences = _Preferences
else:
    Preferences = create_model(
        "Preferences",
        __base__=_Preferences,
        __doc__=_Preferences.__doc__,
        **{each.name: (Literal[tuple(each.choices)], each.default) for each in PREFERENCES},
    )

PreferencesShown = Annotated[dict[str, str], ShownAs(Preferences)]


class Me(BaseModel):
    """The account of the token, with its ratings by game."""

    username: Username
    is_guest: bool
    ratings: RatingsByGame
