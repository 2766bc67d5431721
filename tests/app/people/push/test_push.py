"""Notifications on devices: a push service gets them, and only the device can read them."""

import json
import re
import signal
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from app.core.moments import utc_now
from app.core.settings import Settings
from app.people.inbox.kinds import Channel, NewsKind, kinds, kinds_of
from app.people.push.sending import Pusher
from app.people.push.service import Push
from tests.support.accounts import id_of
from tests.support.answers import code
from tests.support.database import execute, fetch, on_database
from tests.support.mail import run_at_once
from tests.support.news import tell, true_news
from tests.support.players import Match, Program, Visitor
from tests.support.push import Device, PushService, verified_claims
from tests.support.server import start_server
from tests.support.waiting import wait_until

DAYS = {"kind": "correspondence", "days": 3}
CONTACT = "https://play.example:8443/contact"
SETTINGS = Settings(push_services="any", public_url="https://play.example", contact=CONTACT)


@pytest.fixture(scope="module")
def service():
    service = PushService()
    yield service
    service.stop()


@pytest.fixture(scope="module")
def push_database(new_database):
    return new_database("push")


@pytest.fixture(scope="module")
def site(push_database, tmp_path_factory):
    """Return a site that sends to any push service."""
    log = tmp_path_factory.mktemp("push") / "log"
    server = start_server(push_database, log=log, push_services="any", contact=CONTACT)
    yield server
    server.stop()


@pytest.fixture
def send(push_database):
    """Return a function that sends what is due, instead of waiting for the site's schedule."""

    async def send_due(database):
        await Pusher(SETTINGS, database, Push(SETTINGS, database)).send_due()

    return partial(run_at_once, push_database, send_due)


def subscribe(program, service):
    device = Device(service)
    answer = program.http.post("/me/devices", json=device.subscription)
    assert answer.status_code == 201, answer.text
    device.id = answer.json()["id"]
    return device


def send_until(send, condition):
    """Send again and again: what another sender has in hand is due again later."""

    def has_sent():
        send(2)
        return condition()

    wait_until(has_sent)


def devices_of(program):
    return [device["id"] for device in program.http.get("/me/devices").json()["devices"]]


def test_a_turn_a_challenge_and_a_message_reach_the_devices_encrypted(
    site, service, send, clock, push_database
):
    match = Match(site, time_control=DAYS)
    phone, laptop = (subscribe(match.white, service) for _ in range(2))
    stranger = subscribe(match.black, service)
    match.play("c4")
    challenge = match.black.challenge(opponent=match.white.username).json()["id"]
    match.black.http.post(f"/messages/{match.white.username}", json={"text": "Hello"})
    author = id_of(push_database, match.black)
    send(1)
    assert phone.requests == []
    clock.advance(seconds=6)
    send(3)
    for device in (phone, laptop):
        wait_until(lambda device=device: len(device.messages()) == 3)  # the site's schedule may send some
        assert sorted(device.messages(), key=lambda message: message["url"]) == [
            {
                "title": f"{match.black.username} challenges you",
                "body": "JadeJack",
                "url": f"/challenges/{challenge}",
                "tag": f"challenge:{challenge}",
                "turns": 1,
            },
            {
                "title": f"Your turn against {match.black.username}",
                "body": "JadeJack",
                "url": f"/games/{match.id}",
                "tag": f"my_turn:{match.id}",
                "turns": 1,
            },
            {
                "title": f"{match.black.username} wrote to you",
                "body": "",
                "url": f"/messages/{match.black.username}",
                "tag": f"message:{author}",
                "turns": 1,
            },
        ]
    assert stranger.requests == []
    headers, body = phone.requests[0]
    assert b"JadeJack" not in body
    assert (headers["TTL"], len(headers["Topic"])) == ("86400", 32)
    key = match.white.http.get("/me/devices").json()["public_key"]
    claims = verified_claims(headers, key)
    assert (claims["aud"], claims["sub"]) == (service.url, CONTACT)
    send(2)
    assert len(phone.requests) == 3


@pytest.mark.parametrize("kind", [kind for kind in kinds_of(Channel.PUSH) if kinds()[kind].when[0]])
@pytest.mark.parametrize(
    ("rest", "kept"),
    [(timedelta(minutes=10), 600), (timedelta(days=3), 86_400), (-timedelta(seconds=1), 0)],
)
def test_what_is_about_a_moment_is_kept_until_then_by_the_push_service(
    site, service, send, push_database, kind, rest, kept
):
    reader, actor = Program(site), Program(site)
    device = subscribe(reader, service)
    news = true_news(push_database, kind, id_of(push_database, reader), id_of(push_database, actor))
    moment = utc_now() + rest
    for change in ("games SET deadline", "tournaments SET starts_at"):
        execute(push_database, f"UPDATE {change} = $2 WHERE id = $1", news.subject, moment)
    tell(push_database, replace(news, data={**news.data, kinds()[kind].when[0]: moment.isoformat()}))
    due = "UPDATE deliveries SET due_at = now() WHERE account_id = $1"
    execute(push_database, due, news.account_id)
    left = "SELECT count(*) FROM deliveries WHERE account_id = $1"
    send_until(send, lambda: not fetch(push_database, left, news.account_id)[0])
    assert len(device.requests) == bool(kept)
    for headers, _body in device.requests:
        assert kept - 300 < int(headers["TTL"]) <= kept


