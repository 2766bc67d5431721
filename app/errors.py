"""The errors that a user may see; `app.web.errors` turns them into responses."""

from collections.abc import Mapping
from functools import singledispatch
from typing import Any


class AppError(Exception):
    """An error that the caller can understand and act on.

    `code` is a stable snake_case word for programs, `status` the HTTP status, `message` a sentence for people
    that says what to do. `extra` has further members of the problem+json response.
    """

    def __init__(
        self, code: str, status: int, message: str, *, extra: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.message = message
        self.extra = dict(extra or {})


class NotFoundError(AppError):
    """The thing does not exist, or the caller may not know that it does."""

    def __init__(self, what: str) -> None:
        super().__init__("not_found", 404, f"There is no such {what} here. Check the address for a typo.")


class UnauthenticatedError(AppError):
    """The caller is not logged in."""

    def __init__(self, message: str = "You are not logged in any more. Log in to go on.") -> None:
        super().__init__("unauthenticated", 401, message)


class ForbiddenError(AppError):
    """The caller is known but not allowed to do this."""

    def __init__(self, code: str, message: str, *, extra: Mapping[str, Any] | None = None) -> None:
        super().__init__(code, 403, message, extra=extra)


class NeedsAccountError(ForbiddenError):
    """The caller is a guest or a visitor, and must register to do this."""


class ConflictError(AppError):
    """The request conflicts with the current state."""

    def __init__(self, code: str, message: str, *, extra: Mapping[str, Any] | None = None) -> None:
        super().__init__(code, 409, message, extra=extra)


class InvalidError(AppError):
    """The request is well-formed but asks for something impossible."""

    def __init__(self, code: str, message: str, *, extra: Mapping[str, Any] | None = None) -> None:
        super().__init__(code, 422, message, extra=extra)


class FieldError(InvalidError):
    """One field of a form is invalid; the page shows the message next to it."""

    def __init__(self, field: str, code: str, message: str) -> None:
        super().__init__(code, message, extra={"field": field})
        self.field = field


class RetryLaterError(AppError):
    """The same request may succeed after `seconds`."""

    def __init__(self, code: str, status: int, message: str, *, seconds: int) -> None:
        super().__init__(code, status, message, extra={"retry_after": seconds})
        self.seconds = seconds


class ThrottledError(RetryLaterError):
    """The caller exceeded a rate limit."""

    def __init__(self, seconds: int) -> None:
        unit = "second" if seconds == 1 else "seconds"
        super().__init__(
            "too_many_requests", 429, f"Too many requests. Try again in {seconds} {unit}.", seconds=seconds
        )


class OverloadedError(RetryLaterError):
    """The server has more to do than it can do soon."""

    def __init__(self, message: str) -> None:
        super().__init__("busy", 503, message, seconds=5)


class UnavailableError(RetryLaterError):
    """The server cannot do this at the moment."""

    def __init__(self) -> None:
        message = "The server cannot do this right now. Try again in a moment."
        super().__init__("unavailable", 503, message, seconds=2)


@singledispatch
def members(error: AppError) -> dict[str, Any]:
    """Return the further members of an error's problem; an error that carries a value registers its own."""
    return error.extra
