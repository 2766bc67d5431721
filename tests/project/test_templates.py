"""What holds in every template."""

import re

import pytest

from app.core.settings import ROOT
from engine.registry import GAMES
from tests.project.files import SOURCES, TEMPLATES

_FORBIDDEN = re.compile(r"<script(?![^>]*\bsrc=)|\s(style|(data-)?hx-on\S*|on[a-z]+)=|\bjs:")
"""What the content security policy forbids: scripts and styles within pages."""
_LONGEST_LINE = 120
_NUMBER = re.compile(r"\b(\d+|three|four|five|six|seven|eight|ten|twenty|half|quarter)\b", re.IGNORECASE)


def test_templates_obey_the_content_policy():
    assert [path for path in TEMPLATES if _FORBIDDEN.search(path.read_text())] == []


def test_attributes_of_htmx_have_the_prefix_that_html_demands():
    assert [path for path in TEMPLATES if re.search(r"<(?!hx-partial)[^>]*\shx-", path.read_text())] == []


def test_scripts_name_the_events_of_htmx_as_it_does():
    # It replaces the colons in names of attributes and events by its setting `metaCharacter`.
    assert [path for path in (ROOT / "static" / "js").rglob("*.js") if "htmx:" in path.read_text()] == []


def test_templates_have_short_lines():
    long = {
        (path, number)
        for path in TEMPLATES
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if len(line) > _LONGEST_LINE
    }
    assert long == set()


@pytest.mark.parametrize(("page", "fixed"), [("fair_play", {"1512", "24"}), ("privacy", set())])
def test_rules_have_their_numbers_from_the_code(page, fixed):
    text = (ROOT / "templates" / "pages" / f"{page}.html").read_text()
    read = re.sub(r"\{[{%].*?[%}]\}|<.*?>", "", text, flags=re.DOTALL)
    assert set(_NUMBER.findall(read)) == fixed


def test_every_template_is_used():
    used = "".join(path.read_text() for path in [*SOURCES, *TEMPLATES])
    unused = [
        path
        for path in TEMPLATES
        if re.sub("^(rules|records)_", "", path.stem) not in GAMES
        and f'"{path.relative_to(ROOT / "templates")}"' not in used
    ]
    assert unused == []