def test_what_was_read_or_switched_off_is_not_sent(site, service, send, clock):
    match = Match(site, time_control=DAYS)
    device = subscribe(match.white, service)
    match.play("c4")
    match.white.http.post("/notifications/read", json={})
    match.white.http.put("/me/notifications", json={"push": {"challenge": "off"}})
    match.black.challenge(opponent=match.white.username)
    clock.advance(seconds=6)
    send(1)
    assert device.requests == []


def test_a_device_that_is_gone_is_forgotten_and_one_that_fails_is_tried_again(site, service, send, clock):
    match = Match(site, time_control=DAYS)
    gone, failing, well, refusing = (subscribe(match.white, service) for _ in range(4))
    service.answers.update({gone.path: 410, failing.path: 503, refusing.path: 413})
    match.play("c4")
    clock.advance(seconds=6)
    send(1)
    wait_until(lambda: devices_of(match.white) == [refusing.id, well.id, failing.id])
    service.answers[failing.path] = 201
    clock.advance(seconds=16)
    send(2)
    wait_until(lambda: [len(device.requests) for device in (gone, failing, well, refusing)] == [1, 2, 1, 1])


def test_a_device_ends_with_its_token_and_belongs_to_the_last_account(site, service, send, clock):
    match = Match(site, time_control=DAYS)
    device = subscribe(match.white, service)
    shared = subscribe(match.black, service)
    assert match.white.http.post("/me/devices", json=shared.subscription).status_code == 201
    assert match.black.http.get("/me/devices").json()["devices"] == []
    removed = subscribe(match.white, service)
    assert match.black.http.delete(f"/me/devices/{removed.id}").status_code == 404  # it is not theirs
    assert len(match.white.http.get("/me/devices").json()["devices"]) == 3
    for status in (204, 404):
        assert match.white.http.delete(f"/me/devices/{removed.id}").status_code == status
    match.play("c4")
    match.white.http.delete("/tokens/current")
    clock.advance(seconds=6)
    send(1)
    assert (device.requests, shared.requests, removed.requests) == ([], [], [])


def test_one_player_who_writes_again_and_again_is_one_message_until_it_is_read(site, service, send, clock):
    reader, writer = Program(site), Program(site)
    device = subscribe(reader, service)

    def write(text):
        writer.http.post(f"/messages/{reader.username}", json={"text": text})
        clock.advance(seconds=6)
        send(2)

    write("Hello")
    wait_until(lambda: device.requests)  # the site's schedule may have it in hand
    for number in range(3):
        write(f"Hello {number}")
    assert len(device.requests) == 1
    reader.http.post(f"/messages/{writer.username}/read")
    write("Hello again")
    wait_until(lambda: len(device.requests) == 2)
    write("Are you there?")
    assert len(device.requests) == 2
    clock.advance(hours=1)
    send_until(send, lambda: len(device.requests) == 3)


def test_many_players_who_write_are_gathered_into_one_message(site, service, send, clock):
    reader = Program(site)
    device = subscribe(reader, service)
    most = kinds()[NewsKind.MESSAGE].sent.by[Channel.PUSH].most_an_hour
    for _ in range(most + 3):
        Program(site).http.post(f"/messages/{reader.username}", json={"text": "Hello"})
    clock.advance(seconds=6)
    send(2)
    wait_until(lambda: len(device.requests) == most)
    clock.advance(hours=1)
    send_until(send, lambda: len(device.requests) == most + 1)
    assert device.messages()[-1]["body"] == "2 more notifications"


def test_the_server_only_talks_to_push_services_on_the_internet(server, program, service):
    subscription = Device(service).subscription
    for endpoint in (
        "http://push.example/1",
        "https://127.0.0.1/1",
        "https://10.0.0.7:8443/1",
        "https://169.254.169.254/latest",
        "https://[::1]/1",
        "https://[::ffff:127.0.0.1]/1",
        "https://localhost/1",
        "https://user@push.example/1",
        "https://push.example:99999/1",
        "ftp://push.example/1",
        "",
    ):
        answer = program.http.post("/me/devices", json={**subscription, "endpoint": endpoint})
        assert code(answer) == (422, "bad_endpoint"), endpoint
    for changed in ({"p256dh": "BA" * 20}, {"p256dh": "é"}, {"auth": "AAAA"}, {"auth": "!"}):
        keys = {**subscription["keys"], **changed}
        body = {"endpoint": "https://push.example/1", "keys": keys}
        assert code(program.http.post("/me/devices", json=body)) == (422, "bad_keys"), keys
    for number in range(10):
        body = {**subscription, "endpoint": f"https://push.example/{program.username}/{number}"}
        assert program.http.post("/me/devices", json=body).status_code == 201
    assert program.http.post("/me/devices", json=body).status_code == 201  # the same one again
    body["endpoint"] += "0"
    assert code(program.http.post("/me/devices", json=body)) == (409, "too_many_devices")


