"""What is published about tournaments."""

from app.core.events import AccountsEvent, Event, Topic, account_topic

TOURNAMENTS = Topic("tournaments")
"""Tournaments are announced, start, and end."""


def tournament_topic(tournament_id: str) -> Topic:
    """Return the topic of one tournament."""
    return Topic(f"tournament:{tournament_id}")


class TournamentChanged(Event, frozen=True):
    """Something about a tournament changed; `in_list`: what lists of tournaments show of it, too."""

    tournament_id: str
    in_list: bool = False

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the tournament, and that of the lists."""
        topic = tournament_topic(self.tournament_id)
        return (topic, TOURNAMENTS) if self.in_list else (topic,)


class TournamentStarted(AccountsEvent, frozen=True):
    """A tournament of some accounts began."""

    tournament_id: str


class TournamentPaired(Event, frozen=True):
    """Two players of a tournament have a game to play."""

    tournament_id: str
    round: int
    game_id: str
    players: tuple[int, ...]

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topics of the players."""
        return tuple(map(account_topic, self.players))


class TournamentFinished(AccountsEvent, frozen=True):
    """A tournament of some accounts is over, or was cancelled."""

    tournament_id: str
