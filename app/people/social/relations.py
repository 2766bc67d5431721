"""The relations that one player may have to another."""

from enum import StrEnum

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