def test_a_device_whose_address_would_be_refused_today_is_dropped(site, service, push_database, send, clock):
    match = Match(site, time_control=DAYS)
    device = subscribe(match.white, service)
    match.play("c4")
    strict = Settings()

    async def send_due(database):
        await Pusher(strict, database, Push(strict, database)).send_due()

    site.process.send_signal(signal.SIGSTOP)  # or its schedule may have it in hand
    try:
        clock.advance(seconds=6)
        on_database(push_database, send_due)
    finally:
        site.process.send_signal(signal.SIGCONT)
    assert device.requests == []
    assert devices_of(match.white) == []


def test_the_page_adds_moves_and_removes_this_browser(site, service, send, clock):
    visitor = Visitor(site).register()
    former, device = Device(service), Device(service)
    for each in (former, device):  # the second address is the same browser's
        added = visitor.http.post(
            "/notifications/devices", data={"subscription": json.dumps(each.subscription)}
        )
    assert added.text.count("since") == 1
    key = visitor.http.get("/notifications/devices/key").text
    assert f'data-key="{key}"' in added.text
    Program(site).challenge(opponent=visitor.username)
    clock.advance(seconds=6)
    send(1)
    wait_until(lambda: len(device.requests) == 1)
    assert former.requests == []
    visitor.http.post("/account/preferences", data={"language": "de"})
    Program(site).challenge(opponent=visitor.username)
    clock.advance(seconds=6)
    send(1)
    first, second = wait_until(lambda: device.messages()[1:] and device.messages())
    assert (first["title"].split(" ", 1)[1], second["title"].split(" ", 1)[1]) == (
        "challenges you",
        "fordert dich heraus",
    )
    visitor.http.post("/account/preferences", data={"language": "auto"})
    number = added.text.partition("/notifications/devices/")[2].partition("/")[0]
    assert "No device" in visitor.http.post(f"/notifications/devices/{number}/remove").text
    assert visitor.http.post("/notifications/devices", data={"subscription": "{"}).status_code == 422
    settings = visitor.http.post("/notifications/settings", data={"push-message": "off"})
    assert re.search(r'name="push-message".*?<option value="off" selected>', settings.text, re.DOTALL)
    assert Program(site).http.get("/me/devices").json()["devices"] == []


def devices_in(browser):
    return browser.http.get("/notifications/devices").text.count("since")


def test_the_device_of_an_account_goes_on_with_the_session_that_replaces_its_own(site, service, send, clock):
    browser, device = Visitor(site), Device(service)
    browser.http.post("/guest")
    browser.http.post("/notifications/devices", data={"subscription": json.dumps(device.subscription)})
    for enter in (browser.register, lambda: browser.log_in(browser.username)):
        enter()
        assert devices_in(browser) == 1
    Program(site).challenge(opponent=browser.username)
    clock.advance(seconds=6)
    send(1)
    wait_until(lambda: len(device.requests) == 1)
    browser.register()  # somebody else
    assert devices_in(browser) == 0


def test_the_device_of_a_guest_stays_with_the_guest_who_is_kept_aside(site, service):
    owner, browser = Visitor(site).register(), Visitor(site)
    browser.http.post("/nugget/runs")
    subscription = json.dumps(Device(service).subscription)
    browser.http.post("/notifications/devices", data={"subscription": subscription})
    browser.log_in(owner.username)
    assert devices_in(browser) == 0
    browser.http.post("/logout")
    assert devices_in(browser) == 1


def test_a_device_that_fails_takes_nothing_from_the_others(site, service, send, clock, push_database):
    reader, actor = Program(site), Program(site)
    well, failing = (subscribe(reader, service) for _ in range(2))
    service.answers[failing.path] = 503
    ids = [id_of(push_database, each) for each in (reader, actor)]
    held = "SELECT count(*) FROM deliveries WHERE account_id = $1 AND is_held AND attempts = 0"

    def challenge():
        tell(push_database, true_news(push_database, NewsKind.CHALLENGE, *ids))
        clock.advance(seconds=6)
        send(1)

    challenge()
    wait_until(lambda: (len(well.requests), len(failing.requests)) == (1, 1))
    challenge()  # it is held back: the first one has not been read
    wait_until(lambda: fetch(push_database, held, ids[0])["count"] == 1)
    service.answers[failing.path] = 201
    clock.advance(seconds=16)
    send_until(send, lambda: len(failing.requests) == 2)
    clock.advance(hours=1)
    send_until(send, lambda: len(well.requests) == 2)
