"""Notifications and their switches in the JSON API."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field

from app.core.web.bodies import RequestBody
from app.core.web.shown import ShownAs, Unchecked, Username, example
from app.people.inbox.kinds import Channel, Listed, NewsKind, Switch
from app.people.inbox.service import Page, Switches

_LARGEST_ID = 2**53 - 1

NotificationId = Annotated[int, Field(ge=1, le=_LARGEST_ID)]
OnOff = Literal["on", "off"]


class _Switches(RequestBody):
    """Which notifications come by mail as well as to devices."""

    deadline: OnOff = "on"
    challenge: OnOff = "on"
    ladder_challenge: OnOff = "on"
    tournament_soon: OnOff = "on"
    tournament_changed: OnOff = "on"
    tournament_moved: OnOff = "on"
    tournament_cancelled: OnOff = "on"
    competition_ended: OnOff = "on"
    competition_cancelled: OnOff = "on"
    team_role: OnOff = "on"
    team_removed: OnOff = "on"
    team_closed: OnOff = "on"
    place_lost: OnOff = "on"
    report_closed: OnOff = "on"


class EmailSwitches(_Switches):
    """Which notifications come by mail. With `daily`, one mail a day lists the games that wait for you."""

    my_turn: Literal["on", "daily", "off"] = "on"


class PushSwitches(_Switches):
    """Which notifications come to devices."""

    my_turn: OnOff = "on"
    message: OnOff = "on"


class NotificationSwitches(RequestBody):
    """Which notifications come by which channel."""

    email: EmailSwitches = EmailSwitches()
    push: PushSwitches = PushSwitches()

    @property
    def positions(self) -> Switches:
        """Return the switches that were given."""
        given = self.model_dump(exclude_unset=True)
        return {
            Channel(channel): {NewsKind(kind): Switch(position) for kind, position in positions.items()}
            for channel, positions in given.items()
        }


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

    @classmethod
    def of(cls, page: Page, site_url: str) -> Self:
        """Return a part of the list as the API shows it."""
        shown = [ListedNotification.of(item, site_url) for item in page.notifications]
        return cls(notifications=shown, unread=page.unread, next=page.older)


class ReadNotifications(RequestBody):
    """The notifications that were read; null: all of them."""

    ids: Annotated[list[NotificationId], Field(max_length=200)] | None = None


class Unread(BaseModel):
    """How many notifications have not been read."""

    unread: int
