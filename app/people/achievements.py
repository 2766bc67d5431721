"""What players can achieve, in words; `app.site.awards` finds the games and entries that prove it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.core.i18n.text import Text, _


class Achievement(StrEnum):
    """What one game, or one entry at Golden Nugget, can prove."""

    HIJACK = "hijack"
    TOWER = "tower"
    LANDSLIDE = "landslide"
    HALF_A_POINT = "half_a_point"
    FARTHER = "farther"
    FULL_BOARD = "full_board"
    UP_TO_FORTY = "up_to_forty"
    NUGGET = "nugget"
    SHORT_BOARD = "short_board"
    LOW_MEAN = "low_mean"
    TWO_HUNDRED = "two_hundred"
    GIANT = "giant"
    LONG_GAME = "long_game"
    COMPUTER_1 = "computer_1"
    COMPUTER_4 = "computer_4"
    COMPUTER_8 = "computer_8"


@dataclass(frozen=True, slots=True)
class Words:
    """The title of an achievement, and what it takes."""

    title: Text
    text: Text


def _beats_computer(level: int) -> Words:
    return Words(
        _("Computer, level %(level)s", level=level),
        _("Won a game against the computer at level %(level)s or higher", level=level),
    )


WORDS: Mapping[Achievement, Words] = {
    Achievement.HIJACK: Words(_("Hijacker"), _("Won a game of JadeJack with a hijack")),
    Achievement.TOWER: Words(_("Tower"), _("Won a game of JadeJack with a stack of four disks or more")),
    Achievement.LANDSLIDE: Words(_("Landslide"), _("Won a game of JadeJack by 20 points or more")),
    Achievement.HALF_A_POINT: Words(_("Half a point"), _("Won a game of JadeJack by half a point")),
    Achievement.FARTHER: Words(_("Farthest"), _("Won a game of Jumping Farther & Farther to the end")),
    Achievement.FULL_BOARD: Words(
        _("No square left"), _("Filled a board of 5×5 or larger at a number game, alone")
    ),
    Achievement.UP_TO_FORTY: Words(_("Up to forty"), _("Wrote 40 numbers at Up And Up")),
    Achievement.NUGGET: Words(_("First nugget"), _("Submitted an entry at Golden Nugget")),
    Achievement.SHORT_BOARD: Words(
        _("Short work"), _("Solved a board of Golden Nugget in fewer than 20 moves, without the computer")
    ),
    Achievement.LOW_MEAN: Words(
        _("Fine gold"),
        _("Submitted an entry with fewer than 30 moves per board, without the computer"),
    ),
    Achievement.TWO_HUNDRED: Words(_("Two hundred boards"), _("Submitted an entry of 200 boards")),
    Achievement.GIANT: Words(
        _("Giant-killer"), _("Won a rated game against a player rated 200 points higher")
    ),
    Achievement.LONG_GAME: Words(_("Patience"), _("Won a game with days for each move")),
    Achievement.COMPUTER_1: _beats_computer(1),
    Achievement.COMPUTER_4: _beats_computer(4),
    Achievement.COMPUTER_8: _beats_computer(8),
}
