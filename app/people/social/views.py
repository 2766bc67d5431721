"""Plain values that the templates of relations between players draw."""

from dataclasses import dataclass

from app.core.i18n.text import Text, _
from app.people.social.relations import Relation


@dataclass(frozen=True, slots=True)
class RelationList:
    """A list of the players to whom the viewer has a relation, and the labels of its buttons."""

    relation: Relation
    title: Text
    note: Text
    set: Text
    undo: Text


LISTS = (
    RelationList(
        Relation.FOLLOW,
        _("Players you follow"),
        _("Home shows who of them is online and what they are playing."),
        _("Follow"),
        _("Unfollow"),
    ),
    RelationList(
        Relation.MUTE,
        _("Muted players"),
        _("You do not see what they write."),
        _("Mute"),
        _("Unmute"),
    ),
    RelationList(
        Relation.BLOCK,
        _("Blocked players"),
        _("You cannot challenge, meet or write to each other."),
        _("Block"),
        _("Unblock"),
    ),
)
