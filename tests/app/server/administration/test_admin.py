"""The administrators' page."""

import re
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.setting_types import OF_VALKEY_BY_TLS, SECRETS_OF_VALKEY
from app.core.settings import Settings
from app.server.administration.presenter import settings_shown
from app.site.accounts.service import RIGHTS
from tests.support.accounts import id_of
from tests.support.commands import gorrion
from tests.support.database import execute, fetch

_HELD = re.compile(r'name="username" value="([^"]+)"><input type="hidden" name="right" value="([^"]+)"')


def held(administrator, player):
    """Return the rights of a player that the page offers to take away."""
    rights = _HELD.findall(administrator.http.get("/admin").text)
    return [right for name, right in rights if name == player.username]


@pytest.mark.parametrize("right", RIGHTS)
def test_rights_are_given_and_taken(administrator, database_url, player, right):
    form = {"username": player.username.upper(), "right": right}
    administrator.http.post("/admin/rights", data=form)
    assert held(administrator, player) == [right]
    administrator.http.post("/admin/rights/revoke", data=form)
    assert held(administrator, player) == []
    lines = "SELECT string_agg(action || ' ' || detail, ', ' ORDER BY id) AS said, min(browser) AS by"
    query = f"{lines} FROM security_events WHERE account_id = $1 AND action LIKE 'right%'"
    said = fetch(database_url, query, id_of(database_url, player))
    assert said["said"] == f"right_granted {right}, right_revoked {right}"
    assert said["by"].startswith("administrator ")


def test_the_command_line_does_the_same(administrator, database_url, player):
    gorrion("grant", player.username, "moderator", database=database_url)
    gorrion("grant", player.username, "organiser", database=database_url)
    assert held(administrator, player) == ["moderator", "organiser"]
    gorrion("revoke", player.username, "moderator", database=database_url)
    assert held(administrator, player) == ["organiser"]


def test_a_name_that_nobody_has_is_refused_at_its_field(administrator):
    form = {"username": "nobody at all", "right": "moderator"}
    answer = administrator.http.post("/admin/rights", data=form)
    assert answer.status_code == 422
    assert "No player has registered the name nobody at all." in answer.text
    assert 'value="nobody at all"' in answer.text


@pytest.mark.parametrize("write", [str, str.upper, "former-{}".format])
def test_administrators_cannot_lock_themselves_out(administrator, keeper, database_url, write):
    form = {"username": write(keeper.username), "right": "administrator"}
    execute(
        database_url,
        "INSERT INTO retired_names (name_hash, account_id) VALUES (sha256(convert_to($1, 'UTF8')), $2)",
        f"former-{keeper.username}",
        id_of(database_url, keeper),
    )
    assert administrator.http.post("/admin/rights/revoke", data=form).status_code == 409
    assert administrator.http.get("/admin").status_code == 200


def test_rights_are_changed_only_after_a_recent_confirmation(administrator, database_url, keeper, player):
    past = "UPDATE sessions SET confirmed_at = now() - interval '1 day' WHERE account_id = $1"
    execute(database_url, past, id_of(database_url, keeper))
    form = {"username": player.username, "right": "moderator"}
    assert "password" in administrator.http.post("/admin/rights", data=form).text
    assert held(administrator, player) == []


@given(password=st.text(st.characters(codec="ascii"), min_size=6))
def test_no_password_is_shown(password):
    secret = quote(f"begin{password}end", safe="")
    settings = Settings(
        database_url=f"postgresql://gorrion:{secret}@db.example:5432/gorrion?sslmode=require",
        valkey_url=f"valkey://:{secret}@valkey.example:6379",
        mail_password=secret,
    )
    shown = {each.name: each for group in settings_shown(settings).values() for each in group}
    assert not [each for each in shown.values() if "begin" in each.value or "end" in each.value.split("@")[0]]
    assert (
        shown["GORRION_DATABASE_URL"].value
        == "postgresql://gorrion:…@db.example:5432/gorrion?sslmode=require"
    )
    assert [name for name, setting in shown.items() if not setting.is_default] == [
        "GORRION_DATABASE_URL",
        "GORRION_VALKEY_URL",
        "GORRION_MAIL_PASSWORD",
    ]


@pytest.mark.parametrize(
    "url",
    [
        "valkeys://valkey.example:6379?ssl_password=hidden&db=1",
        "valkey://:be@hidden@valkey.example:6379",
    ],
)
def test_no_password_of_valkey_is_shown(url):
    groups = settings_shown(Settings(valkey_url=url)).values()
    assert "hidden" not in "".join(each.value for group in groups for each in group)


def test_all_passwords_of_valkey_are_known():
    assert {name for name in OF_VALKEY_BY_TLS if "password" in name} == {*SECRETS_OF_VALKEY}
