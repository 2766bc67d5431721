"""The errors that users may see, which `core.web.errors` turns into responses, and those for operators."""

from collections.abc import Mapping
from functools import singledispatch
from typing import Any, TypeVar

from typing_extensions import TypedDict

from app.core.i18n.text import Text, _, ngettext

T = TypeVar("T")

_LOG_IN = _("You are not logged in, or your session has ended. Log in to go on.")
_MISSING = {
    "account": _("There is no such account here. Check the address for a typo."),
    "analysis board": _("There is no such analysis board here. Check the address for a typo."),
    "board": _("There is no such board here. Check the address for a typo."),
    "challenge": _("There is no such challenge here. Check the address for a typo."),
    "search": _("You have not looked for a game in the last day."),
    "competition": _("There is no such competition here. Check the address for a typo."),
    "device": _("There is no such device here. Choose one from the list of your devices."),
    "dump": _("There is no such file here. Only those of the last two nights are kept."),
    "entry": _("There is no such entry here. Check the address for a typo."),
    "export": _("There is no such export here. It may have been deleted; you can ask for a new one."),
    "game": _("There is no such game here. Check the address for a typo."),
    "leaderboard": _("There is no such leaderboard here. Check the address for a typo."),
    "lesson": _("There is no such lesson. Choose one from the list of its course."),
    "page": _("There is no such page here. Check the address for a typo."),
    "page of a list": _("This page of the list does not exist. Begin with the first page."),
    "passkey": _("There is no such passkey here. Check the address for a typo."),
    "player": _("There is no such player here. Check the address for a typo."),
    "puzzle": _("There is no such puzzle here. Check the address for a typo."),
    "node": _("No published record has this position. The ones that had it may have been withdrawn."),
    "race": _("There is no such race here. Check the address for a typo."),
    "record": _("There is no such record here. Check the address for a typo."),
    "day": _("There is no board of this day. Choose one from the calendar."),
    "try": _("You have not begun the board of the day. Begin it first."),
    "run": _("There is no such run here. Check the address for a typo."),
    "team": _("There is no such team here. It may have been closed."),
    "study": _("There is no such study here. It may be private, or deleted."),
    "ladder": _("This game has no ladder. Choose a game for two players."),
    "tournament": _("There is no such tournament here. Check the address for a typo."),
    "season": _("There is no such season. Choose one from the list of seasons."),
    "commitment": _("There is no such commitment here. Check the address for a typo."),
    "witnessed server": _("This server is not a witness of that one. Choose one from the list."),
    "session or token": _("There is no such session or token here. Check the address for a typo."),
}
"""What is said of each thing that does not exist."""


class Fault(TypedDict, total=False):
    """One of several faults: `where` in a request, or of a move of a `board` of a record, with its `code`."""

    where: str
    board: int | None
    move: int | None
    code: str
    message: str


class Members(TypedDict, total=False):
    """What problems have besides the members of all of them; each has one meaning, whatever the error.

    `retry_after` and `seconds` say how long to wait, and `until` how long it lasts. `reason` is the stable
    word for why a move, record, tree or challenge is refused; `line`, `index` and `ply` are where. `loss` is
    what a move loses, with the opponent's `reply` and the `best` move. `boards`, `moves`, `mean`, `valid` and
    `more_errors` are of a record, as `POST /nugget/check` returns them. `appeal` is the path of a page to
    answer on. `sha256` is the hash of a file that was sent.
    """

    appeal: str
    best: str
    boards: int
    commitment_id: str
    days_left: int
    entry_id: str
    errors: list[Fault]
    field: str
    game_id: str
    index: int
    line: int
    loss: float
    mean: dict[str, Any] | None
    more_errors: bool
    moves: int
    ply: int | None
    reason: str
    reply: str | None
    request_id: str
    retry_after: int
    seconds: int
    sha256: str
    until: str
    username: str
    valid: bool


