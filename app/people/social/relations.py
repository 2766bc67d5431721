"""The relations that one player may have to another, and their words."""

from dataclasses import dataclass
from enum import StrEnum

from app.core.i18n.text import Text, _
from app.core.web.paths import register_choice


class Relation(StrEnum):
    """What a player has chosen about another one, who does not learn of it.

    The follower sees when the other is online and what they play. Who mutes somebody sees none of their
    words in conversations and on profiles. A block also keeps both from challenging, being paired with or
    writing to each other.
    """

    FOLLOW = "follow"
    MUTE = "mute"
    BLOCK = "block"


register_choice("relation", Relation)


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
        _("The home page shows which of them are online and what they are playing."),
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
