"""The page about the software: its version, licence and source code."""

from importlib.metadata import version

import pytest
from pydantic import ValidationError

from app.core.settings import Settings
from tests.support import plain_http
from tests.support.server import start_server

SOURCE = "https://code.example/gorrion"


def test_about_says_which_software_runs_and_that_it_is_free(visitor):
    assert 'href="/about"' in visitor.http.get("/").text
    text = visitor.http.get("/about").text
    assert f"This is version {version('gorrion')}." in text
    assert "GNU Affero General Public License" in text
    assert 'href="/contact"' in text


def test_about_links_to_the_source_code_that_the_operator_names(database_url):
    server = start_server(database_url, source=SOURCE)
    try:
        assert f'<a href="{SOURCE}">' in plain_http.get(f"{server.url}/about").text
    finally:
        server.stop()


@pytest.mark.parametrize("wrong", ["/srv/gorrion", "javascript:alert(1)", "http://code.example"])
def test_source_code_is_linked_by_an_https_address_only(wrong):
    with pytest.raises(ValidationError):
        Settings(source=wrong)
