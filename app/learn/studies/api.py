"""Studies for programs."""

import asyncio
from dataclasses import replace
from typing import Annotated, Literal

from fastapi import Query
from pydantic import AfterValidator, BaseModel, Field, Strict
from starlette.responses import Response

from app.core.i18n.text import _
from app.core.web.bodies import OptionalBody, RequestBody
from app.core.web.deps import Part, SiteUrl
from app.core.web.params import PageNumber
from app.core.web.plain_text import Cleaned, one_line
from app.core.web.problems import problems
from app.core.web.registered import GameKey, Options
from app.core.web.routes import Router
from app.core.web.shown import Id, Position, Shown, Unchecked, Username, example
from app.core.web.throttle import Limit, Throttle
from app.learn.studies.analysis import (
    LONGEST_ADDRESS,
    MOST_MOVES,
    Edit,
    EditKind,
    Note,
    ground,
    key_after,
    read_tree,
)
from app.learn.studies.queries import Study, Visibility
from app.learn.studies.service import MOST_BYTES, Studies, StudyDraft, StudySettings
from app.people.identity.devices import Person
from app.people.identity.throttled import COMPUTING_FOR_PROGRAM, SteppingProgram
from app.people.identity.viewer import TOKEN_IS_OPTIONAL, PlayingProgram, Program, known_program
from app.play.games.schemas import MoveText
from engine.game import MAX_POSITION

MOST_TITLE = 80
"""The length of a title."""


