"""Conditional moves as values: lines of plies, each of which begins with a move of the opponent."""

from collections.abc import Sequence
from typing import Any

from app.core.errors import AppError, InvalidError, Members
from app.core.i18n.text import Text, _, ngettext, reason_of
from engine.game import Game, IllegalMove, MoveSyntaxError, Side, shortened

Line = tuple[str, ...]
Lines = tuple[Line, ...]

MOST_LINES = 50
MOST_PLIES = 20


def checked(rules: Game[Any], position: Any, side: Side, lines: Sequence[Sequence[str]]) -> Lines:
    """Return the lines by which a side would answer in a position, without those that others contain.

    Raise InvalidError `illegal_move` (with `line` and `index`), `no_answer`, `two_answers` (with `line`),
    `too_many_lines` or `line_too_long`.
    """
    if len(lines) > MOST_LINES:
        raise InvalidError(
            "too_many_lines",
            ngettext("At most %(count)s line is kept.", "At most %(count)s lines are kept.", MOST_LINES),
        )
    answers: dict[Line, str] = {}
    for number, line in enumerate(map(tuple, lines)):
        for before, move in _answers(rules, position, side, number, line):
            if answers.setdefault(before, move) != move:
                raise _invalid("two_answers", number, _("It has another answer to the same moves."))
    distinct = dict.fromkeys(map(tuple, lines))
    return tuple(line for line in distinct if not any(_contains(other, line) for other in distinct))


def left_of(lines: Lines, played: Line) -> Lines:
    """Return what is left of the lines after some plies were played."""
    return tuple(line[len(played) :] for line in lines if _contains(line, played))


def parted_at(lines: Lines, played: Line) -> list[int]:
    """Return the index of the ply at which the game parted from each line that expected another one."""
    return [index for line in lines if (index := _first_difference(line, played)) is not None]


def _first_difference(line: Line, played: Line) -> int | None:
    pairs = zip(line, played, strict=False)
    return next((index for index, (expected, move) in enumerate(pairs) if expected != move), None)


def _contains(line: Line, start: Line) -> bool:
    return len(line) > len(start) and line[: len(start)] == start


def _answers(rules: Game[Any], position: Any, side: Side, number: int, line: Line) -> list[tuple[Line, str]]:
    """Return the side's moves in a line, each with the plies before it."""
    if len(line) > MOST_PLIES:
        raise _invalid("line_too_long", number, _("It has more than %(most)s moves.", most=MOST_PLIES))
    answers = []
    for index, move in enumerate(line):
        if rules.side_to_move(position) == side:
            answers.append((line[:index], move))
        try:
            position = rules.play(position, move)
        except IllegalMove as error:
            raise _illegal(number, index, move, reason_of(error), error.reason) from None
        except MoveSyntaxError as error:
            raise _illegal(number, index, move, reason_of(error), "syntax") from None
    if not answers or answers[-1][0] != line[:-1]:
        raise _invalid("no_answer", number, _("It must end with one of your moves."))
    return answers


def _illegal(number: int, index: int, move: str, message: Text, reason: str) -> AppError:
    sentence = _("%(move)s is not possible. %(reason)s", move=shortened(move), reason=message)
    return _invalid("illegal_move", number, sentence, {"index": index, "reason": reason})


def _invalid(code: str, number: int, message: Text, where: Members | None = None) -> AppError:
    sentence = _("Line %(number)s: %(message)s", number=number + 1, message=message)
    return InvalidError(code, sentence, extra={**(where or {}), "line": number})
