"""What players can achieve, in words; `app.site.awards` finds the games and entries that prove it."""

from app.core.i18n.text import Text, Worded, _


def _beats_computer(level: int) -> tuple[Text, Text]:
    return (
        _("Computer, level %(level)s", level=level),
        _("Won a game against the computer at level %(level)s or higher, without its help", level=level),
    )


class Achievement(Worded):
    """What one game, or one entry at Golden Nugget, can prove."""

    # The title, and what it takes.
    HIJACK = "hijack", _("Hijacker"), _("Won a game of JadeJack with a hijack")
    TOWER = "tower", _("Tower"), _("Won a game of JadeJack with a stack of four disks or more")
    LANDSLIDE = "landslide", _("Landslide"), _("Won a game of JadeJack by 20 points or more")
    HALF_A_POINT = "half_a_point", _("Half a point"), _("Won a game of JadeJack by half a point")
    FARTHER = "farther", _("Farthest"), _("Won a game of Jumping Farther & Farther to the end")
    FULL_BOARD = (
        "full_board",
        _("No square left"),
        _("Filled a board of 5×5 or larger in a number game, alone"),
    )
    UP_TO_FORTY = "up_to_forty", _("Up to forty"), _("Wrote 40 numbers in Up And Up")
    NUGGET = "nugget", _("First nugget"), _("Submitted an entry in Golden Nugget")
    SHORT_BOARD = (
        "short_board",
        _("Short work"),
        _("Solved a board of Golden Nugget in fewer than 20 moves, without the computer"),
    )
    LOW_MEAN = (
        "low_mean",
        _("Fine gold"),
        _("Submitted an entry with fewer than 30 moves per board, without the computer"),
    )
    TWO_HUNDRED = "two_hundred", _("Two hundred boards"), _("Submitted an entry of 200 boards")
    GIANT = "giant", _("Giant-killer"), _("Won a rated game against a player rated 200 points higher")
    LONG_GAME = "long_game", _("Patience"), _("Won a correspondence game")
    COMPUTER_1 = "computer_1", *_beats_computer(1)
    COMPUTER_4 = "computer_4", *_beats_computer(4)
    COMPUTER_8 = "computer_8", *_beats_computer(8)
