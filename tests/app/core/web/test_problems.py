"""The description of a route has the status of every error that the commands which it gives may raise."""

import ast
import inspect
import re
import textwrap

import pytest

from app.core.errors import AppError, RetryLaterError
from app.core.i18n.text import Text
from tests.support.reach import called_outside
from tests.support.routes import calls


def kinds_of(kind):
    """Yield the classes of errors."""
    for each in kind.__subclasses__():
        yield each
        yield from kinds_of(each)


def status_of(kind):
    """Return the number that the constructor of an error, or of one that it is a kind of, hands on."""
    for each in inspect.getmro(kind):
        if "__init__" in vars(each) and each.__module__.startswith("app."):
            tree = ast.parse(textwrap.dedent(inspect.getsource(each)))
            handed_on = [node.args for node in ast.walk(tree) if isinstance(node, ast.Call)]
            numbers = [
                argument.value for arguments in handed_on for argument in arguments if is_status(argument)
            ]
            if numbers:
                return numbers[0]
    return None


def is_status(argument):
    return isinstance(argument, ast.Constant) and argument.value in range(400, 600)


CALLS = [
    call for call in calls() if call.path.startswith("/api/v1/") and call.method not in ("HEAD", "OPTIONS")
]
STATUSES = {kind.__name__: status_of(kind) for kind in kinds_of(AppError)}


def test_the_statuses_of_errors_are_found():
    some = (
        "NotFoundError",
        "ForbiddenError",
        "ConflictError",
        "FieldError",
        "ClosedError",
        "TooManyConnectionsError",
    )
    assert [STATUSES[name] for name in some] == [404, 403, 409, 422, 403, 429]
    assert {name for name, status in STATUSES.items() if status is None} == {"RetryLaterError"}


def test_whatever_says_later_says_when():
    later = {name for name, status in STATUSES.items() if status in (429, 503)}
    kinds = {kind.__name__: kind for kind in kinds_of(AppError)}
    assert later
    assert [name for name in later if not issubclass(kinds[name], RetryLaterError)] == []
    for status in (429, 503):
        with pytest.raises(ValueError, match="when to try again"):
            AppError("later", status, Text("Later."))


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_a_route_is_described_with_the_errors_of_its_commands(call):
    route = getattr(call.route, "original_route", call.route)
    raised = {
        (STATUSES.get(name), name, command.__qualname__)
        for command in called_outside(inspect.unwrap(route.endpoint))
        for sentence in re.findall(r"\bRaise .*?(?:\.\s|\Z)", f"{inspect.getdoc(command)}\n", re.DOTALL)
        for name in re.findall(r"\b[A-Z]\w+", sentence)
    }
    # What a route without a parameter looks for is there: it has just been made, or always is.
    never = {None} if "{" in call.path else {None, 404}
    assert not [each for each in sorted(raised, key=str) if each[0] not in {*route.responses, *never}]
