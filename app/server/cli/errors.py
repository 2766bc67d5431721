"""How every command fails: with one line that says what is wrong, and exit status 1."""

import errno
import multiprocessing
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from app.server.cli.shared import fail

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
_EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN)


class Commands(TyperGroup):
    """The commands. What one of them raises because of its surroundings becomes a message."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Return the arguments. Fail if one is no text: no table and no result could keep it."""
        for argument in args:
            if not _is_text(argument):
                shown = argument.encode(errors="surrogateescape").decode(errors="backslashreplace")
                fail(f"The argument {shown} is not in UTF-8.")
        rest: list[str] = super().parse_args(ctx, args)
        return rest

    def invoke(self, ctx: Any) -> Any:
        """Run the command that the arguments name."""
        others = set(multiprocessing.active_children())
        try:
            result = super().invoke(ctx)
            print(end="", flush=True)  # output that cannot be written is an error, too
        except (typer.Exit, typer.Abort, BrokenPipeError):  # Typer ends quietly if nobody reads on
            raise
        except SystemError as error:  # compiled code that a signal has ended
            raise _first_cause(error) from None
        except Exception as error:
            problem = _explain(error)
            if problem is None:
                raise
            for process in set(multiprocessing.active_children()) - others:
                process.kill()  # nobody else ends those of the command if some did not start
            fail(problem)
        return result


def _is_text(argument: str) -> bool:
    """Return whether an argument was in UTF-8: Python keeps other bytes as surrogates."""
    return not any("\ud800" <= letter <= "\udfff" for letter in argument)


def _first_cause(error: BaseException) -> BaseException:
    return error if error.__cause__ is None else _first_cause(error.__cause__)


def _explain(error: Exception) -> str | None:
    """Return what is wrong and what to do, or None if the error is a mistake of the program."""
    from concurrent.futures import BrokenExecutor

    from app.core.database.session import DATABASE_ERRORS
    from app.core.errors import AppError, OperatorError

    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, (AppError, OperatorError)):
        return str(error)
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename} cannot be used: {error.strerror}."
    if isinstance(error, OSError) and error.errno in _FULL:
        sys.stdout = None  # or Python tries to write the rest when it ends
        return f"The output cannot be written: {error.strerror}."
    if isinstance(error, OSError) and error.errno in _EXHAUSTED:
        return f"The machine has no more of what this needs: {error.strerror}."
    if isinstance(error, BrokenExecutor):
        return "A process of this command was killed, perhaps because memory has run out."
    return _explain_database(error) if isinstance(error, DATABASE_ERRORS) else None


def _explain_database(error: Exception) -> str:
    from asyncpg import UndefinedTableError

    from app.core.database.session import cause_of, is_unavailable

    cause = cause_of(error)
    said = " ".join(str(cause).split()) or type(cause).__name__
    if is_unavailable(error):
        return f"The database does not answer: {said}"
    if isinstance(cause, UndefinedTableError):
        return "The database has no tables of Gorrion: run `gorrion migrate`."
    return f"The database cannot be used: {said}"
