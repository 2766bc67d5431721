"""What the pages of teams offer and say."""

from app.compete.teams.roles import Role
from app.core.i18n.text import _

JOIN_CHOICES = {"open": _("Everybody may join"), "request": _("Players ask, and the team decides")}
"""Who may join a team, as options."""

ROLES = {Role.LEADER: _("Leader"), Role.OFFICER: _("Officer"), Role.MEMBER: _("Member")}
"""The roles of members in words."""
