"""The roles of a team's members."""

from enum import StrEnum


class Role(StrEnum):
    """What a member of a team may do.

    The leader changes the team, chooses officers, hands the team over and closes it. Leader and officers let
    players in and remove members.
    """

    LEADER = "leader"
    OFFICER = "officer"
    MEMBER = "member"

    @property
    def may_admit(self) -> bool:
        """Return whether the role lets players in and removes members."""
        return self is not Role.MEMBER
