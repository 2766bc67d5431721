"""What a player goes by who gives a command: the game may have changed since it was shown."""

import msgspec

from app.core.i18n.text import _
from app.core.merging import check_seen
from app.play.games.decisions import Command
from app.play.games.game import GameState
from app.play.games.offers import TAKEBACK
from engine.game import Side

ABOUT_TAKEBACKS = (
    Command.TAKEBACK,
    Command.ASK_TAKEBACK,
    Command.ACCEPT_TAKEBACK,
    Command.DECLINE_TAKEBACK,
)


class Seen(msgspec.Struct, frozen=True):
    """The ply to which a takeback leads, and the version of the game; None for what is taken as it is."""

    takeback_to: int | None = None
    version: int | None = None

    def check(self, state: GameState, side: Side, command: Command) -> None:
        """Raise StaleError if a command of a side does not mean any more what the player has seen."""
        if command in ABOUT_TAKEBACKS:
            asking = side if command is Command.ASK_TAKEBACK else TAKEBACK.by(state) or side
            check_seen(
                state.before_last_move_of(asking),
                self.takeback_to,
                _("This would take other moves back by now. Look at the game again."),
            )
        check_seen(state.version, self.version, _("The game has changed since. Look at it again."))


TAKES_ANY = Seen()
"""That of a player who takes everything as it is."""
