"""What people write is text on every page: never markup, a template, or an instruction to htmx."""

import re
from datetime import timedelta

import pytest

from app.core.moments import utc_now
from app.core.settings import ROOT
from tests.support.accounts import grant
from tests.support.players import fresh_name

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "\"'--><script>alert(1)</script>",
    '"><svg onload=alert(1)>',
    "<a hx-get=/logout hx-trigger=load>",
    "{{7*7}}{% for x in y %}",
)
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
WRITTEN = re.compile(
    r">[^<]*\{\{ (competition\.title|paragraph|run\.name|key\.name|event\.text|about\.text|applicant\.text"
    r"|team\.(name|text))\b"
)


def assert_harmless(page):
    """Check that hostile texts are shown, and shown as texts."""
    assert page.status_code in (200, 422)
    assert not re.search(r"<(img src=x|script>|svg onload|a hx-get=/logout)", page.text)
    assert re.search(r"&lt;(img|script|svg|a hx-get)|\{\{7\*7\}\}", page.text)


@pytest.mark.parametrize("text", HOSTILE)
def test_names_of_runs_and_tokens_are_text(visitor, text):
    visitor.register()
    assert_harmless(visitor.http.post("/account/tokens", data={"name": text, "scope": "read"}))
    run = visitor.http.post("/nugget/runs").url.path
    assert_harmless(visitor.http.post(f"{run}/name", data={"name": text}))
    assert_harmless(visitor.http.get("/nugget"))


@pytest.mark.parametrize("text", HOSTILE)
def test_what_players_tell_about_themselves_is_text(visitor, text):
    visitor.register()
    assert_harmless(visitor.http.post("/account/profile", data={"text": text}))
    assert_harmless(visitor.http.get(f"/players/{visitor.username}"))


@pytest.mark.parametrize("text", HOSTILE)
def test_what_an_organiser_writes_is_text(database_url, visitor, text):
    visitor.register()
    grant(database_url, visitor, "organiser")
    form = {
        "title": f"{text} {fresh_name()}",
        "text": text,
        "starts_at": (utc_now() - timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M"),
        "ends_at": (utc_now() + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M"),
        "min_boards": "20",
        "max_boards": "50",
        "visibility": "open",
    }
    assert_harmless(visitor.http.post("/nugget/competitions", data=form))
    assert_harmless(visitor.http.get("/nugget/competitions"))
    assert_harmless(visitor.http.post("/nugget/competitions", data={**form, "min_boards": "1"}))


@pytest.mark.parametrize("text", HOSTILE)
def test_records_and_forms_that_are_shown_again_are_text(visitor, text):
    record = f'[Game "jadejack"]\n[Options "size=9"]\n[Event "{text.replace(chr(34), chr(39))}"]\n\n1. c4\n'
    assert_harmless(visitor.http.post("/import", data={"record": record}))
    assert_harmless(visitor.http.post("/register", data={"username": text, "password": "x"}))
    assert_harmless(visitor.http.get("/login", params={"next": f"/{text}"}))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_escape_everything_and_hide_texts_from_htmx(path):
    text = path.read_text()
    assert not re.search(r"\|\s*safe\b|autoescape false", text)
    for line in text.splitlines():
        if WRITTEN.search(line) and "block title" not in line and "unseen" not in line:
            assert "data-hx-ignore" in line


def test_no_template_is_made_of_text():
    sources = "".join(path.read_text() for path in (ROOT / "app").rglob("*.py"))
    assert not re.search(r"from_string|\bpickle\b|(?<![.\w])(eval|exec)\(", sources)
