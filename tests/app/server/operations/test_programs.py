"""PostgreSQL's programs: what other users of the machine can see of them has no secrets."""

from pathlib import Path
from urllib.parse import quote

import pytest

from app.core.setting_types import OF_DATABASE, SECRETS
from app.server.administration.presenter import _value
from app.server.operations import programs

SECRET = "s3cret &?%"
URLS = [
    f"postgresql://gorrion:{quote(SECRET)}@host/db",
    *(f"postgresql://gorrion@host/db?{name}={quote(SECRET)}&sslmode=require" for name in SECRETS),
    f"postgresql://gorrion@host/db?password={quote(SECRET)}&sslpassword={quote(SECRET)}",
]


def test_all_options_with_secrets_are_known():
    assert {name for name in OF_DATABASE if "password" in name} == {*SECRETS}


@pytest.mark.parametrize("url", URLS)
def test_no_argument_has_a_secret(url, monkeypatch):
    given = []

    def output(_program, arguments, environment):
        service = environment.get("PGSERVICEFILE")
        given.append((" ".join(arguments), environment, Path(service).read_text() if service else ""))

    monkeypatch.setattr(programs, "_output", output)
    programs.run(Path("pg_dump"), url, "--format=custom")
    [(arguments, environment, service)] = given
    assert "s3cret" not in arguments
    assert environment.get("PGPASSWORD", SECRET) == SECRET
    assert (f"sslpassword={SECRET}\n" in service) == ("sslpassword" in url)


@pytest.mark.parametrize("url", URLS)
def test_no_page_shows_a_secret(url):
    assert "s3cret" not in _value(url)
