"""What joining and leaving a team, and letting players in, mean at the moment."""

from enum import StrEnum

from app.compete.teams.queries import Role
from app.core.i18n.text import _
from app.core.merging import check_seen


class Ends(StrEnum):
    """What ends when somebody leaves a team: a request, the team itself, or what they are in it."""

    REQUEST = "request"
    MEMBERSHIP = "membership"
    LEADERSHIP = "leadership"
    TEAM = "team"


def ends_by_leaving(role: Role | None, size: int) -> Ends:
    """Return what ends when somebody with a role leaves a team of a size; None is who has asked to join."""
    if role is None:
        return Ends.REQUEST
    if size == 1:
        return Ends.TEAM
    return Ends.LEADERSHIP if role is Role.LEADER else Ends.MEMBERSHIP


def check_leaving(role: Role | None, size: int, seen: Ends | None) -> None:
    """Raise StaleError if leaving does not end what `seen` says, unless that is None."""
    messages = {
        Ends.REQUEST: _("You are not a member any more. Leaving would withdraw your request."),
        Ends.MEMBERSHIP: _("You are a member now. Leaving would end your membership."),
        Ends.LEADERSHIP: _("You lead the team now. If you leave, another member will lead it."),
        Ends.TEAM: _("You are the last member now. If you leave, the team is closed for good."),
    }
    ends = ends_by_leaving(role, size)
    check_seen(ends, seen, messages[ends])


def check_joining(*, is_open: bool, seen: bool | None) -> None:
    """Raise StaleError if a team is open and was not seen as open, or vice versa, unless `seen` is None."""
    message = (
        _("Everybody may join this team now. You would be a member at once.")
        if is_open
        else _("This team now decides who may join. You would have to ask.")
    )
    check_seen(is_open, seen, message)


def check_admitting(*, is_refused: bool, seen: bool | None) -> None:
    """Raise StaleError if a player was refused and not seen as that, or vice versa, unless `seen` is None."""
    message = (
        _("This player has since been refused. Accepting would only let them ask again.")
        if is_refused
        else _("This player has asked again since. Accepting would make them a member.")
    )
    check_seen(is_refused, seen, message)
