"""Studies as JSON."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field, Strict

from app.core.web.bodies import RequestBody
from app.core.web.plain_text import one_line
from app.core.web.registered import GameKey, Options
from app.core.web.shown import Id, Position, Unchecked, Username, example
from app.learn.studies.forms import MOST_TITLE, PositionText, TreeText
from app.learn.studies.queries import Visibility


class StudyWanted(RequestBody):
    """A study to save: `tree` is the text of moves, variations and comments as in game records.

    `position` is the position string from which the moves are played; without it they are played from the
    start of a game with the options.
    """

    game: GameKey
    title: Annotated[
        str,
        Field(min_length=1, max_length=MOST_TITLE, examples=["The corner at g6"]),
        AfterValidator(one_line),
    ]
    visibility: Annotated[Visibility, Strict(False)] = Visibility.PRIVATE
    players: Annotated[int, Field(ge=1, le=2)] | None = None
    options: dict[Annotated[str, Field(max_length=32)], Annotated[int, Field(ge=0, le=1_000)]] = Field(
        default_factory=dict, max_length=8, examples=[{"size": 9}]
    )
    position: PositionText = ""
    tree: TreeText = ""
    version: Annotated[int, Field(ge=1, lt=2**63)] | None = None


class StudyShown(BaseModel):
    """A study. `version` grows with every change; sending it with PUT refuses to overwrite a later one."""

    id: Id
    url: Annotated[str, example("https://play.example/studies/k3m8q2v7xy")]
    author: Username
    title: Annotated[str, example("The corner at g6")]
    visibility: Unchecked[Visibility]
    game: GameKey
    players: int
    options: Options
    position: Position
    tree: Annotated[str, example("c4 g6! {Takes the corner.} (f6 d4) d4")]
    version: int


class StudyListed(BaseModel):
    """A study in a list."""

    id: Id
    title: Annotated[str, example("The corner at g6")]
    author: Username
    game: GameKey
    visibility: Unchecked[Visibility]


class StudyList(BaseModel):
    """Studies, those changed last first."""

    studies: list[StudyListed]
