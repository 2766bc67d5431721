"""What the head of a page says to search engines and link previews."""

import re
from html import unescape

import pytest

PAGES = (
    "/",
    "/lobby",
    "/watch",
    "/rules/jadejack",
    "/teams",
    "/studies",
    "/tournaments",
    "/calendar",
    "/help",
    "/about",
)


def head(visitor, path):
    """Return the properties of a page, the canonical link and the description by name."""
    html = visitor.http.get(path).text
    found = dict(re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)"', html))
    found["canonical"] = re.search(r'<link rel="canonical" href="([^"]+)"', html)[1]
    return {name: unescape(value) for name, value in found.items()}


@pytest.mark.parametrize("path", PAGES)
def test_previews_have_all_that_open_graph_requires(visitor, server, path):
    found = head(visitor, path)
    assert {"og:title", "og:type", "og:image", "og:url", "og:image:alt", "og:image:width"} <= found.keys()
    assert found["og:url"] == found["canonical"] == server.url + path
    assert found["og:locale"] == "en_GB"
    assert 20 < len(found["description"]) < 300
    assert "<" not in found["description"]


def test_kinds_of_pages_describe_themselves(visitor):
    texts = [head(visitor, path)["description"] for path in PAGES]
    assert len(set(texts)) == len(texts)


def test_a_page_has_one_address_in_each_language(visitor, server):
    assert head(visitor, "/watch?lang=pl&size=9")["canonical"] == f"{server.url}/watch?lang=pl"
    assert head(visitor, "/watch?size=9&lang=xx")["canonical"] == f"{server.url}/watch"


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("/nugget/tree/0000000000000000", "/nugget/tree/start"),
        ("/scores/jumping_farther/0008", "/scores/jumping_farther/8"),
    ],
)
def test_a_page_that_may_be_spelled_in_several_ways_has_one_address(visitor, server, path, address):
    assert head(visitor, path)["canonical"] == head(visitor, address)["canonical"] == server.url + address
