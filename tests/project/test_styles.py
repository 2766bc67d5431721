"""A style sheet styles one component, and no style is defined twice."""

import re

from tests.project.files import SHEETS

# The classes of a sheet begin with its name; these sheets have other words for theirs, or more than one.
_PREFIXES = {
    "analysis": ("analysis", "evaluation"),
    "board": ("board", "sq"),
    "card": ("cards?",),
    "jadejack": ("piece", "sq", "board-show"),
    "numbers": ("num", "trail"),
    "nugget": ("nugget", "tile", "force"),
    "rows": ("rows", "row"),
}
_PLAIN = ("tokens", "themes", "base")  # sheets of custom properties and elements


def _rules(path):
    """Yield every selector of a sheet with the at-rules around it, one by one."""
    text = re.sub(r"/\*.*?\*/|url\('[^']*'\)", "", path.read_text(), flags=re.DOTALL)
    around = []
    for prelude, bracket in re.findall(r"([^{};]*(?:;[^{};]*)*)([{}])", text):
        if bracket == "}":
            around.pop()
            continue
        selector = " ".join(prelude.rpartition(";")[2].split())
        if not selector.startswith("@") and not (around and around[-1].startswith("@keyframes")):
            yield (*around, selector)
        around.append(selector)


def test_a_style_sheet_keeps_to_its_component():
    strangers = [
        (path.stem, rule)
        for path in SHEETS
        for rule in _rules(path)
        if path.stem not in _PLAIN and not _is_of(path.stem, rule)
    ]
    assert strangers == []


def _is_of(component, rule):
    prefixes = "|".join(_PREFIXES.get(component, (component,)))
    # The page's frame, fields, and elements selected by a preference or an id have no class.
    return re.search(rf"\.({prefixes})\b", " ".join(rule)) or not re.search(r"\.[a-z]", rule[-1])


def test_no_style_is_defined_twice():
    places = {}
    for path in SHEETS:
        for rule in _rules(path):
            places.setdefault(rule, []).append(path.stem)
    assert {rule: sheets for rule, sheets in places.items() if len(sheets) > 1} == {}


def test_what_scrolls_sideways_holds_the_hidden_texts_in_it():
    """They have a position, so that beyond the edge they would widen the page itself."""
    scrolling = [
        (path.stem, " ".join(selector.split()), declarations)
        for path in SHEETS
        for selector, declarations in re.findall(r"([^{};]+){([^{}]*)}", path.read_text())
        if re.search(r"overflow(-x)?: auto", declarations)
    ]
    assert scrolling
    assert [rule for rule in scrolling if "position: " not in rule[-1]] == []


def test_no_has_is_inside_another_one():
    """Browsers ignore a rule with such a selector."""
    nested = [(path.stem, rule[-1]) for path in SHEETS for rule in _rules(path) if _is_nested(rule[-1])]
    assert nested == []


def _is_nested(selector):
    depths = []
    for word in re.findall(r":has\(|[()]", selector):
        if word == ")":
            depths.pop()
        elif word == ":has(" and word in depths:
            return True
        else:
            depths.append(word)
    return False
