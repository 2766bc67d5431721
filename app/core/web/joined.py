"""Static files that are served as one: fewer requests, without a build step."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from posixpath import dirname, join, normpath, relpath
from types import MappingProxyType

from app.core.settings import FILES

FOLDER = FILES / "static"
FIRST_STYLES = "gorrion.css"
"""The style sheets of a visitor's home page, which is the first page that most people see."""
MORE_STYLES = "gorrion-more.css"
"""All other style sheets."""
HTMX = "htmx.js"
"""Htmx and its extension for websockets."""

MODULES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "js/page.js": ("js/storage.js", "js/once.js", "js/server_time.js", "js/moments.js", "js/tabs.js"),
        "js/live.js": (
            "js/dom.js",
            "js/due.js",
            "js/focus.js",
            "js/movement.js",
            "js/notices.js",
            "js/opened.js",
            "js/screen.js",
            "js/requests.js",
            "js/live.js",
        ),
        "js/game.js": (
            "js/game/remark.js",
            "js/game/updates.js",
            "js/game/board.js",
            "js/game/replay.js",
            "js/game/score.js",
            "js/game/view.js",
            "js/game/keyboard.js",
            "js/game/premove.js",
            "js/game/obstacles.js",
            "js/game/live_moves.js",
            "js/game/sending.js",
            "js/game/sounds.js",
        ),
    }
)
"""The modules that always load together, each after those that it imports, by the path that serves them.

The names that they export are different. Other modules that import one of them get it from there.
"""

JOINED = frozenset((FIRST_STYLES, MORE_STYLES, HTMX, *MODULES))
"""The paths that serve more than the file of that name."""

_FIRST = frozenset(
    (
        "banner",
        "base",
        "board",
        "button",
        "card",
        "challenge",
        "disk",
        "field",
        "fonts",
        "games",
        "header",
        "home",
        "jadejack",
        "mark",
        "mini",
        "notice",
        "numbers",
        "page",
        "quick",
        "rows",
        "sheet",
        "sparrow",
        "tabs",
        "themes",
        "tokens",
    )
)
_SHEETS = frozenset(path.stem for path in (FOLDER / "css").glob("*.css"))
_COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)
# Of a script: on a line of its own, or of types.
_SCRIPT_COMMENT = re.compile(r"^\s*//[^\n]*\n|/\*\*.*?\*/\s*", re.MULTILINE | re.DOTALL)
_INDENTATION = re.compile(rb"\s*\n\s*")
_IMPORT = re.compile(r'^import (?:\{ (.+) \} from )?"(.+)";.*\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:const|function) (\w+))", re.MULTILINE)
_JOINED_AT = {path: joined for joined, paths in MODULES.items() for path in paths}


@cache
def text_of(path: str) -> bytes:
    """Return a text file: joined, a script of ours without its comments, or as it is."""
    if path == FIRST_STYLES:
        return _styles(_FIRST)
    if path == MORE_STYLES:
        return _styles(_SHEETS - _FIRST)
    if path == HTMX:
        return b"\n".join((FOLDER / "vendor" / name).read_bytes() for name in ("htmx.min.js", "hx-ws.min.js"))
    if path in MODULES:
        return _modules(path).encode()
    if path.startswith("js/"):
        return _module(path).encode()
    return (FOLDER / path).read_bytes()


def _styles(names: Iterable[str]) -> bytes:
    """Return style sheets one after the other: the tokens, which name the layers, then the components.

    URLs in them are relative to the folder from which the whole is served.
    """
    sheets = sorted(names, key=lambda name: (name != "tokens", name))
    joined = b"\n".join((FOLDER / "css" / f"{name}.css").read_bytes() for name in sheets)
    # Other space may have a meaning: `.board :is(.sq)` is not `.board:is(.sq)`.
    return _INDENTATION.sub(b"\n", _COMMENT.sub(b"", joined))


def _script(path: str) -> str:
    return _SCRIPT_COMMENT.sub("", (FOLDER / path).read_text())


def _module(path: str) -> str:
    """Return a script; what it imports comes from where that is served."""
    script = _script(path)
    return _imports(path, {path: script}) + _IMPORT.sub("", script)


def _modules(path: str) -> str:
    """Return joined modules as one: what one exports, the others see; all else is its own."""
    scripts = {member: _script(member) for member in MODULES[path]}
    return _imports(path, scripts) + "".join(map(_closed, scripts.values()))


def _closed(script: str) -> str:
    names = ", ".join(name for _, name in _EXPORT.findall(script))
    body = _EXPORT.sub(r"\1", _IMPORT.sub("", script))
    return f"export const {{ {names} }} = (() => {{\n{body}return {{ {names} }};\n}})();\n"


def _imports(path: str, scripts: Mapping[str, str]) -> str:
    """Return what scripts that are served as one import from elsewhere."""
    imported = defaultdict[str, set[str]](set)
    for member, script in scripts.items():
        for names, source in _IMPORT.findall(script):
            target = normpath(join(dirname(member), source))
            imported[_JOINED_AT.get(target, target)].update(filter(None, names.split(", ")))
    imported.pop(path, None)
    return "".join(
        f'import {{ {", ".join(sorted(names))} }} from "./{relpath(target, dirname(path))}";\n'
        for target, names in imported.items()
    )
