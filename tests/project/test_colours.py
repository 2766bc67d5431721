"""What is drawn on a board can be told from it, on every board and in both themes."""

import re

import pytest

from tests.project.files import read

_BLOCK = re.compile(r"([^{}]+)\{([^{}]*)\}")
_TOKEN = re.compile(r"--([\w-]+): ([^;]+);")
_PAIR = re.compile(r"light-dark\((.+), (.+)\)")
_CLEAR = 3
"""The contrast that graphics need, by WCAG 1.4.11."""


def _boards():
    """Return the tokens of each board, by its name."""
    sheets = read("static/css/tokens.css") + read("static/css/themes.css")
    blocks = [(selector.strip(), dict(_TOKEN.findall(tokens))) for selector, tokens in _BLOCK.findall(sheets)]
    woods = {selector: tokens for selector, tokens in blocks if "#" in tokens.get("wood", "")}
    return {selector: woods[":root"] | tokens for selector, tokens in woods.items()}


BOARDS = _boards()


def _luminance(colour):
    digits = colour.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    shares = (int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4))
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one, other):
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_all_boards_are_found():
    assert len(BOARDS) == 4


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("wood", ["wood", "wood-dark"])
def test_marks_and_disks_are_clear_on_every_board(board, theme, wood):
    def against(token):
        colours = (BOARDS[board][name] for name in (token, wood))
        return _contrast(*(_PAIR.sub(lambda pair: pair[1 + theme], colour) for colour in colours))

    black, white = against("black-hue"), against("white-hue")
    assert min(black, white) >= _CLEAR
    assert max(black, white) / min(black, white) < 1.35  # neither side seems to be stronger
    assert against("black-face") >= _CLEAR
    assert max(against("white-face"), against("white-rim")) >= _CLEAR
    assert against("on-wood") >= 4.5  # figures
