"""Sentences for people: they repeat little of what was sent, however much that was."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import game_record
from engine.game import ExplainedError, with_defaults
from engine.golden_nugget import audit, bounds, entry
from engine.golden_nugget.board import START
from engine.golden_nugget.play import Play
from engine.puzzles.rules import ONE_BOARD
from engine.registry import FOR_TWO, SOLITAIRE
from tests.support.effort import cases

LONGEST = 1_000  # characters: some words, and characters that are written as `\U0001f600`
RULES = {**{f"{key}-two": game for key, game in FOR_TWO.items()}, **SOLITAIRE, "one_board": ONE_BOARD}

floods = st.builds(
    lambda start, unit, end: start + unit * 20_000 + end,
    st.sampled_from(["", "a", "8/8/8/8/8/8/8/8 ", "8/8/8/8/8/8/8/8 b ", "5:", "A:", "5:a1 0 ", "to:"]),
    st.sampled_from(["9", "b", "x", "\0", "😀", "'", "%(text)s", "a1,", "8/"])
    | st.text(min_size=1, max_size=3),
    st.sampled_from(["", " b 0", "/8/8/8/8/8/8/8 b 0", ":"]),
)


@pytest.mark.parametrize("key", RULES)
@settings(max_examples=cases(60))
@given(flood=floods)
def test_an_error_of_the_rules_is_a_sentence(key, flood):
    rules = RULES[key]
    start = START if rules is ONE_BOARD else rules.initial({})
    for attempt in (lambda: rules.parse(flood), lambda: rules.play(start, flood)):
        with pytest.raises(ExplainedError) as caught:
            attempt()
        assert len(str(caught.value)) < LONGEST


@settings(max_examples=cases(60))
@given(flood=floods)
def test_an_error_of_a_record_is_a_sentence(flood):
    for text in (flood, f'[Game "jadejack"]\nx{flood}', f'[Game "jadejack"]\n[Position "{flood}"]\n{flood}'):
        with pytest.raises(game_record.RecordError) as caught:
            game_record.parse(text).positions()
        assert len(str(caught.value)) < LONGEST


@settings(max_examples=cases(60))
@given(flood=floods, number=st.integers(-(10**4000), 10**4000))
def test_an_error_of_a_command_or_an_option_is_a_sentence(flood, number):
    for attempt in (
        lambda: Play(1, START).commanded(flood),
        lambda: with_defaults(FOR_TWO["jadejack"].options, {flood: 1}),
        lambda: with_defaults(FOR_TWO["jadejack"].options, {"size": 10**50 + abs(number)}),
    ):
        with pytest.raises(ExplainedError) as caught:
            attempt()
        assert len(str(caught.value)) < LONGEST


@settings(max_examples=cases(30))
@given(flood=floods)
def test_a_problem_of_a_file_is_a_sentence(flood):
    messages = [
        problem.message for problem in entry.verify_file(f"{flood}\n".encode(errors="replace")).problems
    ]
    for text in (flood, json.dumps({"kind": flood}), json.dumps({"format": bounds.FORMAT, "bound": flood})):
        messages += [problem.message for problem in audit.audit(text).problems]
        messages += [flaw.message for flaw in bounds.verify(text.encode(errors="replace"), None).errors]
    assert all(len(message) < LONGEST for message in messages)
