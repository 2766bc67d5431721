"""Reports and moderation for programs."""

from typing import Annotated, Literal, Self

from fastapi import Query
from pydantic import BaseModel, Field, model_validator

from app.core.i18n.text import _
from app.core.web.bodies import LARGEST_ID, RequestBody
from app.core.web.deps import Part
from app.core.web.params import Before, TypedName
from app.core.web.plain_text import Cleaned, lines
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.people.identity.viewer import ClientDep, KnownProgram, PlayingProgram
from app.site.moderation.kinds import FINAL, LONGEST_SEEN, WORDINGS, FreeText, ModeratorAction, Order, Reason
from app.site.moderation.queries import DecisionShown, ReportList, ReportSource
from app.site.moderation.service import Moderation

LineText = Annotated[str, Field(max_length=100, examples=["game:k7m2wq9xab"], pattern=r"^[^\x00-\x1f\x7f]*$")]

_SeenText = Annotated[str, Field(max_length=LONGEST_SEEN), Cleaned(lines)]
_ReportId = Annotated[int, Field(ge=1, lt=1 << 63)]


class ReportRequest(RequestBody):
    """A report about a player. `place` names what it is about: `game:ID`, `profile:USERNAME` or the like.

    The text at the place is quoted as it is. With `seen`, the text as you saw it, moderators read both if its
    author has changed it since.
    """

    username: Annotated[TypedName, Field(examples=["robin"])]
    place: LineText = ""
    reason: Literal["abuse", "cheating", "spam", "name", "other"]
    text: FreeText = ""
    seen: _SeenText = ""


class ReportMade(BaseModel):
    """A report that moderators will read."""

    id: int


class ActionRequest(RequestBody):
    """What a moderator does about a player, and the reason that the player reads.

    `days` is for `mute` and `ban`, `new_name` for `rename`. `erase` removes the name and all texts of a
    closed account after 14 days. `subject` is the id of the game for `void_game`, of the team (which the
    player leads, named or described) for `close_team`, of the entry for `withdraw_entry` (its reason is
    public), and the place of the text for `remove_text`. `reports` are the ids of the reports that it closes;
    null closes all open ones about the player. With `after`, the id of the last action about the player that
    you have seen, or 0 for none, only if there is no later one.
    """

    username: Annotated[TypedName, Field(examples=["robin"])]
    action: Literal[
        "dismiss",
        "warn",
        "mute",
        "ban",
        "close",
        "erase",
        "rename",
        "remove_text",
        "close_team",
        "void_game",
        "withdraw_entry",
        "lift",
    ]
    reason: FreeText
    days: Annotated[int, Field(ge=1, le=3650)] = 7
    subject: LineText = ""
    new_name: Annotated[TypedName, Field(examples=["robin2"])] = ""
    reports: Annotated[list[_ReportId], Field(max_length=200, examples=[[7]])] | None = None
    after: Annotated[int, Field(ge=0, le=LARGEST_ID)] | None = None


class ActionDone(BaseModel):
    """A line of the log of moderation."""

    id: int


class AnswerRequest(RequestBody):
    """The player's answer to a moderator's action."""

    text: FreeText


class ReportForm(ReportRequest):
    """A report about a player, and the page to go on to."""

    next: Annotated[str, Field(max_length=200)] = ""


class ActionForm(BaseModel):
    """What a moderator does about a player. `wording` is the key of a reason that is often given."""

    action: ModeratorAction
    wording: Annotated[str, Field(max_length=20)] = ""
    reason: FreeText = ""
    confirmed: bool = False
    days: Annotated[int, Field(ge=1, le=3650)] = 7
    subject: Annotated[str, Field(max_length=100)] = ""
    new_name: TypedName = ""
    after: Annotated[int, Field(ge=0, le=LARGEST_ID)] | None = None

    @model_validator(mode="after")
    def _check_confirmed(self) -> Self:
        if self.action in FINAL and not self.confirmed:
            raise ValueError(_("Confirm it: this cannot be undone."))
        return self

    @property
    def words(self) -> str:
        """Return the reason: one that is often given, own words, or both."""
        chosen = WORDINGS.get(self.wording)
        return " ".join(filter(None, (chosen and chosen.translated(), self.reason)))


class AppealForm(AnswerRequest):
    """The answer of a player whose account was closed, with the token of the link."""

    text: FreeText = ""
    token: Annotated[str, Field(max_length=64)] = ""


router = Router(prefix="/api/v1", tags=["moderation"])


@router.post("/reports", status_code=201, responses=problems(404, 409, 429))
async def report(
    body: ReportRequest, program: PlayingProgram, moderation: Part[Moderation], client: ClientDep
) -> ReportMade:
    """Report a player to the moderators. The same report twice is one."""
    told = body.username, body.place, Reason(body.reason), body.text, body.seen
    return ReportMade(id=await moderation.report(program, client.network, *told))


@router.get("/moderation/reports", responses=problems(403))
async def open_reports(
    program: KnownProgram,
    moderation: Part[Moderation],
    source: Annotated[ReportSource, Query(alias="from")] = ReportSource.ALL,
    before: Before = None,
) -> ReportList:
    """Return a page of the open reports, of all or only by guests, or by others; for moderators only."""
    return await moderation.queue(program, source, before)


@router.post("/moderation/actions", status_code=201, responses=problems(404, 409))
async def act(body: ActionRequest, program: PlayingProgram, moderation: Part[Moderation]) -> ActionDone:
    """Do something about a player, who reads the reason; this closes the open reports about them."""
    reports = None if body.reports is None else frozenset(body.reports)
    action = ModeratorAction(body.action)
    order = Order(action, body.reason, body.days, body.subject, body.new_name, reports, body.after)
    return ActionDone(id=await moderation.act(program, body.username, order))


@router.get("/me/moderation")
async def decisions(program: KnownProgram, moderation: Part[Moderation]) -> list[DecisionShown]:
    """Return what moderators decided about the account, the latest first."""
    return await moderation.decisions(program.id)


@router.post("/me/moderation/{action_id:serial}/answer", status_code=204, responses=problems(409, 429))
async def answer(
    action_id: int, body: AnswerRequest, program: PlayingProgram, moderation: Part[Moderation]
) -> None:
    """Answer a moderator's decision, once."""
    await moderation.answer(program.id, action_id, body.text)
