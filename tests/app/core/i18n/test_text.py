"""Texts: English for programs, the reader's language in templates."""

from datetime import date

import pytest
from markupsafe import escape

from app.core import json
from app.core.i18n import text as texts
from app.core.i18n.catalogue import Catalogue
from app.core.i18n.formats import number
from app.core.i18n.languages import preferred, reading
from app.core.i18n.text import _, ngettext, pgettext

POLISH = Catalogue(
    {
        ("", "%(player)s is to move"): ("Na ruchu: %(player)s",),
        ("", "%(count)s point"): (
            "%(count)s punkt",
            "%(count)s punkty",
            "%(count)s punktów",
            "%(count)s punktu",
        ),
        ("", "Won by %(points)s"): ("Wygrana o %(points)s",),
        ("a game", "Over"): ("Skończona",),
    },
    "(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2)",
)


@pytest.fixture
def polish(monkeypatch):
    """Read in Polish, with the messages above."""
    monkeypatch.setattr(texts, "catalogue", {"pl": POLISH}.__getitem__)
    with reading("pl"):
        yield


def points(count):
    return ngettext("%(count)s point", "%(count)s points", count)


def test_a_text_is_its_english_for_programs_and_translated_where_it_is_drawn(polish):
    text = _("%(player)s is to move", player="<wren>")
    assert text == "<wren> is to move"
    assert json.decode(json.encode([text])) == ["<wren> is to move"]
    assert escape(text) == "Na ruchu: &lt;wren&gt;"


@pytest.mark.usefixtures("polish")
@pytest.mark.parametrize(
    ("count", "polish_text", "english"),
    [
        (1, "1 punkt", "1 point"),
        (3, "3 punkty", "3 points"),
        (12, "12 punktów", "12 points"),
        (3.5, "3,5 punktu", "3.5 points"),
        (4.0, "4 punkty", "4 points"),
    ],
)
def test_a_count_takes_its_plural_form_and_a_fraction_the_last_one(count, polish_text, english):
    assert points(count) == english
    assert points(count).translated() == polish_text


def test_texts_numbers_dates_and_lists_within_a_text_are_translated_too(polish):
    assert _("Won by %(points)s", points=points(11.5)).translated() == "Wygrana o 11,5 punktu"
    listed = _("%(players)s since %(day)s", players=("wren", "robin", "tit"), day=date(2026, 11, 21))
    assert listed == "wren, robin and tit since 21 Nov 2026"
    assert listed.translated() == "wren, robin i tit since 21 lis 2026"
    assert number(12.5) == "12,5"


def test_the_context_tells_texts_apart_and_what_is_not_translated_stays_english(polish):
    assert pgettext("a game", "Over").translated() == "Skończona"
    assert _("Over").translated() == "Over"


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("pl", "pl"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("qaa,es;q=0.5,pl;q=0.7", "pl"),  # no language will ever have this code
        ("pl;q=0,*", "en"),
        ("de; q=0.9, en ;Q=0.5", "de"),
        ("qaa", "en"),
        ("", "en"),
        ("pl;q=x,,;;", "en"),
    ],
)
def test_the_browsers_languages_are_tried_in_its_order(header, language):
    assert preferred(header) == language
