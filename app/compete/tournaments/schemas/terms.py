"""What programs send about tournaments. Forms have the same fields."""

from typing import Annotated, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, Field, Strict

from app.compete.tournaments.terms import (
    AT_ONCE,
    GAMES_BEFORE,
    GROUPS,
    MINUTES,
    PAUSES,
    PROMOTED,
    ROUNDS,
    Plan,
    Terms,
    TournamentKind,
)
from app.core import ids
from app.core.web.bodies import RequestBody
from app.core.web.plain_text import SHORTEST_TITLE, lines, one_line, title
from app.core.web.registered import GameKey, Options, one_of, within
from app.play.lobby.challenges import RATINGS
from app.play.lobby.schemas import Control, control_of
from engine.clock import TimeControl
from engine.tournaments.knock_out import BEST_OF

MOST_OF_NAME = 60
MOST_OF_DESCRIPTION = 2000
MOST_OF_REASON = 300


Password = Annotated[str, Field(max_length=128, examples=["nightingale"])]


class TermsFields(BaseModel):
    """The terms of a tournament, but for its game and clock, which forms and programs send differently.

    Forms send the fields by their names here, since those of the game and the clock have `minutes` and
    `rounds`, too; programs by their aliases.
    """

    kind: Annotated[TournamentKind, Strict(False)]
    name: Annotated[
        str,
        Field(min_length=SHORTEST_TITLE, max_length=MOST_OF_NAME, examples=["Thursday arena"]),
        AfterValidator(title),
    ]
    description: Annotated[str, Field(max_length=MOST_OF_DESCRIPTION), AfterValidator(lines)] = ""
    rated: bool = False
    starts_at: Annotated[AwareDatetime, Strict(False), Field(examples=["2026-11-26T19:00:00Z"])] | None = None
    max_players: int = 0
    length: Annotated[int, Field(validation_alias="minutes"), within(range(MINUTES.stop))] = 0
    late_games: Literal["count", "void"] = "count"
    swiss_rounds: Annotated[int, Field(validation_alias="rounds"), within(range(ROUNDS.stop))] = 0
    pause: Annotated[int, within(PAUSES)] = 15
    groups: Annotated[int, within(GROUPS)] = 1
    promoted: Annotated[int, within(PROMOTED)] = 0
    is_double: Annotated[bool, Field(validation_alias="double")] = False
    at_once: Annotated[int, within(AT_ONCE)] = 0
    best_of: Annotated[int, one_of(*BEST_OF)] = 1
    rating_min: Annotated[int, within(RATINGS)] | None = None
    rating_max: Annotated[int, within(RATINGS)] | None = None
    min_games: Annotated[int, within(GAMES_BEFORE)] = 0
    team: Annotated[str, Field(pattern=rf"^{ids.PATTERN}$")] | None = None
    computers: bool = False
    chat: bool = True

    def terms_of(self, game: str, options: dict[str, int], control: TimeControl | None) -> Terms:
        """Return the terms of the tournament at a game with its options and clock."""
        plan = Plan(
            minutes=self.length,
            late_games=self.late_games,
            rounds=self.swiss_rounds,
            pause=self.pause,
            groups=self.groups,
            promoted=self.promoted,
            is_double=self.is_double,
            at_once=self.at_once,
            best_of=self.best_of,
        )
        return Terms(
            name=self.name,
            kind=self.kind,
            game=game,
            options=options,
            control=control,
            rated=self.rated,
            plan=plan,
            starts_at=self.starts_at,
            max_players=self.max_players,
            rating_min=self.rating_min,
            rating_max=self.rating_max,
            min_games=self.min_games,
            team_id=self.team,
            computers=self.computers,
            chat=self.chat,
            description=self.description,
        )


class TournamentRequest(TermsFields, RequestBody):
    """A tournament to make.

    Without `starts_at` it needs `max_players`, and starts when so many have joined. `minutes` and
    `late_games` (those running at the end count, or are void) are for arenas; `rounds` for Swiss tournaments;
    `pause` (seconds) for real-time rounds; `groups`, the `promoted` of each one, `double` and `at_once`
    (correspondence games of a player at a time, 0: all) for round robins; `best_of` for knock-outs.
    `min_games` are rated games at the game. `computers`: programs may join. `team`: the id of the only team
    whose members may join.
    """

    game: GameKey
    options: Annotated[Options, Field(default_factory=dict)]
    time_control: Control

    @property
    def terms(self) -> Terms:
        """Return the terms of the tournament. Raise InvalidError `bad_time_control`."""
        return self.terms_of(self.game, self.options, control_of(self.time_control))


class NewTournament(TournamentRequest):
    """A tournament to make, with a `password` that players need to join if there is one."""

    password: Password | None = None


class EntryRequest(RequestBody):
    """The password of a tournament that has one."""

    password: Password | None = None


class CancelRequest(RequestBody):
    """Why a tournament is cancelled, as its page shows it."""

    reason: Annotated[
        str, Field(max_length=MOST_OF_REASON, examples=["Too few of us have time."]), AfterValidator(one_line)
    ]


class ChatSwitch(RequestBody):
    """Whether a tournament has a chat."""

    chat: bool
