"""The contexts of a browser, each with the cookies and storage of one user."""

import contextlib
import time
from collections import defaultdict, deque
from weakref import WeakKeyDictionary

from tests.browser import chromium

_LIGHTEST = "/robots.txt"


class Contexts:
    """The contexts of a browser, which tests use one after the other: making one takes as long as a page.

    Each context keeps a page that opens the others: those run in its process, which halves their cost.
    """

    def __init__(self, browser):
        self._browser = browser
        self._free = defaultdict(list)
        self._requests = WeakKeyDictionary()

    @classmethod
    @contextlib.contextmanager
    def of(cls, playwright, executable):
        """Yield the contexts of a Chromium that runs meanwhile."""
        browser = playwright.chromium.launch(executable_path=executable, args=list(chromium.LAUNCH_ARGS))
        yield cls(browser)
        browser.close()

    def take(self, options):
        """Return a new page in a context with these options in which nobody is signed in."""
        free = self._free[repr(options)]
        context = free.pop() if free else self._new(options)
        with context.expect_page() as opened:
            context.pages[0].evaluate("void open('about:blank')")
        return opened.value

    def _new(self, options):
        context = self._browser.new_context(**options)
        self._requests[context] = _noted(context)
        context.new_page().goto(_LIGHTEST)
        return context

    def requests_of(self, context):
        """Return the latest requests of a context's pages, and their answers, as lines."""
        return list(self._requests[context])

    def give_back(self, context, options):
        """Sign out and keep a context for other tests, unless it is closed.

        Cached files and service workers stay, as in the browser of anybody who has left the site.
        """
        if not context.pages:
            return
        opener, *others = context.pages
        for page in others:
            page.close()
        opener.evaluate("localStorage.clear()")
        context.clear_cookies()
        context.clear_permissions()
        context.set_offline(False)
        self._free[repr(options)].append(context)


def _noted(context):
    """Return lines to which the requests of a context's pages, and their answers, are added."""
    lines = deque(maxlen=40)

    def note(event, request):
        if request.resource_type in ("document", "fetch", "xhr"):
            lines.append(f"{time.strftime('%H:%M:%S')} {event} {request.method} {request.url}")

    context.on("request", lambda request: note("asked", request))
    context.on("response", lambda answer: note(answer.status, answer.request))
    context.on("requestfailed", lambda request: note(request.failure, request))
    return lines
