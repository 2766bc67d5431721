"""Protecting an account and logging in to it."""

import pytest
from playwright.sync_api import expect
from pyotp import TOTP

from app.core.moments import utc_now
from tests.support.accessibility import assert_accessible
from tests.support.players import PASSWORD, Visitor, fresh_name


@pytest.fixture
def device(sit_down):
    """Return the page of a browser on a device that has passkeys."""
    page = sit_down()
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return page


def test_a_passkey_is_added_confirms_and_logs_in(device, clock):
    name = fresh_name()
    device.goto("/register")
    device.fill("[name=username]", name)
    device.fill("[name=password]", PASSWORD)
    device.click("form[action='/register'] button")
    device.goto("/account")
    device.click("main a[href='/account/security']")
    device.fill("[name=passkey_name]", "my laptop")
    device.click("button:has-text('Add a passkey')")
    expect(device.locator("#passkeys .row-card")).to_contain_text("my laptop")
    expect(device.locator("#passkeys .row-card")).to_contain_text("never used")
    device.fill("[name=passkey_name]", "the same laptop")
    device.click("button:has-text('Add a passkey')")
    expect(device.locator("#notice")).to_contain_text("No passkey was used")

    clock.advance(minutes=10)
    device.goto("/account/security")
    device.click("button:has-text('Use a passkey')")
    expect(device.locator("#passkeys .row-card")).to_contain_text("last used just now")

    device.goto("/account")
    device.click("form[action='/logout'] button")
    expect(device.locator("header")).to_contain_text("Log in")
    device.goto("/login?next=/watch")
    device.click("button:has-text('Log in with a passkey')")
    device.wait_for_url("**/watch")
    expect(device.locator("header")).to_contain_text(name)

    device.goto("/account/security")
    device.click("#passkeys .row-card button")
    expect(device.locator("#passkeys .row-card")).to_have_count(0)


def test_a_second_factor_is_set_up_and_asked_for(sit_down, clock, server):
    name = fresh_name()
    user = Visitor(server).register(name)
    page = sit_down(visitor=user, viewport={"width": 360, "height": 740}, bypass_csp=True)
    page.goto("/account/security")
    page.click("button:has-text('Set up a second factor')")
    expect(page.locator("[role=img] svg")).to_be_visible()
    assert_accessible(page)
    secret = page.input_value("#secret")
    page.fill("[name=code]", TOTP(secret).at(utc_now()))
    page.click("button:has-text('Add the second factor')")
    codes = page.locator(".security-codes code")
    expect(codes).to_have_count(10)
    assert_accessible(page)
    recovery = codes.first.inner_text()
    page.click("text=I have saved them")
    expect(page.locator("#second-factor")).to_contain_text("You have 10 codes left")
    page.goto("/account")
    page.click("form[action='/logout'] button")
    expect(page.locator("header")).to_contain_text("Log in")
    page.goto("/login")
    page.fill("[name=username]", name)
    page.fill("[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("One more step")
    assert_accessible(page)
    page.fill("[name=code]", recovery)
    page.keyboard.press("Enter")
    page.wait_for_url("**/lobby")


def test_without_scripts_no_passkeys_are_offered(sit_down):
    page = sit_down(java_script_enabled=False)
    page.goto("/login")
    expect(page.get_by_role("button", name="Log in", exact=True)).to_be_visible()
    expect(page.get_by_text("Log in with a passkey")).to_be_hidden()
