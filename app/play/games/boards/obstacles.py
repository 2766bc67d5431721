"""Why a square is closed to the side to move: the engine's reason in words, and the squares that cause it."""

from collections.abc import Sequence

from app.core.i18n.reasons import reason_of
from app.core.i18n.text import Text, _
from app.play.games.views import Obstacle
from engine import squares
from engine.game import IllegalMove, Side
from engine.jadejack import Position, sources

_OTHER = {Side.BLACK: Side.WHITE, Side.WHITE: Side.BLACK}
_COLOURS = {Side.BLACK: _("Black"), Side.WHITE: _("White")}


def in_jadejack(position: Position, square: str, error: IllegalMove, *, is_yours: bool) -> Obstacle:
    """Return why no disk may be placed on a square, in words for the side to move or for everyone else."""
    side = position.side
    text = _for_you(side, square, error) if is_yours else _for_others(side, square, error)
    if error.reason not in {"too_weak", "too_weak_to_hijack"}:
        return Obstacle(square, text)
    names = squares.names(position.size)
    reaching = sources(position, squares.locate(square, position.size))
    own, opposing = (tuple(names[cell] for cell in reaching[each]) for each in (side, _OTHER[side]))
    return Obstacle(square, text, own, opposing, "/rules/jadejack#strength")


def in_numbers(
    cells: Sequence[int], size: int, square: str, error: IllegalMove, *, away: int | None = None
) -> Obstacle:
    """Return why the next number may not go on a square; `away` is the distance that it must keep, if any."""
    if not cells:
        return Obstacle(square, reason_of(error))
    last = squares.names(size)[cells[-1]]
    values = {"square": square, "last": last, "number": len(cells), "away": away, **error.figures}
    match error.reason:
        case "occupied":
            text = _("%(square)s: %(number)s is here already.", **values)
        case "not_on_a_line":
            text = _("%(square)s is not in line with %(last)s, where %(number)s is.", **values)
        case "not_k_away" if away == 1:
            text = _(
                "%(square)s is not next to %(last)s, where %(number)s is: up, down, left or right.", **values
            )
        case "not_k_away":
            text = _(
                "%(square)s is not %(away)s squares up, down, left or right of %(last)s, where %(number)s "
                "is.",
                **values,
            )
        case "reset_not_allowed":
            text = _(
                "%(square)s: k falls back to 1 only when no free square is %(away)s away from %(last)s.",
                **values,
            )
        case _:
            text = reason_of(error)
    return Obstacle(square, text, own=(last,))


def _for_you(side: Side, square: str, error: IllegalMove) -> Text:
    values = {"square": square, "opponent": _COLOURS[_OTHER[side]], **error.figures}
    match error.reason:
        case "too_weak":
            return _(
                "%(square)s: your strength %(own)s, %(opponent)s's %(opposing)s: "
                "you need at least %(needed)s.",
                **values,
            )
        case "too_weak_to_hijack":
            return _(
                "%(square)s: your strength %(own)s, %(opponent)s's %(opposing)s, and the height counts too: "
                "you need at least %(needed)s to hijack this stack.",
                **values,
            )
        case "already_reinforced":
            return _("%(square)s: two of your disks are on top; a third is not allowed.", **values)
    return _for_others(side, square, error)


def _for_others(side: Side, square: str, error: IllegalMove) -> Text:
    values = {
        "square": square,
        "side": _COLOURS[side],
        "opponent": _COLOURS[_OTHER[side]],
        **error.figures,
    }
    match error.reason:
        case "too_weak":
            return _(
                "%(square)s: %(side)s's strength %(own)s, %(opponent)s's %(opposing)s: "
                "%(side)s needs at least %(needed)s.",
                **values,
            )
        case "too_weak_to_hijack":
            return _(
                "%(square)s: %(side)s's strength %(own)s, %(opponent)s's %(opposing)s, and the height counts "
                "too: %(side)s needs at least %(needed)s to hijack this stack.",
                **values,
            )
        case "already_reinforced":
            return _("%(square)s: two disks of %(side)s are on top; a third is not allowed.", **values)
        case "centre_first":
            return _("%(square)s: the first disk may not go on the centre of the board.", **values)
    return reason_of(error)
