"""Notifications for programs."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from fastapi import Query
from pydantic import BaseModel, Field, create_model

from app.core.web.bodies import LARGEST_ID, OptionalBody, RequestBody
from app.core.web.deps import Part, SiteUrl
from app.core.web.routes import Router
from app.core.web.shown import ShownAs, Unchecked, Username, example
from app.people.identity.throttled import SteppingProgram
from app.people.identity.viewer import KnownProgram, PlayingProgram
from app.people.inbox.kinds import Channel, Listed, NewsKind, Switch, choices, kinds_of
from app.people.inbox.queries import is_one_of, is_up_to
from app.people.inbox.service import Inbox, Switches

NotificationId = Annotated[int, Field(ge=1, le=LARGEST_ID)]

_DESCRIPTIONS = {
    Channel.EMAIL: "Which notifications come by mail. With `daily`, one mail a day lists the games that wait "
    "for you.",
    Channel.PUSH: "Which notifications come to devices.",
}


class _Switches(RequestBody):
    """Which notifications come by which channel."""

    @property
    def positions(self) -> Switches:
        """Return the switches that were given."""
        given = self.model_dump(exclude_unset=True)
        return {
            Channel(channel): {NewsKind(kind): Switch(position) for kind, position in positions.items()}
            for channel, positions in given.items()
        }


def _channel_switches(channel: Channel) -> Any:
    """Return the schema of the switches of a channel: those that the kinds which it carries declare."""
    positions = {kind: tuple(map(str, choices(channel, kind))) for kind in kinds_of(channel)}
    fields: dict[str, Any] = {kind: (Literal[each], each[0]) for kind, each in positions.items()}
    return create_model(
        f"{channel.title()}Switches", __base__=RequestBody, __doc__=_DESCRIPTIONS[channel], **fields
    )


if TYPE_CHECKING:
    NotificationSwitches = _Switches
else:
    _SCHEMAS = {channel: _channel_switches(channel) for channel in Channel}
    NotificationSwitches = create_model(
        "NotificationSwitches",
        __base__=_Switches,
        __doc__=_Switches.__doc__,
        **{channel: (schema, schema()) for channel, schema in _SCHEMAS.items()},
    )


SwitchesShown = Annotated[Switches, ShownAs(NotificationSwitches)]


class ListedNotification(BaseModel):
    """A notification: what happened, whose doing it was, and the page that it leads to."""

    id: int
    kind: Unchecked[NewsKind]
    actor: Username | None
    text: Annotated[str, example("Your turn against finch")]
    url: Annotated[str, example("https://play.example/games/k7m2wq9xab")]
    at: datetime
    is_read: bool

    @classmethod
    def of(cls, item: Listed, site_url: str) -> Self:
        """Return a notification as the API shows it."""
        return cls(
            id=item.id,
            kind=item.kind,
            actor=item.actor,
            text=item.text,
            url=site_url + item.path,
            at=item.at,
            is_read=item.is_read,
        )


class NotificationList(BaseModel):
    """Notifications, the newest first; `next` is the `before` of those that are older, or null."""

    notifications: list[ListedNotification]
    unread: int
    next: int | None


class ReadNotifications(RequestBody):
    """The notifications that were read: those with some ids, or up to the id `until`; null: all of them."""

    ids: Annotated[list[NotificationId], Field(max_length=200)] | None = None
    until: NotificationId | None = None


class Unread(BaseModel):
    """How many notifications have not been read."""

    unread: int


router = Router(prefix="/api/v1", tags=["accounts"])


@router.get("/me/notifications")
async def switches(program: KnownProgram, inbox: Part[Inbox]) -> SwitchesShown:
    """Return which notifications come by which channel."""
    return await inbox.switches(program)


@router.put("/me/notifications")
async def set_switches(
    body: NotificationSwitches, program: SteppingProgram, inbox: Part[Inbox]
) -> SwitchesShown:
    """Choose which notifications come by which channel; what is not given stays as it is."""
    await inbox.set_switches(program, body.positions)
    return await inbox.switches(program)


@router.get("/notifications")
async def notifications(
    program: KnownProgram,
    inbox: Part[Inbox],
    site_url: SiteUrl,
    before: NotificationId | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> NotificationList:
    """Return what happened to the token's account in the last 30 days, the newest first."""
    page = await inbox.page(program, limit=limit, before=before)
    shown = [ListedNotification.of(item, site_url) for item in page.notifications]
    return NotificationList(notifications=shown, unread=page.unread, next=page.older)


@router.post("/notifications/read")
async def read_notifications(
    body: OptionalBody[ReadNotifications], program: PlayingProgram, inbox: Part[Inbox]
) -> Unread:
    """Mark notifications as read."""
    return Unread(unread=await inbox.read(program, is_one_of(body.ids), is_up_to(body.until)))
