"""Somebody who looks at the site meanwhile."""

import contextlib
import itertools
import threading

import httpx

from tests.support import plain_http
from tests.support.waiting import WITHIN

_PAGES = ("/", "/lobby", "/watch", "/leaderboards/jadejack", "/rules/jadejack")


@contextlib.contextmanager
def visitor(site):
    """Load one page after the other meanwhile. Yields the answers: statuses and lost connections."""

    def visit():
        with plain_http.Client(base_url=site.url, timeout=WITHIN, follow_redirects=True) as http:
            for page in itertools.cycle(_PAGES):
                if has_left.wait(0.05):
                    return
                try:
                    answers.append(http.get(page).status_code)
                except httpx.TransportError as error:
                    answers.append(repr(error))

    answers, has_left = [], threading.Event()
    thread = threading.Thread(target=visit)
    thread.start()
    try:
        yield answers
    finally:
        has_left.set()
        thread.join()
