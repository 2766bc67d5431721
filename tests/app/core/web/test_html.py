"""The HTML of every page, as each kind of reader gets it, is what the W3C's checker accepts."""

import json
import re
import shutil
import subprocess
from collections import defaultdict
from html import unescape
from urllib.parse import urljoin

import pytest

from app.core.settings import ROOT
from app.people.identity.viewer import signed_in
from tests.support.page_paths import page_paths
from tests.support.routes import calls

VNU = ROOT / ".ci/node_modules/vnu-jar/build/dist/vnu.jar"


@pytest.fixture(scope="module")
def answers(example_site):
    """Return the answers to all readers of all pages by the route of the page."""
    answers = defaultdict(list)
    for route, paths in page_paths().items():
        for path in paths:
            for reader in example_site.readers.values():
                answer = reader.http.get(path.format(**example_site.ids), follow_redirects=False)
                answers[route].append(answer)
    return answers


def test_every_page_has_an_example(answers):
    missing = [route for route, seen in answers.items() if min(answer.status_code for answer in seen) >= 400]
    assert missing == []


def test_sentences_are_apart(answers):
    """Jinja drops the line end after a tag, so sentences that follow each other need a space between."""
    inline = re.compile(r"</?(?:a|b|i|em|strong|small|span|time|abbr|code|kbd)\b[^>]*>")
    glued = {
        (route, "".join(found))
        for route, seen in answers.items()
        for answer in seen
        for found in re.findall(r"(\w*[a-zß-ž%])([.!?][A-ZÀ-Ž][a-zß-ž]+ )", inline.sub("", answer.text))
    }
    assert glued == set()


def test_pages_have_the_pieces_that_their_boards_use(answers):
    used, missing = set(), set()
    for route, seen in answers.items():
        for answer in seen:
            pieces = set(re.findall(r'<use href="#([\w-]+)"', answer.text))
            used |= pieces
            missing |= {(route, each) for each in pieces if f'id="{each}"' not in answer.text}
    assert {"disk-black", "disk-white"} <= used
    assert missing == set()


def test_every_form_has_a_button_that_sends_it(answers):
    """Also for readers who may not do what it is for: they get no form."""
    sends = re.compile(r'<button\b(?![^>]*type="(?:button|reset)")|<input[^>]*type="(?:submit|image)"')
    without = {
        (route, attributes)
        for route, seen in answers.items()
        for answer in seen
        for attributes, inside in re.findall(r"<form\b([^>]*)>(.*?)</form>", answer.text, re.DOTALL)
        if not sends.search(inside)
        and not ((name := _attribute(attributes, "id")) and f'form="{name}"' in answer.text)
    }
    assert without == set()


def test_hidden_fields_are_within_their_forms(answers):
    """Text browsers such as Lynx do not know the attribute `form`, and would not send them."""
    field = re.compile(r"<input[^>]*hidden[^>]*\sform=[^>]*>")
    outside = [
        (route, field.findall(answer.text))
        for route, seen in answers.items()
        for answer in seen
        if field.search(answer.text)
    ]
    assert outside == []


def test_buttons_beside_a_form_are_within_it_for_text_browsers(answers):
    """A button with the attribute `form` has a copy within that form, unless scripts fill it in.

    Those of moves made need none: other buttons lead there step by step.
    """
    found, missing = set(), set()
    for route, seen in answers.items():
        for answer in seen:
            for button in re.findall(r'<button[^>]*\sform="[^>]*>', answer.text):
                form, name, value = (_attribute(button, each) for each in ("form", "name", "value"))
                if not value or re.search(r'play-move|analysis-move|type="button"', button):
                    continue
                inside = answer.text.partition(f'<form id="{form}"')[2].partition("</form>")[0]
                found.add(form)
                if f'name="{name}" value="{value}"' not in inside:
                    missing.add((route, form, name, value))
    assert {"move-form", "lesson-board", "line", "board", "go", "commands"} <= found
    assert missing == set()


