"""Limits of attempts: shared by all processes, and no way to lock an owner out."""

import itertools
import re
import uuid

import pytest
from fastapi.routing import APIRoute

from app.core.ids import new_id
from app.core.web.deps import Part
from app.core.web.throttle import Limit, Throttle, digest
from app.server.features import FEATURES
from tests.support.answers import assert_problem
from tests.support.database import execute
from tests.support.players import PASSWORD, PlayingPage, Program, Visitor, begin_game, client, fresh_name
from tests.support.reach import first_reached, reaches
from tests.support.routes import calls as routes_of_all
from tests.support.second_factor import answer, begin, set_up
from tests.support.server import start_server

_networks = itertools.count(1)

_STEPS_OF_BOTH = 2 * 60  # in a minute, by both processes

_THROTTLED_BY_SERVICES = {
    *("POST /accounts", "POST /tokens", "POST /me/password", "POST /me/close", "PUT /me/email"),
    *("POST /games/{game_id:id}/coach", "POST /reports", "POST /me/moderation/{action_id:serial}/answer"),
}
_CHANGES_ONCE = {
    *("DELETE /tokens/current", "DELETE /me/email", "POST /me/computer", "POST /me/export"),
    *("POST /notifications/read", "POST /messages/{username}/read", "POST /moderation/actions"),
}
_COMPUTES_UNCOUNTED = {
    *("GET /api/v1/openapi.json", "GET /api/v1/asyncapi.json"),
    *("POST /api/v1/moderation/actions", "POST /moderation/players/{username}"),
}


@pytest.fixture(scope="module")
def limited(database_url):
    """Return a server of two processes with limits."""
    server = start_server(database_url, workers=2, throttle="on")
    yield server
    server.stop()


@pytest.fixture
def network():
    """Return an IPv4 address that no other test uses; the server trusts what its local proxy says."""
    return new_network()


def new_network():
    return f"198.51.100.{next(_networks)}"


def browser_at(server, network):
    visitor = Visitor(server)
    visitor.http.headers["X-Forwarded-For"] = network
    return visitor


def attempt(server, username, network, password="not the password"):
    http = client(base_url=server.url, headers={"X-Forwarded-For": network})
    return http.post("/api/v1/tokens", json={"username": username, "password": password})


def log_in(visitor, username, password=PASSWORD):
    form = {"username": username, "password": password}
    return visitor.http.post("/login", data=form, follow_redirects=False).status_code


def test_moves_of_a_page_are_counted_on_its_connection(limited, network):
    player = browser_at(limited, network).register()
    page = PlayingPage(player, begin_game(player, browser_at(limited, network)))
    assert page.move("c4", 0)[1]["played"]
    late = {"type": "move", "move": "d4", "ply": 0, "move_id": uuid.uuid4().hex}
    for _ in range(100):
        page.post(late)
    answers = [page.answer()[1] for _ in range(100)]
    assert "html" in answers[0]
    assert not all("html" in answer for answer in answers)


def test_attempts_at_one_name_are_counted_over_all_processes(limited, network):
    name = fresh_name()
    answers = [attempt(limited, name, network) for _ in range(12)]
    assert [answer.status_code for answer in answers] == [401] * 10 + [429] * 2
    problem = assert_problem(answers[-1], 429, "too_many_requests")
    assert int(answers[-1].headers["retry-after"]) == problem["retry_after"] in range(1, 61)


def test_a_guest_too_many_is_told_to_register_or_how_long_to_wait(limited, network):
    guests = [browser_at(limited, network).http.post("/guest") for _ in range(21)]
    assert guests[-1].status_code == 429
    assert "try again in 10 minutes" in guests[-1].text
    assert 'button-main" href="/register?' in guests[-1].text


def test_all_guests_of_a_network_report_as_much_as_one(limited, network):
    about, statuses = browser_at(limited, network).register().username, []
    for _ in range(2):
        guest = browser_at(limited, network)
        guest.http.post("/guest")
        for _ in range(11):
            form = {"username": about, "reason": "abuse", "place": f"game:{new_id()}"}
            statuses.append(guest.http.post("/report", data=form).status_code)
    assert statuses == [200] * 20 + [429] * 2


