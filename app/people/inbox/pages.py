"""The list of notifications as a page, and the switches that say which of them are sent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.responses import RedirectResponse, Response

from app.core.i18n.text import Text, _
from app.core.settings import Settings
from app.core.web.deps import Part
from app.core.web.forms import DRAWN, SubmissionDep, drawn_with
from app.core.web.params import Before
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.throttled import Stepping
from app.people.identity.viewer import SignedIn
from app.people.inbox import api
from app.people.inbox.kinds import Channel, NewsKind, Switch, choices, kinds_of
from app.people.inbox.service import KEPT_FOR, Inbox, Switches

_POSITIONS = {Switch.ON: _("On"), Switch.DAILY: _("Once a day"), Switch.OFF: _("Off")}


@dataclass(frozen=True, slots=True)
class SwitchView:
    """A switch: the name of its field, the positions with their labels, and the chosen one."""

    name: str
    choices: Sequence[tuple[str, Text]]
    chosen: str


def switch_rows(
    switches: Switches, channels: Sequence[Channel]
) -> list[tuple[Text, list[SwitchView | None]]]:
    """Return the label of each kind that is carried, and its switch for each channel, or None."""
    carried = {kind: sent.switch for channel in channels for kind, sent in kinds_of(channel).items()}
    return [
        (label, [_switch_view(switches, channel, kind) for channel in channels])
        for kind, label in carried.items()
    ]


def _switch_view(switches: Switches, channel: Channel, kind: NewsKind) -> SwitchView | None:
    if kind not in kinds_of(channel):
        return None
    positions = [(position, _POSITIONS[position]) for position in choices(channel, kind)]
    return SwitchView(f"{channel}-{kind}", positions, switches[channel][kind])


def switches_of(values: Mapping[str, str]) -> Switches:
    """Return the switches that a form changes; fields that are none, or have no position, are left out."""
    return {
        channel: {
            kind: Switch(values[name])
            for kind in kinds_of(channel)
            if (name := f"{channel}-{kind}") in values
            and values[name] in set(Switch)
            and values[name] != values.get(DRAWN + name)
        }
        for channel in Channel
    }


router = page_router()

_A_PAGE = 50


@router.get("/notifications")
async def notifications_page(viewer: SignedIn, inbox: Part[Inbox], before: Before = None) -> Response:
    """Show what happened to the viewer's account."""
    listed = await inbox.page(viewer, limit=_A_PAGE, before=before)
    return page(
        "pages/notifications.html",
        lines=listed.notifications,
        is_latest=before is None,
        unread=listed.unread,
        older=listed.older,
        days=KEPT_FOR.days,
    )


@router.get("/notifications/settings")
async def switches_page(
    viewer: SignedIn, inbox: Part[Inbox], settings: Part[Settings], saved: str = ""
) -> Response:
    """Show which notifications come by which channel."""
    has_mail = settings.has_mail and not viewer.is_guest
    channels = [Channel.EMAIL, Channel.PUSH] if has_mail else [Channel.PUSH]
    rows = switch_rows(await inbox.switches(viewer), channels)
    return page(
        "pages/notification_settings.html",
        channels=channels,
        rows=rows,
        drawn_values=drawn_with({each.name: each.chosen for _label, row in rows for each in row if each}),
        is_saved=saved == "1",
    )


@router.post("/notifications/settings")
async def set_switches(viewer: Stepping, inbox: Part[Inbox], submission: SubmissionDep) -> Response:
    """Store which notifications come by which channel."""
    await inbox.set_switches(viewer, switches_of(submission.values))
    return RedirectResponse("/notifications/settings?saved=1", 303)


router.form("/notifications/read", api.read_notifications, then="/notifications")
