"""Offers between the players of a game, over every kind of clock and every game for two."""

from functools import partial
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from app.core.errors import ConflictError
from app.play.games import decisions
from app.play.games.evolving import evolve
from app.play.games.offers import OFFERS, PAUSE, TAKEBACK
from app.play.games.presenter.page import offer_view
from app.play.games.schemas import snapshot
from engine.clock import (
    DaysBank,
    Realtime,
    full,
    is_realtime,
)
from engine.registry import FOR_TWO
from tests.support.effort import cases
from tests.support.game_states import CONTROLS, START, game

MINUTE, DAY = 60_000, 86_400_000
seats = st.integers(0, 1)
offers = st.sampled_from(OFFERS)
luck = st.integers(0, 9).map(lambda number: number == 9)


def lasts(control):
    """Return whether the time of a control is for the whole game, not for each move."""
    return isinstance(control, Realtime | DaysBank)


class Offers(RuleBasedStateMachine):
    """A game in which both players offer whatever they may, with an account of the time that they use."""

    @initialize(
        rules=st.sampled_from(list(FOR_TWO.values())),
        control=st.sampled_from(CONTROLS),
        opening=st.lists(st.integers(0, 10_000), max_size=5),
        is_against_computer=st.booleans(),
    )
    def begin(self, rules, control, opening, is_against_computer):
        self.state = game(rules, control, opening, is_against_computer=is_against_computer)
        self.now = START
        self.had = {self.state.ply: None if control is None else full(control, 2)}
        self.used = []  # (ply, seat, milliseconds), since the clock was as in `had`
        self.asked_at = {}
        self.was_taken_back = False

    # --- Steps ---------------------------------------------------------------------------------------------

    def attempt(self, decide, *arguments):
        """Take a step if it is allowed, after the flag has fallen if it is due."""
        if self.state.is_due(self.now):
            self.apply(decisions.flag(self.state, self.now))
        try:
            decision = decide(self.state, *arguments, self.now)
        except ConflictError as error:
            return error.code
        self.apply(decision)
        return None

    def apply(self, decision):
        before, step, after = decision.before, decision.step, decision.after
        assert before == self.state
        assert evolve(before, step) == after
        clock = before.clock
        if clock is not None and after.ply != before.ply and before.first_move_by is None:
            seat = clock.running
            self.used.append((before.ply, seat, clock.left[seat] - clock.read(self.now)[seat]))
        if after.ply > before.ply:
            self.had[after.ply] = after.clock and after.clock.left
        if after.ply < before.ply:
            self.check_takeback(before, after)
        self.state = after

    def check_takeback(self, before, after):
        assert after.ply >= before.first_ply
        self.was_taken_back = True
        if before.clock is None:
            return
        read, had, ply = before.clock.read(self.now), self.had[after.ply], after.ply
        used = [sum(ms for at, seat, ms in self.used if at >= ply and seat == each) for each in (0, 1)]
        for seat, left in enumerate(after.clock.left):
            assert 0 < left <= min(had[seat], read[seat])
            if lasts(after.control) or seat == after.clock.running:
                assert left == had[seat] - used[seat]
            else:
                assert left == min(had[seat], read[seat])
        assert before.paused_until(self.now) == after.paused_until(self.now)
        if before.paused_until(self.now) is not None:
            assert after.clock.read(after.paused_until(self.now)) == after.clock.left
        self.had = {at: left for at, left in self.had.items() if at < ply} | {ply: after.clock.left}
        # What was used since then is in `had`, so it counts for takebacks beyond this ply only.
        self.used = [(min(at, ply - 1), seat, time) for at, seat, time in self.used]

    @rule(milliseconds=st.sampled_from([1, 999, 7_000, 25_000]))
    def time_passes(self, milliseconds):
        self.now += milliseconds

    @precondition(lambda self: not is_realtime(self.state.control))
    @rule(milliseconds=st.sampled_from([DAY // 3, DAY]), luck=st.booleans())
    def days_pass(self, milliseconds, luck):
        if luck:
            self.now += milliseconds

    @rule(choice=st.integers(0, 10_000))
    def move(self, choice):
        legal = self.state.legal_moves
        if legal and not self.state.is_due(self.now):
            self.attempt(decisions.play_for_side, legal[choice % len(legal)], uuid4())

    @rule(offer=offers, seat=seats)
    def ask(self, offer, seat):
        asking = offer.by(self.state)
        position = self.state.ply, self.state.position
        self.attempt(partial(decisions.ask, offer), self.side(seat))
        if asking is None and offer.by(self.state) is not None:
            self.asked_at[offer.name] = position

    @rule(choice=st.integers(0, 10_000), offer=offers)
    def move_ask_and_accept(self, choice, offer):
        side = self.state.side_to_move
        self.move(choice)
        if side is not None:
            self.ask(offer, self.state.seat_of(side))
            self.accept(offer, 1 - self.state.seat_of(side))

    @rule(offer=offers, seat=seats)
    def accept(self, offer, seat):
        asking, side = offer.by(self.state), self.side(seat)
        code = self.attempt(partial(decisions.accept, offer), side)
        if code is None:
            assert asking == self.state.other_side(side)
            assert offer.by(self.state) is None

    @rule(offer=offers, seat=seats)
    def drop(self, offer, seat):
        asking, side = offer.by(self.state), self.side(seat)
        before = self.state
        if self.attempt(partial(decisions.drop, offer), side) is None:
            assert asking is not None
            assert replace(self.state, version=0) == replace(before, **{offer.name: None}, version=0)

    @rule(seat=seats)
    def resume(self, seat):
        self.attempt(decisions.resume, self.side(seat))

    @rule(seat=seats, luck=luck)
    def resign(self, seat, luck):
        if luck:
            self.attempt(decisions.resign, self.side(seat))

    def side(self, seat):
        return self.state.rules.sides[seat]

    # --- What always holds ---------------------------------------------------------------------------------

    @invariant()
    def no_offer_outlives_what_it_was_made_for(self):
        for offer in OFFERS:
            asking = offer.by(self.state)
            if asking is None:
                continue
            assert self.state.result is None
            assert self.asked_at[offer.name] == (self.state.ply, self.state.position)
            offer.grant(self.state, asking, self.now)  # it may still be made, and accepted
            assert not self.state.is_against_computer

    @invariant()
    def the_first_move_is_free_once(self):
        clock = self.state.clock
        if clock is not None and self.state.result is None:
            is_first = self.state.plies_played == 0 and not self.was_taken_back
            assert clock.opening == is_first
            assert (self.state.first_move_by is not None) == (is_first and self.state.is_realtime)

    @invariant()
    def both_read_what_is_asked(self):
        for side in self.state.rules.sides:
            for offer in OFFERS:
                shown = offer_view(self.state, side, offer)
                asking = offer.by(self.state)
                if asking is not None:
                    assert shown.state == ("asked" if asking == side else "asks")
                    if offer is TAKEBACK:
                        self.check_words(str(shown.text), side, asking)

    def check_words(self, words, side, asking):
        ply = snapshot(self.state)["takeback_to"]
        assert ply == self.state.before_last_move_of(asking) >= self.state.first_ply
        assert f" {self.state.ply - ply} move" in words
        for each in range(ply + 1, self.state.ply + 1):
            mover = self.state.mover_of(each)
            whose = "your" if mover == side else f"{self.state.player_at(mover).username}'s"
            assert f"{whose} move {each} ({self.state.moves[each - 1].move})" in words


TestOffers = Offers.TestCase
TestOffers.settings = settings(
    max_examples=cases(150), stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)


@pytest.mark.parametrize("control", [control for control in CONTROLS if control is not None])
@pytest.mark.parametrize("rules", FOR_TWO.values(), ids=lambda rules: rules.key)
def test_taking_back_again_and_again_gives_no_time(rules, control):
    """One move by itself, then one with the answer, each time after some thought."""
    for plies in (1, 2):
        state, now = game(rules, control, [1, 2]), START
        had = state.clock.left
        for _ in range(3):
            begun = state.ply
            side = state.side_to_move
            while state.ply < begun + plies:
                now += 2_000
                move = state.legal_moves[0]
                state = decisions.play_for_side(state, move, uuid4(), now).after
            now += 1_000
            asked = decisions.ask(TAKEBACK, state, side, now).after
            state = decisions.accept(TAKEBACK, asked, asked.other_side(side), now).after
            assert all(left <= then for left, then in zip(state.clock.left, had, strict=True))
            assert state.clock.left != had or plies == 1
            assert not state.clock.opening
            had = state.clock.left


def test_a_takeback_that_would_leave_no_time_is_refused():
    state, now = game(FOR_TWO["jadejack"], Realtime(60, 60), []), START
    for spent in (1_000, 1_000, 50_000, 1_000):
        now += spent
        state = decisions.play_for_side(state, state.legal_moves[0], uuid4(), now).after
    with pytest.raises(ConflictError) as refused:
        decisions.ask(TAKEBACK, state, state.rules.sides[0], now + 15_000)
    assert refused.value.code == "no_time_left"


def test_a_move_or_a_takeback_ends_a_request_for_a_pause():
    state = game(FOR_TWO["jadejack"], Realtime(300, 5), [])
    for _ in range(4):
        state = decisions.play_for_side(state, state.legal_moves[0], uuid4(), START).after
    black, white = state.rules.sides
    asked = decisions.ask(PAUSE, state, black, START).after
    assert decisions.play_for_side(asked, asked.legal_moves[0], uuid4(), START).after.pause is None
    both = decisions.ask(TAKEBACK, asked, white, START).after
    assert (both.pause, both.takeback) == (black, white)
    assert decisions.accept(TAKEBACK, both, black, START).after.pause is None
    assert decisions.accept(PAUSE, both, white, START).after.takeback == white
