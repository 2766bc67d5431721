"""Settings: every value is of its real type, or one line says what to write."""

import json
import os
from ipaddress import ip_network
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from app.core.recurring_arenas import RecurringArena, usable
from app.core.setting_types import host
from app.core.settings import PREFIX, Settings
from app.server.cli.invalid_settings import explain
from tests.support.commands import failure, invoke

NAMES = sorted(Settings.model_fields)
ODD = [
    *("", " ", "\t", "0", "-1", "1e400", "9" * 400, "nan", "inf", "-inf", "true", "null", "[]", "{}", "[[]]"),
    *("äöü", "日本語", "\u202e", "x" * 5000, "a,b", "a b", "*", "'", '"', "%", "${HOME}", "\r\nx: y"),
    *(
        "ftp://a",
        "https://a:b@c",
        "https://a?b",
        "https://a#b",
        "https://a:0",
        "https://a:99999",
        "https://:1",
    ),
    *("http://[::1", "https://a..b", "//a", "javascript:alert(1)", "mailto:", "mailto:a", "tel:", "tel:1"),
    *("postgresql://", "postgresql://a:b", "postgresql://a/b?c=d", "postgres://a/b?sslmode", "mysql://a/b"),
    *("postgresql://a,b:1/c", "postgresql:///a?host=/x", "postgresql://a/b?sslrootcert=/nowhere"),
    *(
        "valkey://a?db=x",
        "valkey://a?ssl_ca_certs=/nowhere",
        "valkeys://a?ssl_ca_certs=/nowhere",
        "valkey://",
    ),
    *("127.0.0.1", "300.1.2.3", "10.0.0.0/99", "10.0.0.1/8", "::1", "::1/129", "127.0.0.1,", "localhost"),
    *(
        "a@b",
        "a@b, c@d",
        "A, B <a@b>",
        "A <a@b> B",
        "a..b@c",
        "<a@b>",
        '[{"series":"a"}]',
        "[NaN]",
        "[" * 9999,
    ),
]
ARENA = {
    "series": "a",
    "name": "Arena",
    "cron": "0 18 * * *",
    "minutes": 60,
    "game": "jadejack",
    "limit": 180,
}


def read(environment):
    """Return the settings of an environment, or the lines that say what is wrong with it."""
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith(PREFIX)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "environ", kept | environment)
        try:
            return Settings(), []
        except ValidationError as error:
            return None, list(explain(error))


def wrong(setting, value):
    """Return the one line about a setting that is refused."""
    settings, lines = read({PREFIX + setting.upper(): value})
    assert settings is None, getattr(settings, setting)
    assert len(lines) == 1, lines
    return lines[0]


def check(name, value):
    """Check that a value is read as its setting's type, or that lines of moderate length name the setting."""
    settings, lines = read({PREFIX + name.upper(): value})
    if settings is not None:
        again = Settings.model_validate({name: getattr(settings, name)})
        assert getattr(again, name) == getattr(settings, name)
    for line in lines:
        assert line.startswith(PREFIX), line
        assert line.isprintable(), line
        assert len(line) < 500, line
        assert line.endswith((".", "?")), line
    assert lines or settings


@pytest.mark.parametrize("name", NAMES)
def test_each_setting_has_a_value_of_its_type_or_a_line_that_names_it(name):
    for value in ODD:
        check(name, value)


@given(st.sampled_from(NAMES), st.text(st.characters(exclude_characters="\0")))
def test_no_text_at_all_ends_in_anything_else(name, value):
    check(name, value)


_NAME = st.from_regex(r"[A-Z][A-Z0-9_]{1,30}", fullmatch=True)


@given(_NAME)
def test_a_name_that_is_no_setting_is_refused(name):
    if name.lower() in NAMES or read({PREFIX + name: "tcp"})[1] == []:  # or of a program beside the server
        return
    settings, lines = read({PREFIX + name: "hunter2"})
    assert settings is None
    assert lines[0].startswith(f"{PREFIX}{name} is not a setting.")
    assert "hunter2" not in lines[0]


