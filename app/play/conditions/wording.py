"""Conditional moves in words."""

from app.core.i18n.text import Text, ngettext


def dropped_text(dropped: int, dropped_by: str | None) -> Text | None:
    """Return what is said of lines that did not fit any more after a move, or after a takeback (None).

    Return None if none were dropped.
    """
    if not dropped:
        return None
    if dropped_by is None:
        return ngettext("A takeback dropped %(count)s line.", "A takeback dropped %(count)s lines.", dropped)
    return ngettext(
        "%(count)s line was dropped: it did not fit any more after %(move)s.",
        "%(count)s lines were dropped: they did not fit any more after %(move)s.",
        dropped,
        move=dropped_by,
    )
