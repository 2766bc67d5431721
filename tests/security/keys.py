"""Sessions and API tokens of visitors, and whether they still work."""

import re

from tests.support import plain_http


def session_of(visitor):
    """Return the token in the cookie of a browser."""
    return visitor.http.cookies["gorrion"]


def is_known(server, cookie):
    """Return whether a session's cookie opens the account page, which visitors without one cannot see."""
    return plain_http.get(f"{server.url}/account", cookies={"gorrion": cookie}).status_code == 200


def new_token(visitor, **form):
    """Return an API token that a person makes on the account page."""
    page = visitor.http.post("/account/tokens", data={"name": "bot", "scope": "play", **form}).text
    return re.search(r'id="new-token" type="text" readonly value="([^"]+)"', page)[1]


def status_of(server, token):
    """Return the status of a request with an API token: 200 if it is valid, else 401."""
    return plain_http.get(f"{server.url}/api/v1/me", headers={"Authorization": f"Bearer {token}"}).status_code
