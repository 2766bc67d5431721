"""What a player has seen of the game when giving a command: it may have changed since."""

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
        asking = _who_asks(state, side, command)
        if asking is not None:
            check_seen(
                state.before_last_move_of(asking),
                self.takeback_to,
                _("This would now take back other moves. Look at the game again."),
            )
        if not state.submitted:  # otherwise it is told that it was
            check_seen(state.version, self.version, _("The game has changed since. Look at it again."))


def _who_asks(state: GameState, side: Side, command: Command) -> Side | None:
    """Return whose last move a command takes back; None if it is about no takeback, or is refused anyway."""
    if command not in ABOUT_TAKEBACKS or (state.result and not state.is_solitaire):
        return None
    if command is Command.ASK_TAKEBACK:
        return side
    asking = TAKEBACK.by(state)
    return asking or side if command is Command.TAKEBACK else asking


TAKES_ANY = Seen()
"""That of a player who takes everything as it is."""
