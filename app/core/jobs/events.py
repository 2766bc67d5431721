"""What is published about background jobs."""

from typing import ClassVar

from app.core.events import Event, Topic

JOBS = Topic("jobs")
"""Background jobs are waiting."""


def job_topic(key: str) -> Topic:
    """Return the topic of one job's completion."""
    return Topic(f"job:{key}")


class JobAdded(Event, frozen=True):
    """A background job is waiting."""

    topics: ClassVar = (JOBS,)


class JobDone(Event, frozen=True):
    """A background job is done; its result is stored under its key."""

    key: str

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the job."""
        return (job_topic(self.key),)
