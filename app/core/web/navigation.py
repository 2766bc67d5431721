"""Which link of the navigation is marked on a page."""

from collections.abc import Mapping

_SECTIONS: Mapping[str, tuple[str, ...]] = {
    "/lobby": ("/challenges",),
    "/solitaire": (),
    "/tournaments": ("/tournaments/", "/calendar", "/ladders", "/seasons"),
    "/nugget": ("/nugget/",),
    "/leaderboards": ("/leaderboards/", "/scores/", "/records"),
    "/watch": (),
    "/learn": ("/learn/", "/rules"),
    "/puzzles": ("/puzzles/",),
    "/analysis": ("/analysis/", "/studies"),
}
"""The addresses of the links, and how other addresses of their sections begin."""


def navigation_mark(path: str) -> tuple[str, str]:
    """Return the address of the link that is marked at a path, and its `aria-current`; empty ones for none.

    It is `page` on the page of the link, and `true` on others of its section.
    """
    if path in _SECTIONS:
        return path, "page"
    marked = next((link for link, sections in _SECTIONS.items() if path.startswith(sections)), "")
    return marked, "true" if marked else ""
