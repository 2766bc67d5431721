"""The contexts of a browser, each with the cookies and storage of one user."""

import contextlib
from collections import defaultdict

from tests.browser import chromium


class Contexts:
    """The contexts of a browser, which tests use one after the other: making one takes as long as a page."""

    def __init__(self, browser):
        self._browser = browser
        self._free = defaultdict(list)

    @classmethod
    @contextlib.contextmanager
    def of(cls, playwright, executable):
        """Yield the contexts of a Chromium that runs meanwhile."""
        browser = playwright.chromium.launch(executable_path=executable, args=list(chromium.LAUNCH_ARGS))
        yield cls(browser)
        browser.close()

    def take(self, options):
        """Return a context with these options in which nobody is signed in."""
        free = self._free[repr(options)]
        return free.pop() if free else self._browser.new_context(**options)

    def give_back(self, context, options):
        """Sign out and keep a context for other tests, unless it is closed.

        Cached files and service workers stay, as in the browser of anybody who has left the site.
        """
        if not context.pages:
            return
        devtools = context.new_cdp_session(context.pages[0])
        stored = {"origin": options["base_url"], "storageTypes": "local_storage"}
        devtools.send("Storage.clearDataForOrigin", stored)
        for page in context.pages:
            page.close()
        context.clear_cookies()
        context.clear_permissions()
        context.set_offline(False)
        self._free[repr(options)].append(context)
