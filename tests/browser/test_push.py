"""Notifications on devices, in a browser that reaches no push service."""

import hashlib
import json

import pytest
from playwright.sync_api import expect

from tests.browser import chromium
from tests.browser.contexts import Contexts
from tests.support.players import Visitor
from tests.support.push import Device
from tests.support.waiting import wait_for_event, wait_until

pytestmark = pytest.mark.browser

_SHOWN = """async () => {
  const registration = await navigator.serviceWorker.ready;
  const shown = await registration.getNotifications();
  return shown.map(({ title, body, tag, data }) => [title, body, tag, data]);
}"""


# Chromium removes notifications that it is about to show when a page asks for those that are shown, so no
# page asks before the worker has shown one.
_NOTE_SHOWN = """() => {
  const show = registration.showNotification.bind(registration);
  self.shown = new Promise((resolve) => {
    registration.showNotification = (...given) => show(...given).then(resolve);
  });
}"""


@pytest.fixture(scope="module")
def contexts(playwright):
    """Return the contexts of a whole Chromium: only that one shows notifications."""
    with Contexts.of(playwright, chromium.executable()) as contexts:
        yield contexts


def service_worker(page):
    """Wait until the service worker of a page's site runs, and return it."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    wait_for_event(page, lambda: page.context.service_workers)
    (worker,) = page.context.service_workers
    return worker


def deliver(page, message):
    """Make the browser hand a message to the service worker, as if its push service had sent it."""
    registrations = []
    session = page.context.new_cdp_session(page)
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    wait_for_event(page, lambda: registrations)
    origin = page.evaluate("location.origin")
    session.send(
        "ServiceWorker.deliverPushMessage",
        {
            "origin": origin,
            "registrationId": registrations[-1]["registrationId"],
            "data": json.dumps(message),
        },
    )


def hash_of(endpoint):
    return hashlib.sha256(endpoint.encode()).hexdigest()


def assert_address_is_replaced(page):
    """Add the device at one address, and tell its service worker of another one, as a push service does."""
    first, second = (Device().subscription for _ in range(2))
    page.evaluate(
        "given => { const form = document.getElementById('device');"
        " form.elements.subscription.value = JSON.stringify(given); form.submit(); }",
        first,
    )
    page.locator(f"[data-device='{hash_of(first['endpoint'])}']").wait_for()
    service_worker(page).evaluate(
        "given => dispatchEvent(Object.assign(new ExtendableEvent('pushsubscriptionchange'),"
        " { oldSubscription: null, newSubscription: given }))",
        second,
    )
    at_second = page.locator(f"[data-device='{hash_of(second['endpoint'])}']")
    wait_until(lambda: page.reload() and at_second.count())
    expect(page.locator("[data-device]")).to_have_count(1)


def test_a_device_shows_what_is_pushed(sit_down, server):
    page = sit_down(visitor=Visitor(server).register("wren-pushed"), permissions=["notifications"])
    page.goto("/notifications/devices")
    expect(page.get_by_text("It shows no notifications yet")).to_be_visible()
    message = {
        "title": "Your turn against robin",
        "body": "JadeJack",
        "url": "/help",
        "tag": "my_turn:k7m2wq9xab",
        "turns": 2,
    }
    worker = service_worker(page)
    worker.evaluate(_NOTE_SHOWN)
    deliver(page, message)
    worker.evaluate("shown")
    assert page.evaluate(_SHOWN) == [["Your turn against robin", "JadeJack", "my_turn:k7m2wq9xab", "/help"]]
    assert_address_is_replaced(page)
    page.get_by_role("button", name="Show notifications on this device").click()
    expect(page.get_by_role("alert").filter(has_text="did not reach its push service")).to_be_visible()