@given(st.sampled_from(NAMES), st.data())
def test_a_misspelt_name_is_told_the_nearest_one(name, data):
    at = data.draw(st.integers(1, len(name) - 2))
    misspelt = data.draw(
        st.sampled_from([name[:at] + name[at + 1 :], name[:at] + name[at + 1] + name[at] + name[at + 2 :]])
    )
    if misspelt in NAMES:
        return
    lines = read({PREFIX + misspelt.upper(): "1"})[1]
    assert lines[0].startswith(f"{PREFIX}{misspelt.upper()} is not a setting. Did you mean {PREFIX}")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GORRION_TOKEN", "secret"),
        ("GORRION_DOMAIN", "play.example"),
        ("GORRION_SERVICE_HOST", "10.0.0.1"),
        ("GORRION_SERVICE_PORT_HTTP", "80"),
        ("GORRION_PORT", "tcp://10.0.0.1:80"),
        ("GORRION_WEB_PORT_8000_TCP_ADDR", "10.0.0.1"),
        ("SOMETHING_ELSE", "1"),
    ],
)
def test_what_other_programs_read_is_left_to_them(name, value):
    assert read({name: value})[0] is not None


@pytest.mark.parametrize("name", ["GORRION_PORT", "GORRION_METRIC_PORT"])
def test_a_port_of_nobody_is_refused(name):
    assert read({name: "8000"})[1]


def test_all_faults_are_told_at_once():
    lines = read(
        {
            "GORRION_BUS": "kafka",
            "GORRION_DATABSE_URL": "postgresql://secret@host/name",
            "GORRION_MAIL_HOST": "mail.example",
            "GORRION_RECURRING_ARENAS": json.dumps([ARENA, ARENA | {"cron": "61 * * * *", "series": "b"}]),
        }
    )[1]
    assert [line.partition(" ")[0].rstrip(":") for line in sorted(lines)] == [
        "GORRION_BUS",
        "GORRION_DATABSE_URL",
        "GORRION_MAIL_SENDER",
        "GORRION_RECURRING_ARENAS[1].cron",
    ]
    assert "secret" not in "".join(lines)


@pytest.mark.parametrize(
    "name", ["database_url", "database_direct_url", "database_replica_url", "valkey_url"]
)
@given(
    st.sampled_from(["", "postgresql://", "valkey://", "http://"]),
    st.sampled_from(["", "@h:0", "@h?x=y", "@"]),
)
def test_no_password_is_printed(name, before, after):
    assert "hunter2" not in "".join(read({PREFIX + name.upper(): f"{before}u:hunter2{after}"})[1])


def test_a_password_that_does_not_belong_into_a_setting_is_not_printed_either():
    assert "hunter2" not in wrong("public_url", "https://u:hunter2@play.example")


def test_a_value_is_shown_with_what_to_write():
    assert wrong("drain", "long") == (
        "GORRION_DRAIN: Input should be a valid number, unable to parse string as a number. It is 'long'."
    )


@pytest.mark.parametrize(
    ("value", "origin"),
    [
        ("https://play.example", "https://play.example"),
        ("HTTPS://Play.Example:443/", "https://play.example"),
        ("http://localhost:8000", "http://localhost:8000"),
        ("http://[::1]:80", "http://[::1]"),
    ],
)
def test_the_public_url_is_an_origin_as_browsers_write_it(value, origin):
    assert read({"GORRION_PUBLIC_URL": value})[0].public_url == origin


@pytest.mark.parametrize(
    ("value", "networks"),
    [
        ("127.0.0.1", ["127.0.0.1/32"]),
        ("10.0.0.0/8, ::1", ["10.0.0.0/8", "::1/128"]),
        ("*", ["0.0.0.0/0", "::/0"]),
    ],
)
def test_trusted_proxies_are_networks(value, networks):
    assert read({"GORRION_TRUSTED_PROXIES": value})[0].trusted_proxies == tuple(map(ip_network, networks))


@given(st.ip_addresses(), st.integers(0, 128))
def test_a_network_has_the_bits_of_its_addresses_only(address, length):
    settings, lines = read({"GORRION_TRUSTED_PROXIES": f"{address}/{length}"})
    try:
        assert settings.trusted_proxies == (ip_network(f"{address}/{length}"),)
    except ValueError:
        pytest.fail("a network that does not exist was accepted")
    except AttributeError:
        assert "GORRION_TRUSTED_PROXIES: " in lines[0]


@given(st.from_regex(r"[0-9]{1,4}(\.[0-9]{1,4}){0,4}", fullmatch=True))
def test_a_host_that_looks_like_an_address_is_one(text):
    try:
        found = host(text)
    except ValueError:
        return
    assert [int(part) <= 255 for part in found.split(".")] == [True] * 4


@pytest.mark.parametrize("option", ["sslrootcert", "sslcert", "sslkey", "sslcrl", "passfile"])
def test_the_files_of_a_database_url_exist_and_can_be_read(option, tmp_path):
    url = f"postgresql://user:secret@host/name?{option}={tmp_path}"
    for path, reason in ((tmp_path / "none", "No such file"), (tmp_path, "Is a directory")):
        line = wrong("database_url", f"postgresql://user:secret@host/name?{option}={path}")
        assert f"The option {option} names {path}, which cannot be read: {reason}" in line
    assert "secret" not in wrong("database_url", url)


