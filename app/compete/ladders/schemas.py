"""Ladders in the JSON API."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from app.compete.ladders.queries import ChallengeInfo, ChangeInfo
from app.compete.ladders.service import Own, Row
from app.compete.ladders.terms import ANSWER_WITHIN, CONTROL, INACTIVE_AFTER, MOST_DROPS, options_of
from app.core.database.ranking import RankedPage
from app.core.web.bodies import RequestBody
from app.core.web.registered import GameKey, Options
from app.core.web.shown import GameId, Id, NextCursor, Opponent, Rating, Username, example
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


class LadderChallengeShown(BaseModel):
    """A challenge on a ladder, which the defender has to accept before `due_at`.

    `game_id` is null until then. `outcome` is null until it is decided: won (by the challenger), defended,
    drawn, forfeited (by the defender), withdrawn or void.
    """

    model_config = ConfigDict(from_attributes=True)

    id: Id
    game: GameKey
    challenger: Username
    defender: Opponent
    made_at: datetime
    due_at: datetime
    game_id: GameId | None
    outcome: Annotated[str, example("won")] | None
    ended_at: datetime | None

    @classmethod
    def of(cls, challenge: ChallengeInfo) -> "LadderChallengeShown":
        """Return a challenge as the API shows it."""
        return cls.model_validate(challenge)


class LadderRow(BaseModel):
    """A place of a ladder, with the open challenges to its player and the one that the player has made."""

    place: int
    username: Username
    rating: Rating
    joined_at: datetime
    defences: list[LadderChallengeShown]
    challenge: LadderChallengeShown | None

    @classmethod
    def of(cls, row: Row) -> "LadderRow":
        """Return a row as the API shows it."""
        return cls(
            place=row.rung.place,
            username=row.rung.username,
            rating=round(row.rating.rating),
            joined_at=row.rung.joined_at,
            defences=[LadderChallengeShown.of(each) for each in row.defences],
            challenge=row.challenge and LadderChallengeShown.of(row.challenge),
        )


class LadderTable(BaseModel):
    """A page of a ladder from the top, and the cursor of the next one."""

    rows: list[LadderRow]
    next: NextCursor | None

    @classmethod
    def of(cls, page: RankedPage[Row]) -> "LadderTable":
        """Return a page as the API shows it."""
        return cls(rows=[LadderRow.of(row) for row in page.rows], next=page.next)


class LadderTarget(BaseModel):
    """A player in reach; `reason` says why no challenge is possible, and is null if one is."""

    place: int
    username: Username
    reason: Annotated[str, example("challenged")] | None


class OwnLadderPlace(BaseModel):
    """The place of the token's account, its open challenges, and the players in reach above it."""

    place: int
    challenge: LadderChallengeShown | None
    defences: list[LadderChallengeShown]
    targets: list[LadderTarget]

    @classmethod
    def of(cls, own: Own) -> "OwnLadderPlace":
        """Return it as the API shows it."""
        return cls(
            place=own.rung.place,
            challenge=own.challenge and LadderChallengeShown.of(own.challenge),
            defences=[LadderChallengeShown.of(each) for each in own.defences],
            targets=[
                LadderTarget(
                    place=rung.place,
                    username=rung.username,
                    reason=refusal.extra["reason"] if refusal else None,
                )
                for rung, refusal in own.targets
            ],
        )


class LadderChallengeRequest(RequestBody):
    """The username of the player to challenge."""

    opponent: Annotated[str, Field(max_length=64, examples=["finch"])]


class LadderGame(BaseModel):
    """The game that has begun."""

    game_id: GameId


class LadderChangeShown(BaseModel):
    """What happened on a ladder: joined, left, removed, won, drawn, forfeited, dropped or voided.

    With an `opponent`, `player` won, or defended the place with a draw; `voided` takes that back.
    The places are those of `player`.
    """

    model_config = ConfigDict(from_attributes=True)

    id: int
    kind: Annotated[str, example("won")]
    player: Username
    opponent: Opponent | None
    game_id: GameId | None
    place_before: int | None
    place_after: int | None
    at: datetime

    @classmethod
    def of(cls, change: ChangeInfo) -> "LadderChangeShown":
        """Return a change as the API shows it."""
        return cls.model_validate(change)


class LadderChanges(BaseModel):
    """What happened on a ladder, the latest first; `older` is the id before which the next part ends."""

    changes: list[LadderChangeShown]
    older: int | None
