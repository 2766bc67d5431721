"""Notifications for programs."""

from typing import Annotated

from fastapi import APIRouter, Query

from app.core.web.deps import Part, SiteUrl
from app.core.web.problems import problems
from app.people.identity.throttled import SteppingProgram
from app.people.identity.viewer import KnownProgram, PlayingProgram
from app.people.inbox.queries import is_one_of
from app.people.inbox.schemas import (
    NotificationId,
    NotificationList,
    NotificationSwitches,
    ReadNotifications,
    SwitchesShown,
    Unread,
)
from app.people.inbox.service import Inbox

router = APIRouter(prefix="/api/v1", tags=["accounts"])


@router.get("/me/notifications", responses=problems(401))
async def switches(program: KnownProgram, inbox: Part[Inbox]) -> SwitchesShown:
    """Return which notifications come by which channel."""
    return await inbox.switches(program)


@router.put("/me/notifications", responses=problems(401, 403, 429))
async def set_switches(
    body: NotificationSwitches, program: SteppingProgram, inbox: Part[Inbox]
) -> SwitchesShown:
    """Choose which notifications come by which channel; what is not given stays as it is."""
    await inbox.set_switches(program, body.positions)
    return await inbox.switches(program)


@router.get("/notifications", responses=problems(401))
async def notifications(
    program: KnownProgram,
    inbox: Part[Inbox],
    site_url: SiteUrl,
    before: NotificationId | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> NotificationList:
    """Return what happened to the token's account in the last 30 days, the newest first."""
    return NotificationList.of(await inbox.page(program, limit=limit, before=before), site_url)


@router.post("/notifications/read", responses=problems(401, 403))
async def read_notifications(body: ReadNotifications, program: PlayingProgram, inbox: Part[Inbox]) -> Unread:
    """Mark notifications as read."""
    return Unread(unread=await inbox.read(program, is_one_of(body.ids)))
