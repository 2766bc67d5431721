"""Notifications and their switches as pages show them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.core.i18n.text import Text, _
from app.people.inbox.kinds import Channel, Switch, choices, kinds_of
from app.people.inbox.service import Switches

_POSITIONS = {Switch.ON: _("On"), Switch.DAILY: _("Once a day, all together"), Switch.OFF: _("Off")}


@dataclass(frozen=True, slots=True)
class SwitchView:
    """A switch: the name of its field, its label, the positions with their labels, and the chosen one."""

    name: str
    label: Text
    choices: Sequence[tuple[str, Text]]
    chosen: str


def switch_views(switches: Switches, channel: Channel) -> list[SwitchView]:
    """Return the switches of a channel as the settings show them."""
    return [
        SwitchView(
            f"{channel}-{kind}",
            sent.switch,
            [(position, _POSITIONS[position]) for position in choices(channel, kind)],
            switches[channel][kind],
        )
        for kind, sent in kinds_of(channel).items()
    ]


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
