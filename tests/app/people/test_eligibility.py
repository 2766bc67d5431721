"""Who may take part: each reason alone and all together."""

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from app.people.eligibility import Candidate, EntryConditions, Ineligibility, why_ineligible
from engine.glicko2 import Rating

STRICT = EntryConditions(rated=True, rating_min=1400, rating_max=1600, min_games=5, team_id="k7m2wq9xab")
FITTING = Candidate(1, "wren", rating=Rating(1500), games=5, is_member=True)
BROKEN = {
    Ineligibility.CLOSED: {"is_closed": True},
    Ineligibility.EXCLUDED: {"excluded_until": datetime(2026, 1, 1, tzinfo=UTC)},
    Ineligibility.COMPUTER: {"is_computer": True},
    Ineligibility.NOT_A_MEMBER: {"is_member": False},
    Ineligibility.RATING: {"rating": Rating(1601)},
    Ineligibility.TOO_FEW_GAMES: {"games": 4},
}


@given(st.sets(st.sampled_from(Ineligibility)))
def test_each_condition_that_does_not_hold_is_named(broken):
    members = {name: value for reason in broken for name, value in BROKEN[reason].items()}
    found = why_ineligible(STRICT, replace(FITTING, **members))
    assert found == [reason for reason in Ineligibility if reason in broken]
    assert set(BROKEN) == set(Ineligibility)


def test_what_terms_do_not_ask_for_is_no_reason():
    anything = replace(
        FITTING, **{name: value for members in BROKEN.values() for name, value in members.items()}
    )
    assert why_ineligible(EntryConditions(rated=False, computers=True), anything) == [Ineligibility.CLOSED]
    assert why_ineligible(STRICT.once_begun, replace(FITTING, **BROKEN[Ineligibility.RATING], games=0)) == []
