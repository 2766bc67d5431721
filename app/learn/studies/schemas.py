"""Studies as JSON."""

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict

from app.core.web.bodies import RequestBody
from app.core.web.plain_text import one_line
from app.core.web.registered import GameKey, Options
from app.learn.studies.forms import MOST_TITLE, PositionText, TreeText
from app.learn.studies.queries import Visibility

_STUDY: dict[str, Any] = {
    "game": "jadejack",
    "title": "The corner at g6",
    "visibility": "link",
    "options": {"size": 9},
    "position": "",
    "tree": "c4 g6! {Takes the corner.} (f6 d4) d4",
}


class StudyWanted(RequestBody):
    """A study to save: `tree` is the text of moves, variations and comments as in game records.

    `position` is the position string from which the moves are played; without it they are played from the
    start of a game with the options.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [_STUDY]})

    game: GameKey
    title: Annotated[str, Field(min_length=1, max_length=MOST_TITLE), AfterValidator(one_line)]
    visibility: Annotated[Visibility, Strict(False)] = Visibility.PRIVATE
    players: Annotated[int, Field(ge=1, le=2)] | None = None
    options: dict[Annotated[str, Field(max_length=32)], Annotated[int, Field(ge=0, le=1_000)]] = Field(
        default_factory=dict, max_length=8
    )
    position: PositionText = ""
    tree: TreeText = ""
    version: Annotated[int, Field(ge=1, lt=2**63)] | None = None


class StudyShown(BaseModel):
    """A study. `version` grows with every change; sending it with PUT refuses to overwrite a later one."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": "k3m8q2v7xy",
                    "url": "https://play.example/studies/k3m8q2v7xy",
                    "author": "wren",
                    "version": 3,
                    "players": 2,
                    **_STUDY,
                }
            ]
        }
    )

    id: str
    url: str
    author: str
    title: str
    visibility: Visibility
    game: GameKey
    players: int
    options: Options
    position: str
    tree: str
    version: int


class StudyListed(BaseModel):
    """A study in a list."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": "k3m8q2v7xy",
                    "title": "The corner at g6",
                    "author": "wren",
                    "game": "jadejack",
                    "visibility": "public",
                }
            ]
        }
    )

    id: str
    title: str
    author: str
    game: GameKey
    visibility: Visibility


class StudyList(BaseModel):
    """Studies, those changed last first."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"studies": []}]})

    studies: list[StudyListed]
