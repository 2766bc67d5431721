"""Who is present at a game, and when a win can be claimed, as an open page shows it."""

import re
from datetime import datetime

import pytest

from app.core.moments import from_datetime
from tests.support.games import BLITZ, post
from tests.support.players import Match
from tests.support.tournaments import member
from tests.support.waiting import WITHIN

MINUTE = 60_000


def test_a_claim_is_drawn_again_when_a_pause_begins_and_ends(server, clock):
    match = Match(server, time_control=BLITZ)
    match.play("c4", "g6")
    path = f"/games/{match.id}"
    with member(server, match.black.username).live(f"{path}/live") as page:

        def claim_at(condition):
            """Return the first moment of a claim, in milliseconds, that meets a condition."""
            while True:
                shown = re.search(r'data-claim-at="(\d+)"', page.recv(WITHIN))
                if shown and condition(int(shown[1])):
                    return int(shown[1])

        claim_at(bool)
        post(match.white, f"{path}/pause")
        post(match.black, f"{path}/pause")
        end = from_datetime(datetime.fromisoformat(match.black.snapshot(match.id)["paused_until"]))
        assert claim_at(lambda moment: moment >= end) == end + MINUTE
        clock.advance(minutes=10)
        post(match.black, f"{path}/resume")
        assert claim_at(lambda moment: moment < end) == pytest.approx(end - 19 * MINUTE, abs=10_000)


def test_nobody_is_called_away_once_the_game_is_over(server):
    match = Match(server)
    with member(server, match.black.username).live(f"/games/{match.id}/live") as page:
        while "is away" not in page.recv(WITHIN):
            pass
        post(match.white, f"/games/{match.id}/abort")
        while 'id="attendance"' not in (update := page.recv(WITHIN)) or "is away" in update:
            pass