@pytest.mark.parametrize(
    ("setting", "url"),
    [("database_url", "postgresql://host/name?sslrootcert="), ("valkey_url", "valkeys://host?ssl_ca_certs=")],
)
def test_a_file_of_certificates_has_some(setting, url, tmp_path):
    file = tmp_path / "ca.pem"
    file.write_text("garbage")
    assert f"names {file}, which has no certificates in PEM." in wrong(setting, f"{url}{file}")


@pytest.mark.parametrize(
    ("setting", "url", "meant"),
    [
        ("database_url", "postgresql://host/name?sslmod=require", "Did you mean sslmode?"),
        ("database_url", "postgresql://host/name?statement_timeout=5", "options=-c%20name=value"),
        ("database_direct_url", "postgresql://host/name?sslmode=banana", "must be one of disable, allow"),
        ("database_replica_url", "postgresql://host/name?port=0", "from 1 to 65535"),
        ("valkey_url", "valkey://host?client_nam=x", "Did you mean client_name?"),
        ("valkey_url", "valkey://host?ssl_ca_certs=/x", "There is no option ssl_ca_certs."),
        ("valkey_url", "valkey://host?decode_responses=no", "There is no option decode_responses."),
        ("valkey_url", "valkey://host?socket_timeout=nan", "must be a number of seconds"),
    ],
)
def test_every_option_of_a_url_is_known(setting, url, meant):
    assert meant in wrong(setting, url)


@pytest.mark.parametrize("cron", ["R * * * *", "61 * * * *", ""])
def test_a_series_has_a_cron_expression(cron):
    assert "Write a cron expression" in wrong("recurring_arenas", json.dumps([ARENA | {"cron": cron}]))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"cron": "0 0 30 2 *"}, "does not come"),
        ({"cron": "0 0 1 1 * 0 2020"}, "does not come"),
        ({"cron": "0 0 1 1 * 0 2099"}, "does not come"),
        ({"cron": "* * * * * *"}, "too often"),
        ({"cron": "* * * * *"}, "too often"),
        ({"cron": "0,5 0 1 1 *"}, "too often"),
        ({"series": "good"}, "another one has its name"),
    ],
)
def test_a_series_that_cannot_be_made_is_left_out(change, said):
    good = ARENA | {"series": "good"}
    settings, _ = read({"GORRION_RECURRING_ARENAS": json.dumps([good, ARENA | change])})
    arenas, [problem] = usable(settings.recurring_arenas)
    assert [arena.series for arena in arenas] == ["good"]
    assert said in problem


@pytest.mark.parametrize("cron", ["*/10 * * * *", "@daily", "0 0 29 2 *", "0 18 * * mon#1"])
def test_arenas_come_at_any_times_that_are_apart(cron):
    settings, _ = read({"GORRION_RECURRING_ARENAS": json.dumps([ARENA | {"cron": cron}])})
    assert usable(settings.recurring_arenas) == ([settings.recurring_arenas[0]], [])


@given(
    st.sampled_from(sorted(RecurringArena.model_fields)), st.from_type(type(None)) | st.integers() | st.text()
)
def test_a_member_of_a_series_has_its_type_or_is_named(member, value):
    settings, lines = read({"GORRION_RECURRING_ARENAS": json.dumps([ARENA | {member: value}])})
    assert settings is not None or lines[0].startswith("GORRION_RECURRING_ARENAS[0]")


def test_a_member_that_does_not_exist_is_named():
    line = wrong("recurring_arenas", json.dumps([ARENA | {"ratd": False}]))
    assert line == "GORRION_RECURRING_ARENAS[0].ratd is not a setting. Did you mean rated?"


def test_a_command_prints_the_lines_and_no_traceback():
    done = invoke("doctor", bus="kafka", databse_url="postgresql://secret@host/name")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        "GORRION_BUS: Input should be 'memory' or 'postgres'. It is 'kafka'.",
        "GORRION_DATABSE_URL is not a setting. Did you mean GORRION_DATABASE_URL?",
    ]


def test_a_misspelt_name_starts_no_other_database(tmp_path):
    assert "is not a setting" in failure(
        "serve", "--data", tmp_path / "data", databse_url="postgresql://host/x"
    )
    assert list(Path(tmp_path).iterdir()) == []