def _attribute(tag, name):
    found = re.search(rf'\s{name}="([^"]*)"', tag)
    return found[1] if found else ""


def test_the_checker_of_the_w3c_finds_no_fault(answers, tmp_path):
    if not (VNU.exists() and shutil.which("java")):
        pytest.skip("the W3C's checker is not installed: Java and `npm ci --prefix .ci` run this test, too")
    for seen in answers.values():
        for answer in seen:
            if answer.text.startswith("<!doctype html>"):
                (tmp_path / f"{len([*tmp_path.iterdir()])}.html").write_text(answer.text)
    done = subprocess.run(
        ["java", "-jar", VNU, "--format", "json", "--exit-zero-always", tmp_path],
        capture_output=True,
        check=True,
    )
    faults = {(fault["message"], fault.get("extract")) for fault in json.loads(done.stderr)["messages"]}
    assert faults == set()


def needs_account(dependant):
    """Return whether a handler refuses visitors: some dependency of it is that of signed-in accounts."""
    return any(each.call is signed_in or needs_account(each) for each in dependant.dependencies)


def test_no_button_of_a_visitor_demands_to_log_in(answers, example_site):
    """Who has no account gets a link to register or to log in instead, or becomes a guest by the form."""
    posts = {re.sub(r"\{[^}]+\}", "[^/]+", call.path): call for call in calls() if call.method == "POST"}
    place, readers = list(example_site.readers).index("nobody"), len(example_site.readers)
    seen_by_visitors = [answer for seen in answers.values() for answer in seen[place::readers]]
    form = re.compile(r'<form\b[^>]*method="post"[^>]*action="([^"?]+)[^>]*>(.*?)</form>', re.DOTALL)
    actions = {
        action
        for answer in seen_by_visitors
        for action, content in form.findall(answer.text)
        if re.search(r"<button\b(?![^>]*\bdisabled)", content)
    }
    assert len(actions) > 5
    # A path of fixed words goes before one with parameters.
    handlers = {
        action: min((each for each in posts if re.fullmatch(each, action)), key=lambda each: each.count("["))
        for action in actions
    }
    assert {
        action for action, each in handlers.items() if needs_account(posts[each].route.dependant)
    } == set()


def test_a_row_of_a_game_begins_with_its_board(answers, example_site):
    row = re.compile(r'<a class="row-link" href="/games/(\w+)">\s*(.*?)>', re.DOTALL)
    readers = list(example_site.readers.values())
    pictures = {
        (place % len(readers), game, *re.findall(r'src="([^"]+)"', start))
        for route, seen in answers.items()
        if route != "/notifications"  # which lists what happened
        for place, answer in enumerate(seen)
        for game, start in row.findall(answer.text)
    }
    assert len({game for _reader, game, *_picture in pictures}) > 5
    for reader, game, *found in pictures:
        assert found == [f"/games/{game}/board.svg"]
        picture = readers[reader].http.get(found[0])
        assert picture.headers["content-type"] == "image/svg+xml"
        assert "prefers-color-scheme:dark" in picture.text


def test_a_tab_leads_to_a_page_with_the_same_tabs(answers, example_site):
    tabs = re.compile(r'<nav class="tabs\b[^>]*aria-label="([^"]+)">(.*?)</nav>', re.DOTALL)
    links = {
        (position, urljoin(str(answer.url), unescape(link)), label)
        for seen in answers.values()
        for position, answer in enumerate(seen)
        for label, content in tabs.findall(answer.text)
        for link in re.findall(r'href="([^#"][^"]*)"', content)
    }
    assert len(links) > 50
    readers = list(example_site.readers.values())
    led_astray = set()
    for position, link, label in links:
        there = readers[position % len(readers)].http.get(link, follow_redirects=True)
        content = dict(tabs.findall(there.text)).get(label, "")
        if "aria-current" not in content:
            led_astray.add((link, label))
    assert led_astray == set()
