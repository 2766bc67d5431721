"""The one family of errors that a user may see; `app.web.errors` turns them into answers."""

from collections.abc import Mapping
from functools import singledispatch
from typing import Any


class AppError(Exception):
    """Something the caller can understand and mend.

    `code` is a stable snake_case word for programs, `status` the HTTP status, the message a sentence
    for people that says what to do; `extra` are further members of the problem+json answer.
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
    """There is no such thing, or none that the caller may know of."""

    def __init__(self, what: str) -> None:
        super().__init__("not_found", 404, f"There is no such {what} here. Check the address for a typo.")


class UnauthenticatedError(AppError):
    """The caller has not said who they are."""

    def __init__(self, message: str = "Log in, or play as a guest, and try again.") -> None:
        super().__init__("unauthenticated", 401, message)


class ForbiddenError(AppError):
    """The caller is known, and may not do this."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, 403, message)


class ConflictError(AppError):
    """What the caller asked for no longer fits the present state."""

    def __init__(self, code: str, message: str, *, extra: Mapping[str, Any] | None = None) -> None:
        super().__init__(code, 409, message, extra=extra)


class InvalidError(AppError):
    """The request is readable, and asks for something that cannot be."""

    def __init__(self, code: str, message: str, *, extra: Mapping[str, Any] | None = None) -> None:
        super().__init__(code, 422, message, extra=extra)


class FieldError(InvalidError):
    """One field of a form is wrong; the page shows the message beside it."""

    def __init__(self, field: str, code: str, message: str) -> None:
        super().__init__(code, message, extra={"field": field})
        self.field = field


class ThrottledError(AppError):
    """Too many requests in too short a time."""

    def __init__(self, seconds: int) -> None:
        super().__init__(
            "too_many_requests",
            429,
            f"That was a lot at once. Try again in {seconds} s.",
            extra={"retry_after": seconds},
        )
        self.seconds = seconds


@singledispatch
def members(error: AppError) -> dict[str, Any]:
    """Return the further members of an error's problem; an error that carries a value registers its own."""
    return error.extra
