"""What the errors of the engine say, as texts."""

from app.core.i18n.text import Text
from engine.game import ExplainedError


def reason_of(error: ExplainedError) -> Text:
    """Return what an error of the engine says, such as why a move is not allowed."""
    figures = {
        name: reason_of(figure) if isinstance(figure, ExplainedError) else figure
        for name, figure in error.figures.items()
    }
    return Text(error.message, values=figures)
