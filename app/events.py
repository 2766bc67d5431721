"""Every event that is published, and the topics that carry it.

Events describe what is already committed. A listener may miss some (a lost connection, a full queue): it
then receives `Resync` or is closed, and reads what it shows from PostgreSQL again.
"""

from dataclasses import dataclass
from typing import Literal, NewType
from uuid import UUID

Topic = NewType("Topic", str)
"""What listeners subscribe to."""

LOBBY = Topic("lobby")
"""Open challenges appear and disappear."""
GAMES = Topic("games")
"""Games begin and end."""
RANKING = Topic("nugget:ranking")
"""Golden Nugget entries are accepted, published or withdrawn."""
JOBS = Topic("jobs")
"""Background jobs are waiting."""


def game_topic(game_id: str) -> Topic:
    """Return the topic of one game."""
    return Topic(f"game:{game_id}")


def account_topic(account_id: int) -> Topic:
    """Return the topic of what concerns one account."""
    return Topic(f"account:{account_id}")


def proof_topic(proof: bytes) -> Topic:
    """Return the topic of one session or token, named by its hash."""
    return Topic(f"proof:{proof.hex()}")


def presence_topic(place: str) -> Topic:
    """Return the topic of who is present at a place, such as a game."""
    return Topic(f"presence:{place}")


def challenge_topic(challenge_id: str) -> Topic:
    """Return the topic of one challenge."""
    return Topic(f"challenge:{challenge_id}")


def race_topic(race_id: str) -> Topic:
    """Return the topic of one race."""
    return Topic(f"race:{race_id}")


def job_topic(key: str) -> Topic:
    """Return the topic of one job's completion."""
    return Topic(f"job:{key}")


@dataclass(frozen=True, slots=True)
class Played:
    """A player's move, followed by the plies that the server played because they were forced.

    `at` is the moment (milliseconds since the epoch) that counts for the clock, `spent` how long the side
    thought in milliseconds, or None without a clock.
    """

    moves: tuple[str, ...]
    move_id: UUID
    at: int
    spent: int | None
    kind: Literal["played"] = "played"


@dataclass(frozen=True, slots=True)
class TakebackRequested:
    """The player in a seat asked to take a move back; seat None: the request was withdrawn or declined."""

    seat: int | None
    kind: Literal["takeback_requested"] = "takeback_requested"


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The game went back to the position after `ply` plies, at a moment in milliseconds since the epoch."""

    ply: int
    at: int
    kind: Literal["taken_back"] = "taken_back"


@dataclass(frozen=True, slots=True)
class Submitted:
    """The player of a solitaire game submitted it; its moves are final."""

    kind: Literal["submitted"] = "submitted"


@dataclass(frozen=True, slots=True)
class Ended:
    """The game ended by something other than its position: a resignation, a flag, a claim, an abort.

    `winner` is a seat, None when nobody won; `at` is in milliseconds since the epoch.
    """

    winner: int | None
    termination: str
    at: int
    kind: Literal["ended"] = "ended"


Step = Played | TakebackRequested | TakenBack | Submitted | Ended
"""What leads from one version of a game to the next."""


@dataclass(frozen=True, slots=True)
class GameChanged:
    """A game reached a version by `step`; None when only the new version is known.

    `to_move` is the account whose turn it is, None when the game is over.
    """

    game_id: str
    version: int
    players: tuple[int, ...]
    to_move: int | None
    is_over: bool
    step: Step | None
    rating_changes: tuple[float, ...] | None = None
    kind: Literal["game_changed"] = "game_changed"

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the game's topic and those of its players; the end also concerns the list of games."""
        topics = (game_topic(self.game_id), *map(account_topic, self.players))
        return (*topics, GAMES) if self.is_over else topics


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game began."""

    game_id: str
    players: tuple[int, ...]
    kind: Literal["game_started"] = "game_started"

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the players' topics and the list of games."""
        return (*map(account_topic, self.players), GAMES)


@dataclass(frozen=True, slots=True)
class ChallengeChanged:
    """A challenge was made, accepted (then `game_id` is its game), declined, cancelled, or expired."""

    challenge_id: str
    status: str
    accounts: tuple[int, ...]
    game_id: str | None = None
    kind: Literal["challenge_changed"] = "challenge_changed"

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the lobby, the challenge, and the accounts concerned."""
        return (LOBBY, challenge_topic(self.challenge_id), *map(account_topic, self.accounts))


@dataclass(frozen=True, slots=True)
class ProofRevoked:
    """A session or token ended; `proof` is its hash in hexadecimal digits."""

    proof: str
    kind: Literal["proof_revoked"] = "proof_revoked"

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the session or token."""
        return (proof_topic(bytes.fromhex(self.proof)),)


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """Someone came to a place or left it."""

    place: str
    kind: Literal["presence_changed"] = "presence_changed"

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the place."""
        return (presence_topic(self.place),)


@dataclass(frozen=True, slots=True)
class RaceChanged:
    """A player joined a race."""

    race_id: str
    kind: Literal["race_changed"] = "race_changed"

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the race."""
        return (race_topic(self.race_id),)


@dataclass(frozen=True, slots=True)
class RankingChanged:
    """The Golden Nugget rankings changed."""

    kind: Literal["ranking_changed"] = "ranking_changed"

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the rankings."""
        return (RANKING,)


@dataclass(frozen=True, slots=True)
class JobAdded:
    """A background job is waiting."""

    kind: Literal["job_added"] = "job_added"

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic that workers listen to."""
        return (JOBS,)


@dataclass(frozen=True, slots=True)
class JobDone:
    """A background job is done; its result is stored under its key."""

    key: str
    kind: Literal["job_done"] = "job_done"

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the job."""
        return (job_topic(self.key),)


@dataclass(frozen=True, slots=True)
class Resync:
    """Events may have been lost, so read PostgreSQL. Every listener in this process receives it."""


Event = (
    GameChanged
    | GameStarted
    | ChallengeChanged
    | ProofRevoked
    | PresenceChanged
    | RaceChanged
    | RankingChanged
    | JobAdded
    | JobDone
)
