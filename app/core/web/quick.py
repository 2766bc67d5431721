"""What templates do most, escaping and calling, in fewer steps than Jinja takes."""

from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator
from jinja2.runtime import Context
from markupsafe import Markup, _escape_inner, escape  # type: ignore[attr-defined]

from app.core.i18n.text import Text

_PARTS = "yield from "


def escaped(value: Any) -> str:
    """Return a value as HTML, as `escape` does, but not marked as such: it is joined to the page at once."""
    kind = type(value)
    if kind is str:
        return _escape_inner(value)
    if kind is Markup:
        return value  # type: ignore[no-any-return]
    if kind is Text:
        return value.__html__()  # type: ignore[no-any-return]
    return str(value) if kind is int else escape(value)


class QuickContext(Context):
    """A context whose functions and macros know nothing of it, which Jinja would find out at each call."""

    def call(
        self, called: Any, /, *args: Any, _block_vars: object = None, _loop_vars: object = None, **named: Any
    ) -> Any:
        """Call a function or a macro."""
        return called(*args, **named)


class QuickCode(CodeGenerator):
    """Makes templates that escape by `escaped`, which their environment has.

    What a template draws of a block or of another template is one text. Jinja would hand on each part of it
    through all templates around it.
    """

    def write_commons(self) -> None:
        """Write the names that a template and each of its blocks begin with."""
        super().write_commons()
        self.writeline("escape = environment.escaped")

    def writeline(self, x: str, node: nodes.Node | None = None, extra: int = 0) -> None:
        """Write a line of a template."""
        if x == "for event in gen:":
            x = "for event in (concat(gen),):"
        elif x.startswith(_PARTS):
            x = f"yield concat({x.removeprefix(_PARTS)})"
        super().writeline(x, node, extra)
