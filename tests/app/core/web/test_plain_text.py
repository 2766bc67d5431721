"""What players write: every text member of every form and request goes through the functions for texts."""

import importlib
import pkgutil
import unicodedata
from itertools import combinations, product
from typing import Annotated, get_args, get_origin

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter, ValidationError

import app
from app.core.web.bodies import RequestBody
from app.core.web.plain_text import lines, one_line, words
from tests.support.effort import cases

# Every blank that is not a space: fillers, joiners, selectors, vowels that are not drawn, controls.
INVISIBLE = (
    *"\u3164\uffa0\u2800\u034f\ufe0f\ufe00\u17b4\u17b5\u180b\u180e\u115f\u1160\u061c\u200b\u200c\u200d\u200e\u200f",
    *"\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2064\u2066\u2067\u2068\u2069\u206f\ufeff\u00ad\ufffc\ufff9\ufffb",
    *"\U000e0001\U000e0020\U000e007f\U000e0100\U0001d159\U0001d173\U00013441\U00013442\U0001bca0\U00016fe4",
    *"\t\n\x00\x07\x7f\x85\u2028\u2029\u00a0\u3000\u2003\ue000\ud800\udfff\U000f0000\u0378",
)
MARKS = ("\u0300", "\u0489", "\u20dd", "\u0e47", "\u064b", "\u0f74", "\u1ab0", "\ufe20")
FINE = (
    *("Größe", "Ünïcødé", "Zażółć gęślą jaźń", "Tiếng Việt", "ﷺ", "日本語", "한국어", "ไทย น้ำ", "हिन्दी क्‍ष"),
    *("שָׁלוֹם", "مُحَمَّد", "می‌خواهم", "မြွှေ့", "བསྒྲུབས", "ශ්‍රී", "Ελληνικά", "Русский", "葛󠄀", "ᠮᠣᠩ᠋"),
    *("👩‍❤️‍💋‍👨", "🏳️‍🌈", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "👍🏽", "🇵🇱", "1️⃣", "❤️", "☺︎", "a < b & \"c\" 'd' {e}", "x²", "½"),
)
# What a joiner, a selector or a tag may follow, and these themselves.
JOINED = (*"aé1漢각가ᠠखک\u0f40👩🏴☂🏽 \n", *"\u200c\u200d\ufe0f\u180b\u0301\u094d\u20e3\U000e0067\U000e007f")
# Members that are looked up, compared or parsed, and never shown as what somebody wrote.
KEYS = {
    *("username", "opponent", "new_name", "player", "password", "current_password", "new_password", "code"),
    *("email", "token", "pending", "credential", "next", "language", "languages", "country", "links"),
    *(
        "game",
        "sha256",
        "size",
        "side",
        "time",
        "position",
        "move",
        "moves",
        "at",
        "symbol",
        "lines",
        "add",
        "commands",
    ),
    *("cursor", "running", "filling"),
    *("record", "boards", "competition", "team", "place", "subject", "greeting", "reason", "offer", "mine"),
    *("endpoint", "terms", "p256dh", "auth", "tree", "level", "name", "comment", "options", "series", "cron"),
}
# Of those, the members that are keys in some models only.
KEYS_OF = {
    "reason": {"DeclineRequest", "DeclineForm"},
    "name": {"NewRun", "RunRenamed"},  # a service writes it by `words`: see `app.nugget.runs`
    "comment": {"EditForm", "AnalysisQuery", "StudyEdit"},  # so is this one, see `app.learn.studies.analysis`
}


def request_models():
    for module in pkgutil.walk_packages(app.__path__, "app."):
        base = BaseModel if module.name.endswith(".forms") else RequestBody
        for value in vars(importlib.import_module(module.name)).values():
            is_model = isinstance(value, type) and issubclass(value, base)
            if is_model and value.__module__ == module.name:
                yield value