def test_accounts_and_guests_are_counted_over_all_processes(limited, network):
    pages = [browser_at(limited, network).http.post("/guest").status_code for _ in range(22)]
    assert pages == [200] * 20 + [429] * 2
    http = client(base_url=limited.url, headers={"X-Forwarded-For": network})
    short = {"username": fresh_name(), "password": "short"}  # counts, without the cost of a hash
    statuses = [http.post("/api/v1/accounts", json=short).status_code for _ in range(52)]
    assert statuses == [422] * 50 + [429] * 2


def test_a_window_ends(limited, network, clock):
    name = fresh_name()
    assert [attempt(limited, name, network).status_code for _ in range(11)][-1] == 429
    clock.advance(minutes=1)
    assert attempt(limited, name, network).status_code == 401


def test_an_ipv6_network_is_one_caller(limited):
    name, last = fresh_name(), [f"2001:db8:0:1::{host:x}" for host in range(1, 12)]
    assert [attempt(limited, name, address).status_code for address in last][-2:] == [401, 429]
    assert attempt(limited, name, "2001:db8:0:2::1").status_code == 401


def test_guesses_from_one_network_do_not_lock_the_owner_out(limited, network):
    owner = browser_at(limited, new_network()).register()
    for _ in range(11):
        attempt(limited, owner.username, network)
    assert attempt(limited, owner.username, network, PASSWORD).status_code == 429
    assert attempt(limited, owner.username, new_network(), PASSWORD).status_code == 201


def test_guesses_from_everywhere_do_not_lock_out_a_browser_that_has_logged_in(limited, database_url, network):
    home = new_network()
    owner = browser_at(limited, home).register()
    owner.http.post("/logout")
    for _ in range(11):
        attempt(limited, owner.username, home)
    attempt(limited, owner.username, network)
    # As if hundreds of networks had tried, which would take too many hashes here.
    key = digest(Limit.LOGIN_NAME, owner.username.lower())
    execute(database_url, "UPDATE throttle_counts SET hits = hits + 300 WHERE key = $1", key)
    assert attempt(limited, owner.username, new_network(), PASSWORD).status_code == 429
    assert log_in(browser_at(limited, new_network()), owner.username) == 429
    assert log_in(owner, owner.username) == 303
    assert [log_in(owner, owner.username, "not the password") for _ in range(10)][-2:] == [401, 429]


def test_a_device_is_known_to_its_own_account_only(limited, network):
    stranger = browser_at(limited, network).register()
    stranger.http.post("/logout")
    victim = fresh_name()
    statuses = [log_in(stranger, victim, "not the password") for _ in range(11)]
    assert statuses == [401] * 10 + [429]


def test_only_what_a_trusted_proxy_adds_counts(limited, secure, network):
    """A caller can send any X-Forwarded-For; the proxy adds the address that it sees at its end."""
    name = fresh_name()
    spoofed = [f"{new_network()}, {network}" for _ in range(11)]
    assert [attempt(limited, name, forwarded).status_code for forwarded in spoofed][-2:] == [401, 429]
    name = fresh_name()
    statuses = [attempt(secure, name, new_network()).status_code for _ in range(11)]
    assert statuses == [401] * 10 + [429]


def test_repeating_the_password_has_a_limit_of_its_own(limited, network):
    owner = browser_at(limited, new_network()).register()
    for _ in range(11):
        attempt(limited, owner.username, network)
    wrong = {"password": "not the password"}
    statuses = [owner.http.post("/account/confirm", data=wrong).status_code for _ in range(6)]
    assert statuses == [422] * 5 + [429]
    assert owner.http.post("/account/confirm", data={"password": PASSWORD}).status_code == 429
    assert log_in(owner, owner.username) == 303


def test_codes_have_a_limit_over_all_processes_and_none_of_a_strangers_counts_for_the_owner(limited, network):
    owner = browser_at(limited, network).register()
    _, codes = set_up(owner)
    stranger, pending = begin(limited, owner)
    statuses = [answer(stranger, pending, "000").status_code for _ in range(16)]
    assert statuses == [422] * 15 + [429]
    page = owner.http.post("/login", data={"username": owner.username, "password": PASSWORD})
    pending = re.search(r'name="pending" value="([^"]+)"', page.text)[1]
    assert answer(owner, pending, codes[0]).status_code == 303


