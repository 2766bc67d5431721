"""Every limit that a call of the API can reach can be lowered again by a call of the API."""

import re

from app.core.settings import ROOT
from tests.support.routes import calls

LOWERED_BY = {
    "too_many_challenges": "POST /challenges/{challenge_id:id}/cancel",
    "too_many_commitments": "POST /nugget/commitments/{commitment_id:id}/reveal",
    "too_many_competitions": "POST /nugget/competitions/{competition_id:competition}/cancel",
    "too_many_computer_games": "POST /games/{game_id:id}/resign",
    "too_many_devices": "DELETE /me/devices/{device_id:serial}",
    "too_many_entries": "POST /nugget/entries/{entry_id:id}/withdraw",
    "too_many_games": "POST /games/{game_id:id}/resign",
    "too_many_kept_games": "DELETE /games/{game_id:id}/kept",
    "too_many_players": "DELETE /players/{username}/{relation:relation}",
    "too_many_runs": "DELETE /nugget/runs/{run_id:id}",
    "too_many_studies": "DELETE /studies/{study_id:id}",
    "too_many_teams": "POST /teams/{team_id:id}/leave",
    "too_many_tokens": "DELETE /me/tokens/{handle}",
    "too_many_tournaments": "POST /tournaments/{tournament_id:id}/withdraw",
}
BY_TIME = {"exports", "jobs", "messages", "races", "requests", "threads"}
BY_OTHERS = {"reports"}  # moderators deal with them
OF_ONE_REQUEST = {"commands", "frames", "lines", "members", "moves"}
OF_CONNECTIONS = {"connections"}
OF_BROWSERS = {"passkeys"}


def test_what_an_account_has_too_many_of_can_be_removed_by_a_call():
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "app").rglob("*.py")]
    codes = {code for source in sources for code in re.findall(r'"(too_many_\w+)"', source)}
    others = BY_TIME | BY_OTHERS | OF_ONE_REQUEST | OF_CONNECTIONS | OF_BROWSERS
    assert codes == LOWERED_BY.keys() | {f"too_many_{word}" for word in others}


def test_the_calls_that_remove_it_exist():
    paths = {f"{call.method} {call.path.removeprefix('/api/v1')}" for call in calls() if "/api/" in call.path}
    assert set(LOWERED_BY.values()) <= paths
