"""Notifications and their switches as pages show them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.core.i18n.text import Text, _
from app.people.inbox.kinds import Channel, NewsKind, Switch, choices, kinds_of
from app.people.inbox.service import Switches

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
    """Return the switches that a form sent; fields that are none, or have no position, are left out."""
    return {
        channel: {
            kind: Switch(values[name])
            for kind in kinds_of(channel)
            if (name := f"{channel}-{kind}") in values and values[name] in set(Switch)
        }
        for channel in Channel
    }
