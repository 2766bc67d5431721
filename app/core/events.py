"""Every event that is published, and the topics that carry it.

Events describe what is already committed. A listener may miss some (a lost connection, a full queue): it
then receives `Resync` or is closed, and reads what it shows from PostgreSQL again.
"""

from typing import NewType
from uuid import UUID

from msgspec import Struct

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
TOURNAMENTS = Topic("tournaments")
"""Tournaments are announced, start, and end."""
ACCOUNTS = Topic("accounts")
"""Names or results of players changed afterwards."""


def game_topic(game_id: str) -> Topic:
    """Return the topic of one game."""
    return Topic(f"game:{game_id}")


def is_game_topic(topic: Topic) -> bool:
    """Return whether a topic is that of one game."""
    return topic.startswith("game:")


def account_topic(account_id: int) -> Topic:
    """Return the topic of what concerns one account."""
    return Topic(f"account:{account_id}")


def player_topic(account_id: int) -> Topic:
    """Return the topic of what everybody may know of a player: coming, leaving and playing."""
    return Topic(f"player:{account_id}")


def proof_topic(proof: bytes) -> Topic:
    """Return the topic of one session or token, named by its hash."""
    return Topic(f"proof:{proof.hex()}")


def chat_topic(place: str) -> Topic:
    """Return the topic of what is said beside a game or in a tournament."""
    return Topic(f"chat:{place}")


def conditions_topic(game_id: str) -> Topic:
    """Return the topic of the conditional moves in a game."""
    return Topic(f"conditions:{game_id}")


def presence_topic(place: str) -> Topic:
    """Return the topic of who is present at a place, such as a game."""
    return Topic(f"presence:{place}")


def challenge_topic(challenge_id: str) -> Topic:
    """Return the topic of one challenge."""
    return Topic(f"challenge:{challenge_id}")


def race_topic(race_id: str) -> Topic:
    """Return the topic of one race."""
    return Topic(f"race:{race_id}")


def study_topic(study_id: str) -> Topic:
    """Return the topic of one study."""
    return Topic(f"study:{study_id}")


def tournament_topic(tournament_id: str) -> Topic:
    """Return the topic of one tournament."""
    return Topic(f"tournament:{tournament_id}")


def ladder_topic(game: str) -> Topic:
    """Return the topic of the ladder of one game."""
    return Topic(f"ladder:{game}")


def job_topic(key: str) -> Topic:
    """Return the topic of one job's completion."""
    return Topic(f"job:{key}")


class _Fact(Struct, frozen=True, array_like=True, tag=True):
    """A value that the bus carries as a JSON array: the name of its class, then its fields."""


class Played(_Fact, frozen=True):
    """A player's move, followed by the plies that the server played because they were forced.

    `at` is the moment (milliseconds since the epoch) that counts for the clock, `spent` how long the side
    thought in milliseconds, or None without a clock.
    """

    moves: tuple[str, ...]
    move_id: UUID
    at: int
    spent: int | None


class TakebackRequested(_Fact, frozen=True):
    """The player in a seat asked to take a move back; seat None: the request was withdrawn, or `declined`."""

    seat: int | None
    declined: bool = False


class TakenBack(_Fact, frozen=True):
    """The game went back to the position after `ply` plies, at a moment in milliseconds since the epoch."""

    ply: int
    at: int


class Submitted(_Fact, frozen=True):
    """The player of a solitaire game submitted it; its moves are final."""


class Ended(_Fact, frozen=True):
    """The game ended by something other than its position: a resignation, a flag, a claim, an abort.

    `winner` is a seat, None when nobody won; `at` is in milliseconds since the epoch. `aborted_by` is
    the seat of the player who is to blame for an abort, None if nobody is.
    """

    winner: int | None
    termination: str
    at: int
    aborted_by: int | None = None


class VacationSet(_Fact, frozen=True):
    """The player in a seat is on vacation from a moment until another, in milliseconds since the epoch."""

    seat: int
    since: int
    until: int


class PauseRequested(_Fact, frozen=True):
    """The player in a seat asked for a pause; seat None: the request was withdrawn, or `declined`."""

    seat: int | None
    declined: bool = False


class Paused(_Fact, frozen=True):
    """The clock stands still from a moment until another, in milliseconds since the epoch."""

    since: int
    until: int


Step = Played | TakebackRequested | TakenBack | Submitted | Ended | VacationSet | PauseRequested | Paused
"""What leads from one version of a game to the next."""


class GameChanged(_Fact, frozen=True):
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

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the game's topic and those of its players; the end also concerns those who watch them."""
        topics = (game_topic(self.game_id), *map(account_topic, self.players))
        return (*topics, *map(player_topic, self.players), GAMES) if self.is_over else topics


class GameStarted(_Fact, frozen=True):
    """A game began."""

    game_id: str
    players: tuple[int, ...]

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the players' topics and the list of games."""
        return (*map(account_topic, self.players), *map(player_topic, self.players), GAMES)


