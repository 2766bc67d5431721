"""Moves as sockets read them: what is read in a short way is what the schema says."""

import json
from itertools import product

import pytest
from pydantic import ValidationError

from app.play.conditions.lines import MOST_LINES, MOST_PLIES
from app.play.games.moves_by_socket import SentMove, _move_id, sent_move
from app.play.games.schemas import SocketMove

MOVE_ID = "5f0c8a6e-6f3b-4bb4-9a39-0c7a3c7f5a11"
MOVE = {"type": "move", "move": "e5", "ply": 3, "move_id": MOVE_ID}
LEFT_OUT = object()
VALUES = {
    "type": ["move", "Move", "", None, 1, LEFT_OUT],
    "move": ["e5", "", "x" * 16, "x" * 17, "\U0001f600" * 16, "\ud800", "\x00", None, 5, ["e5"], LEFT_OUT],
    "ply": [0, 100_000, 100_001, -1, 1.0, 1e2, 10**30, "3", True, None, LEFT_OUT],
    "move_id": [
        *(MOVE_ID, MOVE_ID.upper(), MOVE_ID.replace("-", ""), f"{{{MOVE_ID}}}", f"urn:uuid:{MOVE_ID}"),
        *(MOVE_ID[:-1], f"{MOVE_ID}0", f" {MOVE_ID}", "", None, 7, LEFT_OUT),
    ],
    "sure": [True, False, None, 1, "true", LEFT_OUT],
    "conditions": [
        *(
            [],
            [[]],
            [["e5", "d4"]],
            [["e5"]] * MOST_LINES,
            [["e5"]] * (MOST_LINES + 1),
            [["e5"] * MOST_PLIES],
        ),
        *([["e5"] * (MOST_PLIES + 1)], [[""]], [["x" * 17]], [[5]], [None], "e5", {}, None, LEFT_OUT),
    ],
    "other": [1, None],
}
TEXTS = [
    "",
    "no move",
    "null",
    "[]",
    "1",
    "{}",
    "[" * 5_000,
    '{"type":"move"',
    f"{json.dumps(MOVE)} ",
    "\ufeff{}",
]


def sent(**members):
    """Return the text of a move with other values of some members."""
    return json.dumps({name: value for name, value in {**MOVE, **members}.items() if value is not LEFT_OUT})


def as_read(read, text):
    """Return the members of the move in a text, or None if it is refused."""
    try:
        move = read(text)
    except ValidationError:
        return None
    return move.type, move.move, move.ply, move.move_id, move.sure, move.conditions


PAIRS = [(name, value) for name, values in VALUES.items() for value in values]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair[0]}={str(pair[1])[:20]!a}")
def test_a_text_is_read_as_the_schema_says(pair):
    """Each value together with each of every other member."""
    name, value = pair
    for other, another in PAIRS:
        text = sent(**{other: another, name: value})
        assert as_read(sent_move, text) == as_read(SocketMove.model_validate_json, text), text


def test_a_text_that_is_no_move_is_refused_as_the_schema_says():
    doubled = [f'{{"ply":{first},{sent(ply=second)[1:]}' for first, second in product((1, 2, "null"), (1, 2))]
    for text in (*TEXTS, *doubled):
        assert as_read(sent_move, text) == as_read(SocketMove.model_validate_json, text), text


def test_moves_are_read_in_the_short_way():
    assert isinstance(sent_move(sent()), SentMove)
    assert isinstance(sent_move(sent(sure=True, conditions=[["e5", "d4"]])), SentMove)


def test_an_answer_names_the_last_of_several_identifiers():
    assert _move_id(f'{{"move_id":5,{sent()[1:]}') == MOVE["move_id"]
