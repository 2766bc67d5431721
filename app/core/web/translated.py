"""The texts of templates, translated when a template is compiled: once for each language."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from jinja2 import nodes
from jinja2.ext import InternationalizationExtension

from app.core.i18n.text import _, ngettext, pgettext

_PLACEHOLDER = re.compile(r"%\((\w+)\)s")


class Translated(InternationalizationExtension):
    """Jinja's `{% trans %}`, which costs nothing when a template is drawn.

    The environment's `catalogue` is the one of its language. Whether to translate is decided by the template
    alone, so a translated text becomes text of the compiled template.
    """

    def __init__(self, environment: Any) -> None:
        super().__init__(environment)
        environment.policies["ext.i18n.trimmed"] = True
        environment.globals.update(_=_, ngettext=ngettext, pgettext=pgettext)

    def _make_node(  # type: ignore[override]
        self,
        singular: str,
        plural: str | None,
        context: str | None,
        variables: Mapping[str, nodes.Expr],
        plural_expr: nodes.Expr | None,
        *_of_calls: bool,
    ) -> nodes.Output | nodes.If:
        """Return what draws a text."""
        messages = self.environment.catalogue  # type: ignore[attr-defined]
        forms = [
            nodes.Output(list(_drawn(form, variables)))
            for form in messages.forms(singular, plural or "", context or "")
        ]
        if plural_expr is None or len(forms) == 1:
            return forms[0]
        index = nodes.Filter(plural_expr, "plural_form", [nodes.Const(len(forms))], [], None, None)
        tests = [nodes.Compare(index, [nodes.Operand("eq", nodes.Const(at))]) for at in range(len(forms) - 1)]
        branches = [nodes.If(test, [form], [], []) for test, form in zip(tests, forms, strict=False)]
        return nodes.If(branches[0].test, branches[0].body, branches[1:], [forms[-1]])


def _drawn(message: str, variables: Mapping[str, nodes.Expr]) -> Iterator[nodes.Expr]:
    """Yield the parts of a message: its texts, which may have tags, and its variables."""
    for at, part in enumerate(_PLACEHOLDER.split(message)):
        yield variables[part] if at % 2 else nodes.TemplateData(part.replace("%%", "%"))