def texts():
    """Yield every text member of every form and request: its model, its name and its type."""
    for model in request_models():
        for name, member in model.model_fields.items():
            kinds = {member.annotation, *get_args(member.annotation)}
            if str in {get_args(kind)[0] if get_origin(kind) is Annotated else kind for kind in kinds}:
                yield model, name, TypeAdapter(Annotated[member.annotation, None, *member.metadata])


WRITTEN = [
    pytest.param(adapter, id=f"{model.__name__}.{name}")
    for model, name, adapter in texts()
    if name not in KEYS or model.__name__ not in KEYS_OF.get(name, {model.__name__})
]


def taken(adapter, text):
    """Return what a member makes of a text, or None if it refuses it."""
    try:
        return adapter.validate_python(text)
    except ValidationError:
        return None


def assert_legible(text):
    assert not [
        character for character in text if unicodedata.category(character) in ("Cs", "Co", "Zl", "Zp")
    ]
    assert not set(text) & set(
        "\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u3164\u2800\u034f\u115f\0\u200b\ufeff"
    )
    assert unicodedata.is_normalized("NFC", text)
    run = 0
    for character in text:
        run = run + 1 if unicodedata.category(character).startswith("M") else 0
        assert run <= 5


def test_there_are_texts_to_look_at():
    assert len(WRITTEN) >= 15


@pytest.mark.parametrize("adapter", WRITTEN)
def test_what_nobody_sees_is_no_text(adapter):
    for one, other in product(INVISIBLE, repeat=2):
        assert not taken(adapter, f"{one}{other}{one}")
    for few in combinations(INVISIBLE, 3):
        assert not taken(adapter, "".join(few))
    for mark in MARKS:
        assert not taken(adapter, mark * 4)


@pytest.mark.parametrize("adapter", WRITTEN)
def test_texts_are_normal_and_legible(adapter):
    for character in (*INVISIBLE, *MARKS):
        text = taken(adapter, f"Cafe\u0301 {character * 9}d{character}e{character * 20} \u202ef")
        assert text is None or assert_legible(text) is None
    assert taken(adapter, "Cafe\u0301") == taken(adapter, "Café") == "Café"


@pytest.mark.parametrize("adapter", WRITTEN)
def test_texts_of_all_scripts_and_emoji_stay(adapter):
    for text in FINE:
        longer = f"{text} {text}"  # a title is not short
        assert taken(adapter, longer) == unicodedata.normalize("NFC", longer)


@pytest.mark.parametrize("adapter", WRITTEN)
@pytest.mark.parametrize(
    "letter", ["a", "\u0958", "\ufb2c"]
)  # of which normal form makes two and three letters
def test_limits_hold_for_what_is_stored(adapter, letter):
    for power in range(13):  # one of which is near each limit
        stored = taken(adapter, letter * 2**power)
        assert stored is None or taken(adapter, stored) == stored


@given(st.text(st.sampled_from(JOINED) | st.sampled_from((*INVISIBLE, *MARKS)), max_size=60))
@settings(max_examples=cases(1_000))
@example("\u06a9\u200c\u115f")  # the letter after the joiner is an invisible one
@example("\u0f40\u1ab0\u0f74\u200c\u0f40")  # the marks before it are put in order
@example("\ufe0f\u180b\u180b")
def test_every_text_is_legible_and_stays_as_it_is(text):
    for function in (words, lines):
        once = function(text)
        assert function(once) == once
        assert_legible(once)
        assert once == "" or any(unicodedata.category(character)[0] in "LNPS" for character in once)


def test_lines_stay_lines():
    assert lines(" One \n\n\n\n Two\u3164\nThree ") == "One\n\nTwo\nThree"
    assert one_line("One\nTwo") == "One Two"


def test_comments_of_studies_are_legible(program):
    study = {"game": "jadejack", "title": "Zalgo", "options": {"size": 9}}
    study["tree"] = f"c4 {{a{MARKS[0] * 400} \u202eb}} g6 {{\u3164}}"
    made = program.http.post("/studies", json=study)
    tree = program.http.get(f"/studies/{made.json()['id']}").json()["tree"]
    assert_legible(tree)
    assert "\u202e" not in tree
    assert "g6 {" not in tree