class ChallengeChanged(_Fact, frozen=True):
    """A challenge was made, accepted (then `game_id` is its game), declined, cancelled, or expired."""

    challenge_id: str
    status: str
    accounts: tuple[int, ...]
    game_id: str | None = None

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the lobby, the challenge, and the accounts concerned."""
        return (LOBBY, challenge_topic(self.challenge_id), *map(account_topic, self.accounts))


class InboxChanged(_Fact, frozen=True):
    """Accounts have new notifications, or have read some."""

    accounts: tuple[int, ...]

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topics of the accounts."""
        return tuple(map(account_topic, self.accounts))


class ExportReady(_Fact, frozen=True):
    """The file with the data of an account can be fetched."""

    account_id: int
    export_id: str

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the account."""
        return (account_topic(self.account_id),)


class PlayersChanged(_Fact, frozen=True):
    """The names of accounts changed, or what games that are over did to their ratings."""

    accounts: tuple[int, ...]

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of changes of accounts."""
        return (ACCOUNTS,)


class ProofRevoked(_Fact, frozen=True):
    """A session or token ended; `proof` is its hash in hexadecimal digits."""

    proof: str

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the session or token."""
        return (proof_topic(bytes.fromhex(self.proof)),)


class PresenceChanged(_Fact, frozen=True):
    """Someone came to a place or left it."""

    place: str

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the place."""
        return (presence_topic(self.place),)


class OnlineChanged(_Fact, frozen=True):
    """A player came online or went offline."""

    account_id: int

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the player."""
        return (player_topic(self.account_id),)


class RelationsChanged(_Fact, frozen=True):
    """The relations between two players changed: following, muting or blocking."""

    accounts: tuple[int, int]

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topics of both accounts."""
        return tuple(map(account_topic, self.accounts))


class ChatSaid(_Fact, frozen=True):
    """Somebody said something in a room: a text, or the greeting with a key.

    `place` is the id of a game, or of a tournament, whose only room is `tournament`. `at` is a moment in
    milliseconds since the epoch.
    """

    place: str
    room: str
    id: int
    account_id: int
    username: str
    text: str | None
    greeting: str | None
    at: int

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the game's chat."""
        return (chat_topic(self.place),)


class ConditionsChanged(_Fact, frozen=True):
    """A player has changed their conditional moves in a game, or some of them were played or dropped."""

    game_id: str
    account_id: int

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the conditional moves in the game."""
        return (conditions_topic(self.game_id),)


class MessageSent(_Fact, frozen=True):
    """A player sent a message to another one."""

    message_id: int
    author_id: int
    reader_id: int

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topics of both accounts."""
        return (account_topic(self.author_id), account_topic(self.reader_id))


class MessagesRead(_Fact, frozen=True):
    """An account has read messages."""

    account_id: int

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the account."""
        return (account_topic(self.account_id),)


class RaceChanged(_Fact, frozen=True):
    """A player joined a race."""

    race_id: str

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the race."""
        return (race_topic(self.race_id),)


class StudyChanged(_Fact, frozen=True):
    """A study was changed or deleted."""

    study_id: str

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the study."""
        return (study_topic(self.study_id),)


class TournamentChanged(_Fact, frozen=True):
    """Something about a tournament changed; `in_list`: what lists of tournaments show of it, too."""

    tournament_id: str
    in_list: bool = False

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the tournament, and that of the lists."""
        topic = tournament_topic(self.tournament_id)
        return (topic, TOURNAMENTS) if self.in_list else (topic,)


class TournamentStarted(_Fact, frozen=True):
    """A tournament of some accounts began."""

    tournament_id: str
    accounts: tuple[int, ...]

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topics of the accounts."""
        return tuple(map(account_topic, self.accounts))


class TournamentPaired(_Fact, frozen=True):
    """Two players of a tournament have a game to play."""

    tournament_id: str
    round: int
    game_id: str
    players: tuple[int, ...]

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topics of the players."""
        return tuple(map(account_topic, self.players))


class TournamentFinished(_Fact, frozen=True):
    """A tournament of some accounts is over, or was cancelled."""

    tournament_id: str
    accounts: tuple[int, ...]

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topics of the accounts."""
        return tuple(map(account_topic, self.accounts))


class LadderChanged(_Fact, frozen=True):
    """The order, the players or the challenges of a game's ladder changed."""

    game: str

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the ladder."""
        return (ladder_topic(self.game),)


class RankingChanged(_Fact, frozen=True):
    """The Golden Nugget rankings changed."""

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the rankings."""
        return (RANKING,)


class JobAdded(_Fact, frozen=True):
    """A background job is waiting."""

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic that workers listen to."""
        return (JOBS,)


class JobDone(_Fact, frozen=True):
    """A background job is done; its result is stored under its key."""

    key: str

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the job."""
        return (job_topic(self.key),)


class Resync(_Fact, frozen=True):
    """Events may have been lost, so read PostgreSQL. Every listener receives it, whatever its topics."""


Event = (
    GameChanged
    | GameStarted
    | ChallengeChanged
    | InboxChanged
    | ExportReady
    | PlayersChanged
    | ProofRevoked
    | PresenceChanged
    | OnlineChanged
    | RelationsChanged
    | ChatSaid
    | ConditionsChanged
    | MessageSent
    | MessagesRead
    | RaceChanged
    | StudyChanged
    | TournamentChanged
    | TournamentStarted
    | TournamentPaired
    | TournamentFinished
    | LadderChanged
    | RankingChanged
    | JobAdded
    | JobDone
)
