"""What the lobby's forms send, as values."""

import pytest

from app.core.errors import FieldError
from app.core.web.forms import InvalidFormError, Submission
from app.play.lobby.forms import ChallengeForm, Filter, blank
from app.play.lobby.making import completed
from app.play.lobby.presenter import challenge_form
from engine.clock import Byoyomi, Correspondence, DaysBank, PerMove, Realtime


def parse(**values):
    return Submission({**blank("jadejack"), **values}).parse(ChallengeForm)


def test_the_proposed_form_is_valid():
    form = parse()
    assert form.kind == "open"
    terms = completed(form.terms)
    assert (terms.options, terms.control, terms.rated) == ({"size": 10}, Realtime(600, 10), False)


def test_terms_have_the_chosen_clock_only():
    assert parse(clock="5+3", minutes="60").terms.control == Realtime(300, 3)
    assert parse(clock="realtime", minutes="1.5", increment="0").terms.control == Realtime(90, 0)
    assert parse(clock="14d", days="2").terms.control == Correspondence(14)
    assert parse(clock="correspondence", days="7").terms.control == Correspondence(7)
    assert parse(clock="correspondence", weekends_off="yes").terms.control == Correspondence(3, True)
    assert parse(clock="byoyomi", main="0", periods="5").terms.control == Byoyomi(0, 5, 30)
    assert parse(clock="per_move", seconds="20").terms.control == PerMove(20)
    assert parse(clock="days_bank", start="5", weekends_off="yes").terms.control == DaysBank(5, 1, 7, True)
    # The fields of the other clocks are hidden: what is in them does not matter.
    assert parse(clock="none", minutes="soon", days="").terms.control is None


def test_each_offered_clock_is_one_that_a_challenge_may_have():
    view = challenge_form(blank("jadejack"), {})
    controls = [parse(clock=clock).terms.control for clock, _text in (*view.clocks, *view.more_clocks)]
    assert controls[3:7] == [Correspondence(days) for days in (1, 3, 7, 14)]
    assert len({str(control) for control in controls}) == len(controls) - 2  # the usual 10+10 and 3 days


def test_options_are_those_of_the_game():
    assert parse(game="jumping_farther", rounds="1", size="5", width="3").options == {"rounds": 1, "size": 5}


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"size": "large"}, "size"),
        ({"clock": "realtime", "minutes": "soon"}, "minutes"),
        ({"clock": "5+soon"}, "increment"),
        ({"rating_min": "much"}, "rating_min"),
        ({"opponent_kind": "everybody"}, "opponent_kind"),
    ],
)
def test_each_error_belongs_to_its_field(values, field):
    with pytest.raises(InvalidFormError) as caught:
        parse(**values)
    assert set(caught.value.messages) == {field}


@pytest.mark.parametrize("values", [{"clock": "correspondence", "days": "4"}, {"clock": "4d"}])
def test_only_the_offered_numbers_of_days_are_accepted(values):
    with pytest.raises(FieldError) as caught:
        _ = parse(**values).terms
    assert caught.value.field == "clock"


def test_a_filter_survives_a_round_trip_as_a_query():
    assert Filter().query == ""
    assert Filter(clock="realtime", reach="yes").query == "clock=realtime&reach=yes"
