"""Setting a second factor up, and logging in with it."""

import re

from pyotp import TOTP

from app.core.moments import utc_now
from tests.support.players import PASSWORD, Visitor


def code_of(secret):
    """Return the code that an authenticator app shows now."""
    return TOTP(secret).at(utc_now())


def codes_on(page):
    return re.findall(r"<code>([a-z0-9-]{19})</code>", page)


def set_up(owner):
    """Set a second factor up on the page of an account; return its secret and the recovery codes."""
    page = owner.http.post("/account/second-factor").text
    secret = re.search(r'id="secret" type="text" readonly value="(\w+)"', page)[1]
    shown = owner.http.post("/account/second-factor/confirm", data={"code": code_of(secret)})
    return secret, codes_on(shown.text)


def begin(server, owner, password=PASSWORD):
    """Log in with the password in another browser; return the browser and the token that a code completes."""
    browser = Visitor(server)
    form = {"username": owner.username, "password": password, "next": "/watch"}
    page = browser.http.post("/login", data=form)
    return browser, re.search(r'name="pending" value="([^"]+)"', page.text)[1]


def answer(browser, pending, code):
    form = {"pending": pending, "code": code, "next": "/watch"}
    return browser.http.post("/login/code", data=form, follow_redirects=False)
