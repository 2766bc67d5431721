"""Everything that pages have to name in a game of the registry has a name, and every side a mark."""

import pytest

from app.core.settings import ROOT
from app.core.web.filters import figure_name, side_name
from app.play.games import export
from app.play.lobby.presenter import option_fields
from engine.game import Side
from engine.registry import FOR_TWO, SOLITAIRE


@pytest.mark.parametrize("rules", FOR_TWO.values(), ids=FOR_TWO)
def test_options_have_labels(rules):
    assert all(label for _name, label, _choices in option_fields(rules))


@pytest.mark.parametrize("rules", SOLITAIRE.values(), ids=SOLITAIRE)
def test_a_tie_break_has_a_label(rules):
    assert rules.tie_break is None or figure_name(rules.tie_break)


@pytest.mark.parametrize("side", Side)
def test_a_side_has_a_name_a_mark_and_a_presence_indicator(side):
    disks, seats = ((ROOT / "static" / "css" / name).read_text() for name in ("disk.css", "seat.css"))
    assert side_name(side)
    assert f".disk-{side}" in disks
    assert side is Side.SOLO or f".seat-{side} .presence" in seats


@pytest.mark.parametrize(
    ("spent", "text"),
    [
        (None, "-"),
        (0, "0"),
        (3_214, "3.214"),
        (1_234_567, "1234.567"),
        (1_209_600_000, "1209600"),
        (2_419_200_001, "2419200.001"),
    ],
)
def test_a_record_has_the_time_of_each_move_to_the_millisecond(spent, text):
    assert export._seconds(spent) == text
