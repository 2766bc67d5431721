"""Everything that reads text of strangers, given mutations of the texts in `corpus/`.

A text that once broke a parser is kept there: one file for each, in the folder of its parser.
"""

import contextlib
import functools
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.game import IllegalMove, MoveSyntaxError
from engine.game_record import RecordError, parse, to_text
from engine.golden_nugget.board import START
from engine.golden_nugget.entry import Verdict, verify_file
from engine.golden_nugget.play import IllegalPush, Play
from engine.registry import FOR_TWO, SOLITAIRE
from tests.support.effort import cases

CORPUS = Path(__file__).parent / "corpus"
RULES = [*FOR_TWO.values(), *SOLITAIRE.values()]
EXAMPLES = cases(200)  # of each parser

_PIECES = st.one_of(
    st.sampled_from(
        ["\0", "\n", "\r\n", "\t", " ", "\ufeff", "\ud800", "\u0663", "-1", "9" * 25, "é", '"', "["]
    ),
    st.text(max_size=6),
)


@functools.cache
def texts(folder):
    """Return the texts of a folder of the corpus."""
    return [path.read_text() for path in sorted((CORPUS / folder).iterdir())]


@st.composite
def mutations(draw, folder):
    """Return a text of the corpus in which pieces were inserted, deleted, repeated or exchanged."""
    text = draw(st.sampled_from(texts(folder)))
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 40)))
        piece = draw(st.one_of(_PIECES, st.just(text[start:end] * 2), st.just("")))
        text = text[:start] + piece + text[end:]
    return text


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules.key}-{len(rules.sides)}")
def test_positions(rules):
    @settings(max_examples=EXAMPLES, deadline=None)
    @given(mutations("positions"))
    def check(text):
        try:
            position = rules.parse(text)
        except MoveSyntaxError:
            return
        assert rules.parse(rules.format(position)) == position
        rules.score(position)
        for move in rules.legal_moves(position)[:3]:
            rules.play(position, move)

    check()


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules.key}-{len(rules.sides)}")
def test_moves(rules):
    position = rules.initial({name: allowed.default for name, allowed in rules.options.items()})

    @settings(max_examples=EXAMPLES, deadline=None)
    @given(mutations("moves"))
    def check(text):
        try:
            after = rules.play(position, text)
        except (MoveSyntaxError, IllegalMove):
            return
        assert text in rules.legal_moves(position)
        assert after != position

    check()


@settings(max_examples=EXAMPLES, deadline=None)
@given(mutations("records"))
def test_records_of_games(text):
    try:
        record = parse(text)
    except RecordError:
        return
    assert parse(to_text(record)) == record
    with contextlib.suppress(RecordError):
        record.positions()


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.one_of(mutations("nugget").map(lambda text: text.encode(errors="surrogatepass")), st.binary()))
@example(b"\xff\xfeb\0o\0")
def test_record_files_of_golden_nugget(data):
    verdict = verify_file(data)
    assert isinstance(verdict, Verdict)
    assert verdict.valid == (verdict.as_json()["errors"] == [])


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.lists(mutations("commands"), max_size=3))
def test_commands_of_golden_nugget(commands):
    play = Play(1, START)
    for command in commands:
        try:
            play = play.commanded(command)
        except IllegalPush:
            continue
    assert 0 <= len(play.made) <= len(commands)
