"""Pages that answer forms lead on: each is at the address of a form, at which there may be no page."""

import itertools
import re
from html import unescape
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from starlette.routing import compile_path

from tests.support.example_site import NEVER_SENDS, ExampleSite
from tests.support.page_paths import page_paths
from tests.support.players import keep_clients
from tests.support.ports import free_port
from tests.support.routes import calls
from tests.support.server import start_server

ROUTES = [(call.method, call.path, compile_path(call.path)[0]) for call in calls()]
FORM = re.compile(r"<form\b([^>]*)>(.*?)</form>", re.DOTALL)
HIDDEN = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)"')
ENDS_IT_ALL = re.compile(r"/logout|/account/(close|delete|erase)")
"""Forms after which the reader could send no other one."""


@pytest.fixture(scope="module")
def site(new_database):
    """Return an example site of its own, in which forms may change what they like."""
    url, port = new_database("answers"), free_port()
    server = start_server(url, port=port, public_url=f"http://localhost:{port}", **NEVER_SENDS)
    try:
        site = ExampleSite(server, url)
        with keep_clients():
            yield site
    finally:
        server.stop()


def route_of(method, url):
    """Return the path of the route that answers a method at an address, or None."""
    path = unquote(urlsplit(url).path)
    return next((route for each, route, regex in ROUTES if each == method and regex.match(path)), None)


def attribute(tag, name):
    found = re.search(rf'\s{name}="([^"]*)"', tag)
    return unescape(found[1]) if found else ""


def posted_forms(page):
    """Yield the address of each posted form of a page, and what to send: its hidden fields, and nonsense."""
    for tag, inside in FORM.findall(page.text):
        if attribute(tag, "method") == "post":
            hidden = dict(HIDDEN.findall(inside))
            nonsense = dict.fromkeys(re.findall(r'\sname="([^"]+)"', inside), "?")
            yield urljoin(str(page.url), attribute(tag, "action")), (hidden, nonsense | hidden, nonsense)


def links(page):
    """Yield the addresses to which a page leads, and those to which its forms lead back."""
    for tag in re.findall(r"<(?:a|link)\b[^>]*>", page.text):
        if not (href := attribute(tag, "href")).startswith(("#", "mailto:")):
            yield urljoin(str(page.url), href)
    for tag, inside in FORM.findall(page.text):
        if attribute(tag, "method") != "post":
            yield urljoin(str(page.url), attribute(tag, "action"))
        yield from (
            urljoin(str(page.url), unescape(value))
            for name, value in HIDDEN.findall(inside)
            if name == "next"
        )


def test_links_of_pages_that_answer_forms_lead_to_pages(site):
    sent, answered, broken = set(), set(), set()
    paths = [path.format(**site.ids) for paths in page_paths().values() for path in paths]
    for name, path in itertools.product(("player", "nobody"), paths):
        reader = site.readers[name].http
        page = reader.get(path)
        for action, sendings in posted_forms(page):
            route = route_of("POST", action)
            if (name, route) in sent or ENDS_IT_ALL.search(action):
                continue
            sent.add((name, route))
            for data in sendings:
                sender = {"Referer": str(page.url)}
                answer = reader.post(action, data=data, headers=sender, follow_redirects=False)
                if answer.text.startswith("<!doctype html>"):
                    answered.add(route)
                    broken |= {(route, link) for link in links(answer) if leads_nowhere(site, link)}
    assert {"/challenges", "/report"} <= answered, answered
    assert broken == set()


def leads_nowhere(site, link):
    is_ours = urlsplit(link).port == urlsplit(site.server.url).port
    return is_ours and route_of("GET", link) is None and not urlsplit(link).path.startswith("/static/")


@pytest.mark.parametrize(
    ("sent_from", "back"),
    [
        ("/lobby?offer=jadejack", "/lobby?offer=jadejack"),
        ("/challenges", "/lobby"),
        ("/games/2345678923/hint", "/games/2345678923"),
        ("/tournaments/2345678923/join?at=me", "/tournaments/2345678923"),
        ("/analysis/jadejack/evaluation", "/analysis/jadejack"),
        ("/account/second-factor/remove", "/account/second-factor"),
        ("/nowhere/at/all", "/lobby"),
    ],
)
def test_a_page_that_answered_a_form_leads_back_to_a_page(server, visitor, sent_from, back):
    """The one that its own forms are sent from is not the address that the browser shows."""
    sender = {"Referer": f"{server.url}{sent_from}"}
    page = visitor.http.post("/challenges", data={"clock": "sundial"}, headers=sender).text
    assert f'name="next" value="{back}"' in page
