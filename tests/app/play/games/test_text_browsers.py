"""Boards without style sheets, as Lynx and w3m show them."""

import re

from app.play.games.boards import BOARDS
from engine.registry import GAMES


def _text_of(rules, options, moves, *, finished=False):
    """Return the lines of a board's text: a line for each block, without tags."""
    position = rules.initial(options)
    for move in moves:
        position = rules.play(position, move)
    board = BOARDS[rules].draw(
        position, last_move=moves[-1], playable=not finished, finished=finished, live=True
    )
    text = re.sub(r"<[^>]+>", "", re.sub("<div", "\n<div", board)).replace("\N{NO-BREAK SPACE}", " ")
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def test_a_board_of_jadejack_is_read_as_a_board():
    assert _text_of(GAMES["jadejack"], {"size": 8}, ["c4", "g6", "d4", "f6", "d4", "f6"]) == [
        " +  +  +  +  +  .  +  +  8",
        " +  +  +  +  +  .  .  +  7",
        " +  +  +  +  .  W2 W1 .  6",
        " +  +  +  +  +  .  .  +  5",
        " +  +  B1 B2 +  +  +  +  4",
        " +  +  +  +  +  +  +  +  3",
        " +  +  +  +  +  +  +  +  2",
        " +  +  +  +  +  +  +  +  1",
        " a  b  c  d  e  f  g  h",
    ]


def test_the_territory_is_read_in_a_finished_game():
    lines = _text_of(GAMES["jadejack"], {"size": 8}, ["b2", "g7", "pass", "pass"], finished=True)
    assert (lines[1], lines[-3]) == (" .  .  .  .  .  w  W1 w  7", " b  B1 b  .  .  .  .  .  2")


def test_numbers_are_read_once():
    assert _text_of(GAMES["jumping_farther"], {"size": 4}, ["a1", "b1", "b3"]) == [
        " +  +  +  .  4",
        " +  3  +  +  3",
        " +  +  +  .  2",
        " 1  2  .  +  1",
        " a  b  c  d",
    ]
