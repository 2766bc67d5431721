"""Ladders in the JSON API."""

from typing import Annotated, Any

from pydantic import BaseModel, Field

from app.compete.ladders.ladder import ANSWER_WITHIN, CONTROL, INACTIVE_AFTER, MOST_DROPS, options_of
from app.compete.ladders.queries import LadderChangeShown
from app.compete.ladders.service import LadderRow
from app.core.web.bodies import RequestBody
from app.core.web.params import RankedList
from app.core.web.registered import GameKey, Options
from app.core.web.shown import GameId, example
from engine.clock import control_to_dict
from engine.tournaments.ladder import DROP, REACH


class LadderShown(BaseModel):
    """The ladder of a game with its terms; the games are rated.

    A player challenges somebody at most `reach` places above. A player who does not accept within
    `answer_days` loses the place. A player drops `drop` places after `inactive_days` without a game, and
    leaves the ladder after `most_drops` times that in a row.
    """

    game: GameKey
    url: Annotated[str, example("/ladders/jadejack")]
    players: int
    options: Options
    time_control: Annotated[dict[str, Any], example(control_to_dict(CONTROL))] | None
    reach: int
    answer_days: int
    inactive_days: int
    drop: int
    most_drops: int

    @classmethod
    def of(cls, game: str, players: int) -> "LadderShown":
        """Return the ladder of a game with a number of players as the API shows it."""
        return cls(
            game=game,
            url=f"/ladders/{game}",
            players=players,
            options=dict(options_of(game)),
            time_control=control_to_dict(CONTROL),
            reach=REACH,
            answer_days=ANSWER_WITHIN.days,
            inactive_days=INACTIVE_AFTER.days,
            drop=DROP,
            most_drops=MOST_DROPS,
        )


class LadderList(BaseModel):
    """The ladders of all games for two."""

    ladders: list[LadderShown]


class LadderTable(RankedList[LadderRow]):
    """A page of a ladder from the top, and the cursor of the next one."""


class LadderChallengeRequest(RequestBody):
    """The username of the player to challenge."""

    opponent: Annotated[str, Field(max_length=64, examples=["finch"])]


class LadderGame(BaseModel):
    """The game that has begun."""

    game_id: GameId


class LadderChanges(BaseModel):
    """What happened on a ladder, the latest first; `older` is the id before which the next part ends."""

    changes: list[LadderChangeShown]
    older: int | None
