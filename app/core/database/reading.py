"""Sessions that only read."""

from typing import Any

from sqlalchemy import event
from sqlalchemy.orm import ORMExecuteState, Session

_MESSAGE = "This session only reads: each of its statements is a transaction of its own. Use `transaction`."


class ReadingSession(Session):
    """A session that raises RuntimeError instead of writing or locking."""


def _refuse_to_write(state: ORMExecuteState) -> None:
    is_locking = getattr(state.statement, "_for_update_arg", None) is not None
    if state.is_insert or state.is_update or state.is_delete or is_locking:
        raise RuntimeError(_MESSAGE)


def _refuse_to_flush(session: Session, *_arguments: Any) -> None:
    if session.new or session.dirty or session.deleted:
        raise RuntimeError(_MESSAGE)


event.listen(ReadingSession, "do_orm_execute", _refuse_to_write)
event.listen(ReadingSession, "before_flush", _refuse_to_flush)
