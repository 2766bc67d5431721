"""The eggs that stand for players."""

import re
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from app.core.web.avatars import avatar

NAMES = st.text(min_size=1, max_size=32)


@given(NAMES)
def test_a_name_has_one_egg_in_any_case_with_its_spots_inside(name):
    egg = avatar(name)
    assert egg == avatar(name)
    assert avatar(name.upper()) == avatar(name.upper().casefold())
    ET.fromstring(egg)
    for x, y in re.findall(r"M([0-9.]+) ([0-9.]+)h0", egg):
        assert 1 < float(x) < 15
        assert 2 < float(y) < 18.5


def test_names_have_different_eggs():
    assert len({avatar(f"player-{number}") for number in range(1000)}) == 1000
