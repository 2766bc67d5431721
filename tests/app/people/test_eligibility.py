"""Who may take part: each reason alone and all together."""

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from app.people.eligibility import WORDS, Candidate, EntryConditions, Misfit, misfits
from engine.glicko2 import Rating

STRICT = EntryConditions(rated=True, rating_min=1400, rating_max=1600, min_games=5, team_id="k7m2wq9xab")
FITTING = Candidate(1, "wren", rating=Rating(1500), games=5, is_member=True)
BROKEN = {
    Misfit.CLOSED: {"is_closed": True},
    Misfit.EXCLUDED: {"excluded_until": datetime(2026, 1, 1, tzinfo=UTC)},
    Misfit.COMPUTER: {"is_computer": True},
    Misfit.STRANGER: {"is_member": False},
    Misfit.RATING: {"rating": Rating(1601)},
    Misfit.TOO_FEW_GAMES: {"games": 4},
}


@given(st.sets(st.sampled_from(Misfit)))
def test_each_condition_that_does_not_hold_is_named(broken):
    members = {name: value for misfit in broken for name, value in BROKEN[misfit].items()}
    found = misfits(STRICT, replace(FITTING, **members))
    assert found == [misfit for misfit in Misfit if misfit in broken]
    assert set(WORDS) == set(BROKEN) == set(Misfit)


def test_what_terms_do_not_ask_for_is_no_reason():
    anything = replace(
        FITTING, **{name: value for members in BROKEN.values() for name, value in members.items()}
    )
    assert misfits(EntryConditions(rated=False, computers=True), anything) == [Misfit.CLOSED]
    assert misfits(STRICT.once_begun, replace(FITTING, **BROKEN[Misfit.RATING], games=0)) == []
