"""What is published about Golden Nugget."""

from app.core.events import Event, Topic

RANKING = Topic("nugget:ranking")
"""Golden Nugget entries are accepted, published or withdrawn."""


class RankingChanged(Event, frozen=True):
    """The Golden Nugget rankings changed."""

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the rankings."""
        return (RANKING,)
