"""What routes ask for that wait for work to be done."""

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from app.jobs.queue import Queue


async def _queue(connection: HTTPConnection) -> Queue:
    return connection.app.state.queue  # type: ignore[no-any-return]


QueueDep = Annotated[Queue, Depends(_queue)]