class AppError(Exception):
    """An error that the caller can understand and act on.

    `code` is a stable snake_case word for programs, `status` the HTTP status, `message` a sentence for people
    that says what to do. `extra` has further members of the problem+json response. Those of the statuses 429
    and 503 say when to try again, so they are RetryLaterErrors.
    """

    def __init__(self, code: str, status: int, message: Text, *, extra: Members | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.message = message
        self.extra: Members = {**extra} if extra else {}
        if status in (429, 503) and "retry_after" not in self.extra:
            raise ValueError(f"{code} does not say when to try again: raise a RetryLaterError.")


class OperatorError(Exception):
    """An error in what the server needs, such as its database; the message tells the operator what to do."""


class NotFoundError(AppError):
    """The thing does not exist, or the caller may not know that it does."""

    def __init__(self, what: str) -> None:
        super().__init__("not_found", 404, _MISSING[what])


def found(value: T | None, what: str) -> T:
    """Return a value that was looked for. Raise NotFoundError if it is None."""
    if value is None:
        raise NotFoundError(what)
    return value


class RenamedError(NotFoundError):
    """The player whose page it is has another name now: `present`, and no longer `former`."""

    def __init__(self, former: str, present: str) -> None:
        super().__init__("player")
        self.former, self.present = former, present


class BeyondLastPageError(NotFoundError):
    """The list, whose pages have their numbers in a parameter of its address, has fewer pages."""

    def __init__(self, parameter: str) -> None:
        super().__init__("page of a list")
        self.parameter = parameter


class UnauthenticatedError(AppError):
    """The caller is not logged in."""

    def __init__(self, message: Text = _LOG_IN) -> None:
        super().__init__("unauthenticated", 401, message)


class LogInFirstError(UnauthenticatedError):
    """The page is about the reader's account: browsers go on to the log-in page, and then come back."""


class ForbiddenError(AppError):
    """The caller is known but not allowed to do this."""

    def __init__(self, code: str, message: Text, *, extra: Members | None = None) -> None:
        super().__init__(code, 403, message, extra=extra)


class NeedsAccountError(ForbiddenError):
    """The caller is a guest or a visitor, and must register to do this."""


class NotConfirmedError(ForbiddenError):
    """The caller must repeat the password, or use a passkey, to do this."""

    def __init__(self) -> None:
        super().__init__("not_confirmed", _("Confirm first that it is you."))


class ConflictError(AppError):
    """The request conflicts with the current state."""

    def __init__(self, code: str, message: Text, *, extra: Members | None = None) -> None:
        super().__init__(code, 409, message, extra=extra)


class StaleError(ConflictError):
    """What a command relies on has changed since its sender saw it; its page shows how."""

    def __init__(self, message: Text | None = None, code: str = "stale_version") -> None:
        super().__init__(code, message or _("This has changed since. Load the page again to see it."))


class DrawnForAnotherError(StaleError):
    """A form was drawn for another account than that of its sender."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "This page was opened with another account, or before you logged out. Nothing was changed. "
                "Open it again to go on."
            ),
            "other_account",
        )


class UnsureError(ConflictError):
    """The move loses much, and is played only if it is sent again."""

    def __init__(self, message: Text, *, extra: Members | None = None) -> None:
        super().__init__("are_you_sure", message, extra=extra)


class InvalidError(AppError):
    """The request is well-formed but asks for something impossible."""

    def __init__(self, code: str, message: Text, *, extra: Members | None = None) -> None:
        super().__init__(code, 422, message, extra=extra)


class FieldError(InvalidError):
    """One field of a form is invalid; the page shows the message next to it."""

    def __init__(self, field: str, code: str, message: Text) -> None:
        super().__init__(code, message, extra={"field": field})
        self.field = field


class RetryLaterError(AppError):
    """The same request may succeed after `seconds`."""

    def __init__(self, code: str, status: int, message: Text, *, seconds: int) -> None:
        super().__init__(code, status, message, extra={"retry_after": seconds})
        self.seconds = seconds


class ThrottledError(RetryLaterError):
    """The caller exceeded a rate limit."""

    def __init__(self, seconds: int) -> None:
        message = ngettext(
            "Too many requests. Try again in %(count)s second.",
            "Too many requests. Try again in %(count)s seconds.",
            seconds,
        )
        super().__init__("too_many_requests", 429, message, seconds=seconds)


class TooManyGuestsError(RetryLaterError):
    """Many guests have come from the caller's network, such as that of a school; accounts need not wait."""

    def __init__(self, seconds: int) -> None:
        message = ngettext(
            "Many guests have come from your network just now. Register or log in to play at once, or try "
            "again in %(count)s minute.",
            "Many guests have come from your network just now. Register or log in to play at once, or try "
            "again in %(count)s minutes.",
            -(-seconds // 60),
        )
        super().__init__("too_many_requests", 429, message, seconds=seconds)


class TooManyMailsError(RetryLaterError):
    """A mailbox, whoever it belongs to, was sent enough mails for now."""

    def __init__(self, seconds: int) -> None:
        message = ngettext(
            "We were asked for several e-mails to this address lately. Look for them, also among spam, or "
            "try again in %(count)s minute.",
            "We were asked for several e-mails to this address lately. Look for them, also among spam, or "
            "try again in %(count)s minutes.",
            -(-seconds // 60),
        )
        super().__init__("too_many_requests", 429, message, seconds=seconds)


class OverloadedError(RetryLaterError):
    """The server has more to do than it can do soon."""

    def __init__(self, message: Text) -> None:
        super().__init__("busy", 503, message, seconds=5)


class UnavailableError(RetryLaterError):
    """The server cannot do this at the moment."""

    def __init__(self) -> None:
        message = _("The server cannot do this right now. Try again in a moment.")
        super().__init__("unavailable", 503, message, seconds=2)


@singledispatch
def members(error: AppError) -> Mapping[str, object]:
    """Return the further members of an error's problem; an error that carries a value registers its own.

    The OpenAPI describes them by the types that these functions return.
    """
    return error.extra
