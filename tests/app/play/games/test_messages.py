"""The messages of a game bring a client from one version to a later one, however it learns of the steps."""

from functools import partial
from uuid import uuid4

import pytest
from msgspec.structs import replace

from app.core import json
from app.play.games import decisions
from app.play.games.offers import PAUSE, TAKEBACK
from app.play.games.schemas import messages, snapshot
from engine.clock import Realtime
from engine.game import Side
from engine.registry import GAMES, SOLITAIRE
from tests.support.game_states import START, game
from tests.support.solitaire import random_games

SHOWN = ("version", "ply", "moves", "position", "undos", "submitted", "side_to_move", "result")


class Client:
    """A program that follows a game: what it knows of it, and how often it was told of an end."""

    def __init__(self, state):
        self.game, self.ends = json.decode(json.encode(snapshot(state))), 0

    def receive(self, message):
        kind = message.pop("type")
        if kind == "snapshot":
            self.game = message
        elif kind == "move":
            self.game["moves"].append(message["move"])
            self.game |= {name: value for name, value in message.items() if name in SHOWN}
        else:
            self.game |= {**message, "side_to_move": None}
            self.ends += 1

    @property
    def shown(self):
        return {name: self.game[name] for name in SHOWN}


def play(move, state):
    return decisions.play_for_side(state, move, uuid4(), START)


def by(side, decide, state):
    return decide(state, side, START)


BLACK, WHITE = GAMES["jadejack"].sides
FOR_TWO = (
    partial(play, "c4"),
    partial(play, "g6"),
    partial(by, BLACK, partial(decisions.ask, PAUSE)),
    partial(by, WHITE, partial(decisions.accept, PAUSE)),
    partial(by, BLACK, decisions.resume),
    partial(by, BLACK, partial(decisions.ask, TAKEBACK)),
    partial(by, WHITE, partial(decisions.drop, TAKEBACK)),
    partial(by, BLACK, partial(decisions.ask, TAKEBACK)),
    partial(by, WHITE, partial(decisions.accept, TAKEBACK)),
    partial(play, "f3"),
    partial(by, WHITE, decisions.resign),
)
ALONE = next(iter(random_games("up_and_up", 4).values()))
FOR_ONE = (
    *(partial(play, move) for move in ALONE),
    partial(by, Side.SOLO, decisions.take_back),
    partial(play, ALONE[-1]),
    partial(by, Side.SOLO, decisions.submit),
)


def begun(decide):
    """Return a game in which some decisions can be made."""
    if decide is FOR_TWO:
        return game(GAMES["jadejack"], Realtime(300, 0), [])
    rules = SOLITAIRE["up_and_up"]
    state = game(GAMES["jadejack"], None, [])
    alone = {"game": "up_and_up", "options": {"size": 4}, "position": rules.initial({"size": 4})}
    return replace(state, players=state.players[:1], **alone)


def versions(decide):
    """Return the versions of a game, each with the step that led to it (None: the first)."""
    state = begun(decide)
    found = [(state, None)]
    for each in decide:
        decision = each(state)
        state = decision.after
        found.append((state, decision.step))
    return found


@pytest.mark.parametrize("decide", [FOR_TWO, FOR_ONE])
def test_each_step_is_told(decide):
    first, *later = versions(decide)
    client, before, ends = Client(first[0]), first[0], 0
    for after, step in later:
        for message in messages(before, step, after):
            client.receive(json.decode(message.text))
        ends += before.result is None and after.result is not None
        assert (client.shown, client.ends) == (Client(after).shown, ends)
        before = after


@pytest.mark.parametrize("decide", [FOR_TWO, FOR_ONE])
def test_who_missed_steps_is_told_of_all_of_them_and_of_the_end_once(decide):
    states = [state for state, _step in versions(decide)]
    for number, before in enumerate(states):
        for after in states[number + 1 :]:
            client = Client(before)
            for message in messages(before, None, after):
                client.receive(json.decode(message.text))
            has_ended = before.result is None and after.result is not None
            assert (client.shown, client.ends) == (Client(after).shown, has_ended)


# In the order in which they were added; programs may know only the first ones.
MEMBERS = {
    "move": "type ply move automatic spent played_at position side_to_move legal_moves score clock periods"
    " deadline version",
    "finished": "type result version",
    "snapshot": "type id game options status players ply first_ply side_to_move position legal_moves score"
    " last_move clock periods deadline time_control rated tournament voided takeback takeback_to pause"
    " paused_until undos submitted moves spent played_at result version",
}


@pytest.mark.parametrize("decide", [FOR_TWO, FOR_ONE])
def test_members_keep_their_places(decide):
    (before, _), *later = versions(decide)
    for after, step in later:
        for message in messages(before, step, after):
            sent = json.decode(message.text)
            assert list(sent) == MEMBERS[sent["type"]].split()
        before = after
