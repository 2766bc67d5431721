"""What axe and HTML CodeSniffer find on a page, and whether the page fits on a phone."""

from axe_playwright_python.base import AXE_SCRIPT

from app.core.settings import ROOT

SNIFFER = ROOT / ".ci/node_modules/@pa11y/html_codesniffer/build/HTMLCS.js"
"""HTML CodeSniffer, which runs where `npm ci --prefix .ci` has installed it."""

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}

# Rules for lesser faults are left out. Nothing is preloaded: only an experimental rule, which is off, and one
# for videos would need that.
_SERIOUS_FAULTS = """
async (options) => {
    const isLesser = ({ impact }) => ["minor", "moderate"].includes(impact);
    const lesser = axe._audit.rules.filter(isLesser).map(({ id }) => [id, { enabled: false }]);
    const rules = Object.fromEntries(lesser);
    const { violations } = await axe.run({ resultTypes: ["violations"], preload: false, rules, ...options });
    return violations
        .filter((violation) => !isLesser(violation))
        .map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html.slice(0, 200))]);
}
"""

_SNIFFED = """
async () => {
    await new Promise((resolve, reject) => HTMLCS.process("WCAG2AA", document, resolve, reject));
    return HTMLCS.getMessages().filter(({ type }) => type === HTMLCS.ERROR)
        .map(({ code, msg, element }) => [code, msg, element.outerHTML?.slice(0, 200)]);
}
"""

# Elements beyond the right edge, of a page that scrolls sideways.
_TOO_WIDE = """width => document.documentElement.scrollWidth <= width ? [] :
    [...document.querySelectorAll("body *")]
        .filter((element) => element.getBoundingClientRect().right > width)
        .map((element) => element.outerHTML.slice(0, 200))"""

# Of an inline element, a clip path leaves only the first line.
_CUT = """() => [...document.querySelectorAll("main *")]
    .filter((element) => {
        const { display, clipPath } = getComputedStyle(element);
        return display === "inline" && clipPath !== "none" && element.textContent !== "";
    })
    .map((element) => element.outerHTML.slice(0, 200))"""


def bring_axe(page):
    """Load axe into every document that a page opens, sending it to the browser only once."""
    page.add_init_script(f"if (window === top) {{ {AXE_SCRIPT} }}")


def _faults(page):
    """Return the serious faults of a page in both colour schemes: in the dark, only colours differ."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = {}
    for scheme, options in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        page.emulate_media(color_scheme=scheme)
        found[scheme] = page.evaluate(_SERIOUS_FAULTS, options)
    if SNIFFER.exists():
        page.evaluate(SNIFFER.read_text())
        found["sniffed"] = page.evaluate(_SNIFFED)
    return {kind: faults for kind, faults in found.items() if faults}


def assert_accessible(page):
    """Check that a page has no fault in either colour scheme, does not scroll sideways and cuts no text."""
    faults = _faults(page)
    assert faults == {}, faults
    page.set_viewport_size(PHONE)
    beyond = page.evaluate(_TOO_WIDE, PHONE["width"])
    assert beyond == [], beyond
    cut = page.evaluate(_CUT)
    assert cut == [], cut
