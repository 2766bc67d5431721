"""What the forms of accounts send."""

from datetime import timedelta
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, Field

from app.core.i18n.languages import LANGUAGES
from app.core.i18n.text import _
from app.core.web.plain_text import one_line

EXPIRIES = (7, 30, 90, 365)
"""The days after which a token may expire."""


def _offered(days: int) -> int:
    if days not in EXPIRIES:
        raise ValueError(_("Choose one of the options."))
    return days


def _spoken(language: str) -> str:
    if language not in LANGUAGES:
        raise ValueError(_("Choose one of the options."))
    return language


Password = Annotated[str, Field(max_length=256)]
Name = Annotated[str, Field(max_length=64, examples=["my bot"]), AfterValidator(one_line)]
Code = Annotated[str, Field(max_length=64)]
PasskeyJson = Annotated[str, Field(max_length=16_384)]


EmailText = Annotated[str, Field(max_length=254), AfterValidator(str.strip)]


class CredentialsForm(BaseModel):
    """A username and a password, to log in or to register."""

    username: Annotated[str, Field(max_length=64)] = ""
    password: Password = ""


class GuestForm(BaseModel):
    """Whether what a guest has comes along into the account or stays apart, with the page to go on to."""

    choice: Literal["bring", "apart"]
    next: str = "/lobby"


class LanguageForm(BaseModel):
    """A choice of a language, with the page to return to."""

    language: Annotated[str, AfterValidator(_spoken)]
    next: str = "/"


class PasswordForm(BaseModel):
    """A change of the password; a checkbox that is not ticked is not sent."""

    new_password: Password
    revoke_tokens: bool = False


class EmailForm(BaseModel):
    """An e-mail address."""

    email: EmailText


class NewPasswordForm(BaseModel):
    """A new password, and the token of the link that allows it."""

    token: Annotated[str, Field(max_length=64)]
    new_password: Password
    revoke_tokens: bool = False


class TokenForm(BaseModel):
    """A new API token."""

    name: Name
    scope: Literal["play", "read"]
    days: Annotated[int, AfterValidator(_offered)] | None = None

    @property
    def lifetime(self) -> timedelta | None:
        """Return how long the token is valid, or None if it never expires."""
        return None if self.days is None else timedelta(days=self.days)


class ConfirmForm(BaseModel):
    """The password again, to confirm who is there."""

    password: Password


class CodeForm(BaseModel):
    """A code of an authenticator app."""

    code: Code


class PendingForm(CodeForm):
    """A code that completes a log-in."""

    pending: Annotated[str, Field(max_length=64)]


class ResetForm(BaseModel):
    """A recovery code, with the password that replaces the forgotten one."""

    username: Annotated[str, Field(max_length=64)]
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
