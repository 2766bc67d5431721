"""Plain values that the editor of conditional moves draws."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.core.i18n.text import Text
from app.core.web.steps import Step
from app.play.games.views import BoardAction


@dataclass(frozen=True, slots=True)
class EditorView:
    """A player's conditional moves, and the board after the line that is being entered."""

    path: str  # "/games/k7m2wq9xab/conditions"
    game_path: str
    headline: Text  # "JadeJack 9×9: wren (Black) and robin (White)"
    is_open: bool  # whether lines may be entered now
    version: int
    lines: Sequence[str]  # "e5 d4 f6 g7"
    dropped: Text | None  # a note about lines that did not fit any more
    board: Markup
    actions: Sequence[BoardAction]
    prompt: Text  # whose move is entered next
    moves: Sequence[str]  # those of the line that is being entered
    before: str  # the same, separated by commas, up to the ply that is shown
    plies: Sequence[
        tuple[str, str, bool]
    ]  # each move with the address of its position, and whether it is shown
    steps: Sequence[tuple[Step, str | None]]
    can_add: bool

    @property
    def text(self) -> str:
        """Return all lines as text, one below the other."""
        return "\n".join(self.lines)
