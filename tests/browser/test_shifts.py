"""Pages stay where they are while they load, on a phone with a slow connection."""

import pytest

from tests.support.accessibility import PHONE

pytestmark = pytest.mark.browser

_MOST = 0.02
_SLOW = {"offline": False, "latency": 60, "downloadThroughput": 150_000, "uploadThroughput": 90_000}
_OBSERVED = """
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      window.shifts.push([value, sources.map(({ node }) => node?.id || node?.className || node?.nodeName)]);
  }).observe({ type: "layout-shift", buffered: true });
"""

# Of each kind: boards, moments, what a live connection or a script adds.
PAGES = [
    "/",
    "/account/security",
    "/analysis",
    "/calendar",
    "/games/{under_way}",
    "/games/{match}",
    "/games/{finished}",
    "/games/{alone}",
    "/games/{finished}/review",
    "/lobby",
    "/login",
    "/nugget/commitments",
    "/nugget/competitions",
    "/nugget/competitions/{competition}/edit",
    "/nugget/runs/{run}",
    "/puzzles/{puzzle}",
    "/studies/{study}",
    "/tournaments",
    "/tournaments/{arena}",
    "/watch",
]


@pytest.mark.parametrize("reader", ["player", "nobody"])
@pytest.mark.parametrize("path", PAGES)
def test_nothing_moves_while_a_page_loads(sit_down, example_site, path, reader):
    path = path.format(puzzle=example_site.ids["puzzle_of_jadejack"], **example_site.ids)
    visitor = example_site.readers[reader]
    if visitor.http.get(path).status_code != 200:
        pytest.skip("not for this reader")
    page = sit_down(
        visitor=visitor,
        base_url=example_site.server.url,
        viewport=PHONE,
        has_touch=True,
        is_mobile=True,
        service_workers="block",
    )
    page.add_init_script(_OBSERVED)
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", _SLOW)
    page.goto(path)
    page.wait_for_timeout(500)
    shifts = page.evaluate("window.shifts")
    assert sum(value for value, _ in shifts) <= _MOST, shifts
