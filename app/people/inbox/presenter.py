"""Notifications and their switches as pages show them."""

from collections.abc import Mapping

from app.core.i18n.text import _
from app.people.inbox.kinds import Channel, NewsKind, Switch, choices, kinds_of
from app.people.inbox.notification import Listed
from app.people.inbox.service import Switches
from app.people.inbox.views import Line, SwitchView
from app.people.inbox.wording import detail, headline, path

_KINDS = {
    NewsKind.MY_TURN: _("Your turn in correspondence games"),
    NewsKind.DEADLINE: _("Little time left for a move"),
    NewsKind.CHALLENGE: _("Challenges to you"),
    NewsKind.LADDER_CHALLENGE: _("Challenges for your place on a ladder"),
    NewsKind.MESSAGE: _("Messages from players"),
    NewsKind.TOURNAMENT_SOON: _("A tournament of yours starts soon"),
    NewsKind.TOURNAMENT_CHANGED: _("Changed terms of your tournaments"),
    NewsKind.TOURNAMENT_MOVED: _("New starts of your tournaments"),
    NewsKind.TOURNAMENT_CANCELLED: _("Cancelled tournaments of yours"),
    NewsKind.COMPETITION_ENDED: _("Competitions of yours that end early"),
    NewsKind.COMPETITION_CANCELLED: _("Competitions of yours that are cancelled"),
    NewsKind.TEAM_ROLE: _("Your role in a team"),
    NewsKind.TEAM_REMOVED: _("Removed or refused by a team"),
    NewsKind.TEAM_CLOSED: _("Closed teams"),
    NewsKind.PLACE_LOST: _("Places that you lose on a leaderboard"),
    NewsKind.REPORT_CLOSED: _("What became of your reports"),
}
_POSITIONS = {Switch.ON: _("On"), Switch.DAILY: _("Once a day, all together"), Switch.OFF: _("Off")}


def line_view(item: Listed) -> Line:
    """Return a notification as lists show it."""
    return Line(headline(item), detail(item), path(item), item.at, item.is_read)


def switch_views(switches: Switches, channel: Channel) -> list[SwitchView]:
    """Return the switches of a channel as the settings show them."""
    return [
        SwitchView(
            f"{channel}-{kind}",
            _KINDS[kind],
            [(position, _POSITIONS[position]) for position in choices(channel, kind)],
            switches[channel][kind],
        )
        for kind in kinds_of(channel)
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
