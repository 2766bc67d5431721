"""The boards on screens of several scales, dot by dot."""

import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.web.joined import FIRST_STYLES, MORE_STYLES, text_of
from app.nugget.drawing import draw_still
from app.play.games.boards import BOARDS
from engine.golden_nugget.board import START
from tests.browser import chromium

pytestmark = pytest.mark.browser

# The runs of dots of one colour in each row and in each column of a part of a picture, without repetitions.
_RUNS = """async ([picture, left, top, right, bottom]) => {
  const image = await createImageBitmap(await (await fetch("data:image/png;base64," + picture)).blob());
  const [width, height] = [right - left, bottom - top];
  const context = new OffscreenCanvas(width, height).getContext("2d");
  context.drawImage(image, -left, -top);
  const dots = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
  const kinds = (count, length, at) => {
    const found = new Set();
    for (let line = 0; line < count; line++) {
      const runs = [];
      for (let place = 0, last = null; place < length; place++) {
        const dot = dots[at(line, place)];
        if (dot !== last) runs.push(0);
        runs[runs.length - 1]++;
        last = dot;
      }
      found.add(runs.join());
    }
    return [...found].map((runs) => runs.split(",").map(Number));
  };
  return [
    kinds(height, width, (line, place) => line * width + place),
    kinds(width, height, (line, place) => place * width + line),
  ];
}"""


def _empty(rules, size):
    """Return an empty board, with nothing on its squares."""
    position = rules.initial({"size": size})
    return BOARDS[rules].draw(position)


def _runs(page, selector):
    """Return the runs of the rows and of the columns that an element covers."""
    # The browser lays out in 64ths of a dot; the product below may fall short of a half by less than that.
    box = page.locator(selector).evaluate("""element => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      return [left, top, right, bottom].map((edge) => Math.floor(edge * devicePixelRatio + 0.5 + 1 / 128));
    }""")
    return page.evaluate(_RUNS, [base64.b64encode(page.screenshot()).decode(), *box])


@pytest.fixture(params=(1, 1.25, 1.5, 2, 3), scope="module")
def page(playwright, request):
    """Return an empty page on a screen of a scale; a scale that is only emulated would blur the dots."""
    scale = f"--force-device-scale-factor={request.param}"
    with playwright.chromium.launch(
        executable_path=chromium.shell(), args=[*chromium.LAUNCH_ARGS, scale, "--window-size=1000,1000"]
    ) as browser:
        yield browser.new_page(no_viewport=True)


def _show(page, drawn, left, width):
    frame = f"<div style='margin: {left}px; width: {width}px; container-type: inline-size'>{drawn}</div>"
    styles = text_of(FIRST_STYLES) + text_of(MORE_STYLES)
    page.set_content(f"<style>{styles.decode()}</style>{frame}")


LEFT = st.floats(0, 20).map(lambda number: round(number, 2))
WIDTH = st.floats(180, 900).map(lambda number: round(number, 2))


@given(data=st.data(), rules=st.sampled_from(list(BOARDS)), left=LEFT, width=WIDTH)
@settings(max_examples=15, deadline=None)
def test_all_lines_and_all_squares_are_alike(page, data, rules, left, width):
    sizes = rules.options["size"]
    size = data.draw(st.integers(sizes.minimum, sizes.maximum))
    _show(page, _empty(rules, size), left, width)
    for lines in _runs(page, ".board-squares"):
        # What is no line has squares and lines by turns.
        across, *others = sorted(lines, key=len, reverse=True)
        assert [len(runs) for runs in others] == [1]
        assert len(across) == 2 * size + 1
        assert len(set(across[0::2])) == len(set(across[1::2])) == 1


@given(left=LEFT, width=WIDTH)
@settings(max_examples=5, deadline=None)
def test_all_tiles_of_golden_nugget_are_alike(page, left, width):
    _show(page, draw_still(START), left, width)
    tiles = page.locator(".tile").evaluate_all(
        "tiles => tiles.map((tile) => tile.getBoundingClientRect().width * devicePixelRatio)"
    )
    assert {round(tile, 1) % 1 for tile in tiles} == {0}
