"""Who is notified of the end of a correspondence game: everybody but who ended it."""

from uuid import uuid4

import pytest
from msgspec.structs import replace

from app.people.inbox.kinds import NewsKind
from app.play.games import decisions
from app.play.games.decisions import Command
from app.play.games.news import news
from engine.clock import Correspondence
from engine.game import Side
from engine.jadejack import JADEJACK
from tests.support import game_states
from tests.support.game_states import START

ROBIN, WREN = 1, 2  # Black, whose turn it is, and White
DAY = 86_400_000


def told(decision):
    """Return the accounts that are notified of the end of a game."""
    made = news(decision)
    assert {item.kind for item in made} <= {NewsKind.GAME_FINISHED}
    return {item.account_id for item in made}


def game(**options):
    return game_states.game(JADEJACK, Correspondence(1), (), **options)


def carry_out(command, side, state):
    return decisions.COMMANDS[command](state, Side(side), START)


@pytest.mark.parametrize("command", [Command.RESIGN, Command.ABORT])
@pytest.mark.parametrize(("side", "other"), [("black", WREN), ("white", ROBIN)])
def test_who_ends_a_game_is_not_notified_of_it(command, side, other):
    assert told(carry_out(command, side, game())) == {other}


@pytest.mark.parametrize("rated", [False, True])
def test_both_are_notified_when_the_time_is_over(rated):
    assert told(decisions.flag(replace(game(), rated=rated), START + 2 * DAY)) == {ROBIN, WREN}


def test_in_a_game_against_the_computer_only_what_the_computer_did_is_told():
    state = game(is_against_computer=True)
    assert told(carry_out(Command.ABORT, "black", state)) == set()
    assert told(carry_out(Command.RESIGN, "black", state)) == set()
    assert told(carry_out(Command.RESIGN, "white", state)) == {ROBIN}
    assert told(decisions.flag(state, START + 2 * DAY)) == {ROBIN}


@pytest.mark.parametrize(("is_answer", "accounts"), [(False, {ROBIN}), (True, {ROBIN, WREN})])
def test_whose_answer_was_decided_beforehand_is_told_that_it_ended_the_game(is_answer, accounts):
    state = decisions.play_for_side(game(), "pass", uuid4(), START).after
    ending = decisions.play_for_side(state, "pass", uuid4(), START)
    assert ending.after.result
    assert told(replace(ending, is_answer=is_answer)) == accounts
