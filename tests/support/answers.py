"""Responses of the server, and checks of those that report an error."""

import re


def code(answer):
    """Return the status and the code of a problem."""
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"]


def until_in(html):
    """Return up to which id the form of a page marks as read."""
    return re.search(r'name="until" value="(\d+)"', html)[1]


def assert_problem(answer, status, code):
    """Check a problem and return its members."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    assert body["code"] == code
    assert body["status"] == status
    assert "Traceback" not in answer.text
    return body


def assert_error_page(answer, status):
    """Check that an error is answered with a page."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"].startswith("text/html")
    assert "Traceback" not in answer.text
