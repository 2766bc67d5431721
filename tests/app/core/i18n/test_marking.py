"""Every text that players read is marked for translation, and translated into every language."""

import ast
import re
from html.parser import HTMLParser

import pytest

from app.core.i18n.catalogue import forms_of
from app.core.i18n.extraction import problems, read
from app.core.settings import ROOT

TEMPLATES = sorted(path for path in (ROOT / "templates").rglob("*.html") if path.stem != "api_docs")

_NAMES = {"Gorrion", "JadeJack", "Golden", "Nugget", "Jumping", "Farther", "Up", "And", "Esc", "Tab"}
_SPOKEN = {"title", "aria-label", "placeholder", "alt", "content"}
_NOT_TEXT = {"script", "style", "code", "pre", "svg", "kbd"}
_MARKED = re.compile(r'_\("[^"]*"')
_LITERAL = re.compile(r'"([^"]*)"')
_PATH = re.compile(r"M[\dMmHhVvLlAaQqCcSsTtZz .-]+")  # what an icon draws
_NO_TEXTS = r"\{% block (?:attributes|body_class|kind|picture) %\}.*?(?=\{% endblock)"
_CLASS_OR_ADDRESS = re.compile(r"(?=.*[-/?=])[a-z0-9/?=&.-]+")


def unmarked(source):
    """Return the texts of a template that are not marked."""
    source = re.sub(r"\{#.*?#\}|\{%-?\s*trans\b.*?endtrans\s*-?%\}", "", source, flags=re.DOTALL)
    found = []
    for code in re.findall(r"\{[{%].*?[%}]\}", source, flags=re.DOTALL):
        if not re.match(r"\{%-?\s*(from|import|include|extends|macro|set path)\b", code):
            found += [text for text in _LITERAL.findall(_MARKED.sub("", code)) if _is_sentence(text)]
    source = re.sub(_NO_TEXTS, "", source, flags=re.DOTALL)
    markup = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", source, flags=re.DOTALL)
    parser = _Texts()
    parser.feed(markup)
    return found + parser.found


def _is_sentence(text):
    """Return whether a string in a template's code is a text rather than a class, a key or an address."""
    words = re.findall(r"[A-Za-z]{2,}", text)
    if text == "UTC" or _PATH.fullmatch(text):
        return False
    return text[:1].isupper() and bool(words) and not set(words) <= _NAMES


class _Texts(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []
        self.inside = []

    def handle_starttag(self, tag, attributes):
        if tag in _NOT_TEXT:
            self.inside.append(tag)
        named = dict(attributes)
        is_metadata = tag == "meta" and named.get("name") != "description"
        for name in _SPOKEN & set(named):
            if not is_metadata:
                self._note(named[name] or "")

    def handle_endtag(self, tag):
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, text):
        if not self.inside:
            self._note(text)

    def _note(self, text):
        if _PATH.fullmatch(text) or text == "UTC":
            return
        written = " ".join(word for word in text.split() if not _CLASS_OR_ADDRESS.fullmatch(word))
        if not set(re.findall(r"[A-Za-z]{2,}", written)) <= _NAMES:
            self.found.append(" ".join(text.split()))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_the_texts_of_templates_are_marked(path):
    assert unmarked(path.read_text()) == []


@pytest.mark.parametrize(
    "template",
    [
        "<p>Your games</p>",
        '<a aria-label="Close">×</a>',
        '{{ field("title", "Title") }}',
        "{% trans %}Yes{% endtrans %} <b>and {{ more }}</b>",
        '{{ _("Marked") if marked else "Not marked" }}',
    ],
)
def test_a_text_that_is_not_marked_is_found(template):
    assert len(unmarked(template)) == 1


_MARKS = {"_", "ngettext", "pgettext", "npgettext"}


def marked_within_f_strings(source):
    """Return the lines of Python code that mark a text within an f-string, where none is collected."""
    f_strings = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.JoinedStr))
    calls = (node for string in f_strings for node in ast.walk(string) if isinstance(node, ast.Call))
    return [call.lineno for call in calls if isinstance(call.func, ast.Name) and call.func.id in _MARKS]


def test_no_text_is_marked_within_an_f_string():
    code = [path for folder in ("app", "engine") for path in (ROOT / folder).rglob("*.py")]
    found = {str(path): marked_within_f_strings(path.read_text()) for path in code}
    assert {path: lines for path, lines in found.items() if lines} == {}
    assert marked_within_f_strings("f\"<b>{escape(_('Board'))}</b>\"") == [1]


_MADE_OF_TEXTS = {
    "ExplainedError",
    "IllegalMove",
    "IllegalPush",
    "MoveSyntaxError",
    "RecordError",
    "ReplayError",
    "VariationsError",
    "report",
}


def test_no_text_of_the_engine_is_an_f_string():
    """Its placeholders have names, since no f-string is collected."""
    trees = {path: ast.walk(ast.parse(path.read_text())) for path in (ROOT / "engine").rglob("*.py")}
    calls = ((path, node) for path, nodes in trees.items() for node in nodes if isinstance(node, ast.Call))
    assert [
        (path.name, call.lineno)
        for path, call in calls
        if getattr(call.func, "id", getattr(call.func, "attr", "")) in _MADE_OF_TEXTS
        and any(isinstance(argument, ast.JoinedStr) for argument in call.args)
    ] == []


def test_the_catalogues_are_complete_and_can_be_drawn():
    assert problems() == []


def test_the_header_of_a_new_catalogue_is_like_those_of_the_others():
    new, polish = (dict(read(language).mime_headers) for language in ("la", "pl"))
    assert new["Language-Team"] == "Latin"
    for name in ("Project-Id-Version", "Report-Msgid-Bugs-To", "Last-Translator", "Content-Type"):
        assert new[name] == polish[name]
    assert not re.search("[A-Z]{3}", read("la").header_comment + new["PO-Revision-Date"])


def test_polish_has_no_number_after_z_that_may_be_a_hundred():
    """It would be „ze 100”: what is left are squares, days, years and numbers that stay small."""
    forms = (form for message in read("pl") for form in forms_of(message.string))
    found = {name for form in forms for name in re.findall(r"\bz (?:<\w+>)?%\((\w+)\)s", form)}
    assert found == {"last", "moment", "rounds", "steps", "year"}


def test_a_match_in_polish_is_not_said_to_last_until_a_number_of_wins():
    """The best of 3 games ends with the second win, and the first to win 3 is another match."""
    forms = forms_of(read("pl").get("best of %(count)s games").string)
    assert [form for form in forms if re.search("zwycięstw|wygran(ych|ej)", form)] == []