def test_players_behind_one_address_search_without_using_up_each_others_limit(limited, network):
    pupils = [browser_at(limited, network) for _ in range(3)]
    statuses = set()
    for pupil in pupils:
        pupil.http.post("/guest")
        # Together more than both processes allow one caller.
        searches = (pupil.http.get("/player-suggestions", params={"opponent": "x"}) for _ in range(61))
        statuses |= {search.status_code for search in searches}
    assert statuses == {200}


def test_a_class_behind_one_address_takes_a_lesson_without_accounts(limited, network):
    visitor = browser_at(limited, network)
    tries = (
        visitor.http.post("/learn/jadejack/hijack", data={"move": "a1"}) for _ in range(_STEPS_OF_BOTH + 1)
    )
    assert {answer.status_code for answer in tries} == {200}


def test_moves_are_taken_back_as_quickly_as_a_player_clicks(limited):
    program = Program(limited)
    undos = [program.http.post("/games/k7m2wq9xab/takeback") for _ in range(_STEPS_OF_BOTH + 1)]
    assert {undo.status_code for undo in undos} == {404}


def test_the_computer_looks_at_each_position_that_a_reader_steps_to(limited, network):
    visitor = browser_at(limited, network)
    # A game that is over is refused after it has been counted.
    form = {"size": "9", "moves": "pass pass"}
    looks = [visitor.http.post("/analysis/jadejack/evaluation", data=form) for _ in range(60)]
    assert {look.status_code for look in looks} == {422}


def test_every_call_that_can_be_repeated_has_a_limit():
    calls = {
        f"{method} {route.path.removeprefix('/api/v1')}": route
        for feature in FEATURES
        for router in feature.routers("api")
        for route in router.routes
        if isinstance(route, APIRoute)
        for method in route.methods - {"GET", "HEAD"}
    }
    unlimited = {call for call, route in calls.items() if not asks_throttle(route.dependant)}
    assert unlimited == _THROTTLED_BY_SERVICES | _CHANGES_ONCE
    assert len(calls) > 60


def asks_throttle(dependant):
    """Return whether a route or one of its dependencies is given the throttle."""
    return is_throttle(dependant) or any(map(asks_throttle, dependant.dependencies))


def is_throttle(dependant):
    return dependant.call is Part[Throttle].__metadata__[0].dependency


def is_counted_before(route):
    """Return whether a dependency of a route counts its callers, so before it does anything."""
    return any(asks_throttle(each) for each in route.dependant.dependencies if not is_throttle(each))


def computing_routes():
    """Return the routes that make the server compute in a thread, by their calls."""
    routes = {str(call): getattr(call.route, "original_route", call.route) for call in routes_of_all()}
    return {
        call: route
        for call, route in routes.items()
        if isinstance(route, APIRoute) and reaches(route.endpoint, "to_thread")
    }


def test_whoever_makes_the_server_compute_in_a_thread_is_counted():
    """Some are counted by the service that computes. The descriptions of the API are computed once.

    Moderators are few, and are trusted.
    """
    computing = computing_routes()
    unlimited = {
        call
        for call, route in computing.items()
        if not asks_throttle(route.dependant) and not reaches(route.endpoint, "hit")
    }
    assert unlimited == _COMPUTES_UNCOUNTED
    assert len(computing) > 40


def test_callers_are_counted_before_anything_is_computed_for_them():
    late = {
        call
        for call, route in computing_routes().items()
        if not is_counted_before(route) and first_reached(route.endpoint, {"hit", "to_thread"}) != "hit"
    }
    assert late == _COMPUTES_UNCOUNTED


@pytest.mark.parametrize(
    ("path", "often"), [("/ladders/jadejack/leave", 20), ("/tournaments/k7m2wq9xab/pause", 60)]
)
def test_an_account_is_refused_what_it_does_too_often(limited, path, often):
    program = Program(limited)
    statuses = [program.http.post(path).status_code for _ in range(2 * often + 1)]  # by two processes
    assert 429 not in statuses[:often]
    assert statuses[-1] == 429
