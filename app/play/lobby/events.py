"""What is published about challenges."""

from app.core.events import Event, Topic, account_topic

LOBBY = Topic("lobby")
"""Open challenges appear and disappear."""


def challenge_topic(challenge_id: str) -> Topic:
    """Return the topic of one challenge."""
    return Topic(f"challenge:{challenge_id}")


class ChallengeChanged(Event, frozen=True):
    """A challenge was made, accepted (then `game_id` is its game), declined, cancelled, or expired."""

    challenge_id: str
    status: str
    accounts: tuple[int, ...]
    game_id: str | None = None

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the lobby, the challenge, and the accounts concerned."""
        return (LOBBY, challenge_topic(self.challenge_id), *map(account_topic, self.accounts))
