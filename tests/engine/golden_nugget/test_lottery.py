"""Boards that are drawn by lot follow from their seeds as the documentation says."""

import hashlib
import re
from collections import Counter

from app.core.settings import ROOT
from engine.golden_nugget.lottery import draw
from engine.lottery import commitment

SEED = bytes(range(32))


def drawn_as_documented(seed):
    blocks = list(range(1, 50))
    for counter, place in enumerate(range(49, 1, -1), 1):
        digest = hashlib.sha256(seed + counter.to_bytes(8, "big")).hexdigest()
        other = int(digest, 16) % place + 1
        blocks[place - 1], blocks[other - 1] = blocks[other - 1], blocks[place - 1]
    return tuple(blocks)


def test_a_board_follows_from_its_seed():
    for number in range(50):
        seed = hashlib.sha256(bytes([number])).digest()
        assert draw(seed).cells == drawn_as_documented(seed)
        assert sorted(draw(seed).cells) == list(range(1, 50))


def test_the_example_of_the_documentation_is_right():
    text = (ROOT / "docs" / "golden-nugget-record.md").read_text()
    assert commitment(SEED) in text
    example = re.search(r"its board is\s+`A:([0-9,]+)`", text)[1]
    assert tuple(map(int, example.split(","))) == draw(SEED).cells


def test_every_block_is_on_every_square_equally_often():
    corners = Counter(draw(hashlib.sha256(number.to_bytes(4)).digest()).cells[0] for number in range(4900))
    assert len(corners) == 49
    assert max(corners.values()) < 160
