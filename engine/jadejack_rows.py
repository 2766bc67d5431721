"""Rows of JadeJack's position strings: stacks of disks from left to right, such as `2(bw)5`."""

import re
from collections.abc import Sequence

from engine.game import MoveSyntaxError, quoted

MAX_HEIGHT = 50
"""The most disks of a stack: no strength exceeds 48, so no higher one is hijacked; two more go on it."""

_ROW_ITEM = re.compile(r"([1-9][0-9]?)(?![0-9])|([bw])|\(([bw]{2,})\)")


def read(text: str, size: int) -> list[str]:
    """Return the stacks of a row of a position string. Raise MoveSyntaxError."""
    stacks: list[str] = []
    start = 0
    while item := _ROW_ITEM.match(text, start):
        empty, lone, stack = item.groups()
        stacks += [""] * int(empty) if empty else [lone or stack]
        start = item.end()
    if start < len(text):
        raise MoveSyntaxError(
            "Row %(row)s has %(rest)s instead of a number, b, w or a stack in (…).",
            row=quoted(text),
            rest=quoted(text[start:]),
        )
    if len(stacks) != size:
        raise MoveSyntaxError(
            "Row %(row)s has %(squares)s squares on a board of %(size)s rows.",
            row=quoted(text),
            squares=len(stacks),
            size=size,
        )
    if any(len(stack) > MAX_HEIGHT for stack in stacks):
        raise MoveSyntaxError("A stack has %(most)s disks at most.", most=MAX_HEIGHT)
    return stacks


def write(stacks: Sequence[str]) -> str:
    """Return a row of a position string."""
    text, gap = "", 0
    for stack in stacks:
        if not stack:
            gap += 1
            continue
        if gap:
            text += str(gap)
            gap = 0
        text += stack if len(stack) == 1 else f"({stack})"
    return text + str(gap) if gap else text