def _with_few_bytes(text: str) -> str:
    if len(text.encode(errors="replace")) > MOST_BYTES:
        raise ValueError(_("A study has %(most)s KiB at most, comments included.", most=MOST_BYTES // 1024))
    return text


Title = Annotated[
    str,
    Field(min_length=1, max_length=MOST_TITLE, examples=["The corner at g6"]),
    Cleaned(one_line),
]
TreeText = Annotated[
    str,
    Field(max_length=MOST_BYTES, examples=["c4 g6! {Takes the corner.} (f6 d4) d4"]),
    AfterValidator(_with_few_bytes),
]
PositionText = Annotated[str, Field(max_length=MAX_POSITION)]
Key = Annotated[str, Field(max_length=10)]


class EditQuery(BaseModel):
    """A change of a tree at a node; without a move or another change, the node is shown."""

    at: Key = ""
    move: Annotated[str, Field(max_length=16)] = ""
    edit: EditKind = EditKind.SHOW
    symbol: Annotated[str, Field(max_length=2)] = ""
    comment: Annotated[str, Field(max_length=MOST_BYTES)] = ""  # an older one may be as long as its study

    @property
    def chosen(self) -> Edit:
        """Return the change."""
        at = "" if self.at == "0" else self.at
        return Edit(at, self.move, self.edit, Note(self.symbol, self.comment))


class EditForm(EditQuery):
    """A change of a study at a node, whose form was drawn with a symbol and a comment."""

    drawn_symbol: str = ""
    drawn_comment: str = ""

    @property
    def chosen(self) -> Edit:
        """Return the change."""
        return replace(super().chosen, drawn=Note(self.drawn_symbol, self.drawn_comment))


class AnalysisQuery(EditQuery):
    """The address of the analysis board: a tree as text, and a change of it; options have their own names."""

    moves: Annotated[str, Field(max_length=LONGEST_ADDRESS)] = ""


class StudyForm(BaseModel):
    """A study to save, beside the fields that say where its moves are played."""

    title: Title
    visibility: Visibility = Visibility.PRIVATE
    game: Annotated[str, Field(max_length=32)]
    position: PositionText = ""
    moves: TreeText = ""
    at: Key = ""


class SettingsForm(BaseModel):
    """The title of a study, and who sees it."""

    title: Title
    visibility: Visibility

    @property
    def settings(self) -> StudySettings:
        """Return what is to be stored."""
        return StudySettings(self.title, self.visibility)


class OpenForm(BaseModel):
    """What to analyse: a game with a size or a position, or a record."""

    game: Annotated[str, Field(max_length=32)] = ""
    size: Annotated[str, Field(max_length=4)] = ""
    position: PositionText = ""
    record: TreeText = ""


class StudyWanted(RequestBody):
    """A study to save: `tree` is the text of moves, variations and comments as in game records.

    `position` is the position string from which the moves are played; without it they are played from the
    start of a game with the options.
    """

    game: GameKey
    title: Title
    visibility: Annotated[Visibility, Strict(False)] = Visibility.PRIVATE
    players: Annotated[int, Field(ge=1, le=2)] | None = None
    options: Annotated[Options, Field(default_factory=dict)]
    position: PositionText = ""
    tree: TreeText = ""
    version: Annotated[int, Field(ge=1, lt=2**63)] | None = None


class StudyEdit(RequestBody):
    """A change of a study after some moves of its tree: a `move` to play there, or else what `edit` says.

    `show` shows the node to both players who share the board of a game; `annotate` leaves what is null.
    """

    at: Annotated[list[MoveText], Field(default_factory=list, max_length=MOST_MOVES)]
    move: Annotated[str, Field(max_length=16)] = ""
    edit: Annotated[EditKind, Strict(False)] = EditKind.SHOW
    symbol: Literal["", "!", "?", "!!", "??", "!?", "?!"] | None = None
    comment: Annotated[str, Field(max_length=MOST_BYTES)] | None = None

    @property
    def chosen(self) -> Edit:
        """Return the change."""
        return Edit(key_after(self.at), self.move, self.edit, Note(self.symbol, self.comment))


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


class StudyListed(Shown):
    """A study in a list."""

    id: Id
    title: Annotated[str, example("The corner at g6")]
    author: Username
    game: GameKey
    visibility: Unchecked[Visibility]


class StudyList(BaseModel):
    """A page of studies, those changed last first; `has_more` says whether there is a next one."""

    studies: list[StudyListed]
    has_more: bool


class SharedBoardShown(BaseModel):
    """The board on which both players of a finished game may move: a study with this id."""

    id: Id
    url: Annotated[str, example("https://play.example/studies/k3m8q2v7xy")]


router = Router(prefix="/api/v1", tags=["studies"])

_ON_PAGE = 30


@router.get("/studies", openapi_extra=TOKEN_IS_OPTIONAL)
async def list_studies(
    program: Program,
    studies: Part[Studies],
    of: Literal["everybody", "me"] = "everybody",
    number: PageNumber = 1,
    page: Annotated[PageNumber | None, Query(deprecated=True)] = None,
) -> StudyList:
    """Return a page of the public studies, or of all studies of the token's account.

    `page` is an older name of `number`.
    """
    number = page or number
    if of == "me":
        owner = await known_program(program)
        listed, has_more = await studies.own(owner, number=number, limit=_ON_PAGE)
    else:
        listed, has_more = await studies.public(program, number=number, limit=_ON_PAGE)
    return StudyList(studies=listed, has_more=has_more)


@router.post("/studies", status_code=201, responses=problems(404, 409))
async def save_study(
    body: StudyWanted, program: SteppingProgram, studies: Part[Studies], site_url: SiteUrl
) -> StudyShown:
    """Save a tree of variations as a study."""
    draft = await asyncio.to_thread(_draft, body)
    return _shown(await studies.save(program, draft), site_url)


@router.get(
    "/studies/{study_id:id}",
    responses=problems(409),
    openapi_extra=TOKEN_IS_OPTIONAL,
    dependencies=[COMPUTING_FOR_PROGRAM],
)
async def get_study(study_id: str, program: Program, studies: Part[Studies], site_url: SiteUrl) -> StudyShown:
    """Return a study; 409 `game_under_way` if it leads through a rated game of yours."""
    return _shown(await studies.stored(study_id, program), site_url)


@router.put("/studies/{study_id:id}", responses=problems(409))
async def replace_study(
    study_id: str, body: StudyWanted, program: SteppingProgram, studies: Part[Studies], site_url: SiteUrl
) -> StudyShown:
    """Replace all of a study, unless it has changed since `version`."""
    draft = await asyncio.to_thread(_draft, body)
    return _shown(await studies.replace(study_id, program, draft, body.version), site_url)


@router.post("/studies/{study_id:id}/edit", responses=problems(409))
async def edit_study(
    study_id: str,
    body: OptionalBody[StudyEdit],
    program: PlayingProgram,
    studies: Part[Studies],
    throttle: Part[Throttle],
    site_url: SiteUrl,
) -> StudyShown:
    """Change a node of a study of yours, or of the shared board of a game that you have played."""
    await throttle.hit(Limit.EDIT, f"account:{program.id}")
    await studies.edit(study_id, program, Person(program.id), body.chosen)
    return _shown(await studies.stored(study_id, program), site_url)


@router.delete(
    "/studies/{study_id:id}",
    status_code=204,
    response_class=Response,
)
async def delete_study(study_id: str, program: SteppingProgram, studies: Part[Studies]) -> None:
    """Delete a study."""
    await studies.delete(study_id, program)


@router.post("/games/{game_id:id}/together", responses=problems(409))
async def open_together(
    game_id: str, program: SteppingProgram, studies: Part[Studies], site_url: SiteUrl
) -> SharedBoardShown:
    """Open the board on which both players of a finished game may move. A new board notifies the opponent."""
    study_id = await studies.open_shared(game_id, program)
    return SharedBoardShown(id=study_id, url=f"{site_url}/studies/{study_id}")


def _draft(body: StudyWanted) -> StudyDraft:
    played_on = ground(body.game, body.players, body.options, body.position)
    analysis = played_on.analysis(read_tree(body.tree))
    return StudyDraft(body.title, body.visibility, analysis)


def _shown(study: Study, site_url: str) -> StudyShown:
    return StudyShown(**vars(study), url=site_url + study.path, tree=study.moves)
