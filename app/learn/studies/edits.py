"""Changes of a tree by hand, as forms send them."""

from dataclasses import dataclass
from enum import StrEnum

from app.core.errors import InvalidError
from app.core.i18n.text import _
from app.core.web.plain_text import words
from app.learn.studies.analysis import Analysis
from engine.variations import SYMBOLS

MOST_CHARACTERS = 1_000
"""The length of a comment."""


class EditKind(StrEnum):
    """What is done at a node."""

    SHOW = "show"
    ANNOTATE = "annotate"
    PROMOTE = "promote"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class Edit:
    """A change at the node with the key `at`: a move to play there, or else what `kind` says."""

    at: str
    move: str = ""
    kind: EditKind = EditKind.SHOW
    symbol: str = ""
    comment: str = ""


def edited(analysis: Analysis, edit: Edit) -> Analysis:
    """Return the analysis after a change, at the node where it leads.

    Raise InvalidError `no_such_move` if its node is gone, `move_syntax`, `illegal_move`, `too_many_moves`, or
    `bad_comment`.
    """
    tree = analysis.tree
    number = tree.numbered(edit.at)
    if edit.at and not number:
        raise InvalidError("no_such_move", _("This move was deleted. Go on from another one."))
    if edit.move:
        return analysis.shown_at(number).played(edit.move)
    match edit.kind:
        case EditKind.ANNOTATE:
            return analysis.with_tree(tree.annotated(number, _symbol(edit), _comment(edit)), edit.at)
        case EditKind.PROMOTE:
            return analysis.with_tree(tree.promoted(number), edit.at)
        case EditKind.DELETE:
            return analysis.with_tree(tree.without(number), tree.keys[tree.parents[number]])
        case EditKind.SHOW:
            return analysis.shown_at(number)


def _symbol(edit: Edit) -> str:
    return edit.symbol if edit.symbol in SYMBOLS else ""


def _comment(edit: Edit) -> str:
    if len(edit.comment) > MOST_CHARACTERS:
        raise InvalidError(
            "bad_comment", _("A comment has at most %(most)s characters.", most=MOST_CHARACTERS)
        )
    return words(edit.comment)
