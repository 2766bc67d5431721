"""What axe finds on a page, and whether the page fits on a phone."""

from axe_playwright_python.base import AXE_SCRIPT

PHONE = {"width": 360, "height": 740}

# Nothing is preloaded: only an experimental rule, which is off, and one for videos would need that.
_SERIOUS_FAULTS = """
async (options) => (await axe.run({ resultTypes: ["violations"], preload: false, ...options })).violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html.slice(0, 200))])
"""


def _faults(page):
    """Return the serious faults of a page in both colour schemes: in the dark, only colours differ."""
    page.evaluate(AXE_SCRIPT)
    found = {}
    for scheme, options in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        page.emulate_media(color_scheme=scheme)
        found[scheme] = page.evaluate(_SERIOUS_FAULTS, options)
    return found


def assert_accessible(page):
    """Check that a page has no serious fault in either colour scheme and does not scroll sideways."""
    assert _faults(page) == {"light": [], "dark": []}
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
