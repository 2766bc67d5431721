"""The Jinja environments, one for each language, and templates as responses."""

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, MutableMapping
from functools import cache
from hashlib import blake2b
from typing import Any, NamedTuple

from cachetools import LRUCache, cached
from jinja2 import Environment, FileSystemLoader, StrictUndefined, nodes
from jinja2.ext import InternationalizationExtension
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup
from starlette.responses import HTMLResponse

from app.core.errors import AppError
from app.core.i18n import languages
from app.core.i18n.catalogue import catalogue
from app.core.i18n.languages import LANGUAGES, open_graph_name
from app.core.i18n.text import _, ngettext, pgettext
from app.core.parts import parts_of
from app.core.settings import FILES, Settings
from app.core.web import current
from app.core.web.addresses import canonical_url, page_of, path_of, site_url
from app.core.web.banner import Banner
from app.core.web.filters import FILTERS, json_of_texts, times_left
from app.core.web.forms import (
    FormKeys,
    account_field,
    form_errors,
    keyed,
    keyed_later,
    keyless,
    once_field,
    with_key,
)
from app.core.web.navigation import navigation_mark
from app.core.web.quick import QuickCode, QuickContext, escaped
from engine import registry

_PLACEHOLDER = re.compile(r"%\((\w+)\)s")

_MOST_KEPT, _LONGEST_KEPT = 2_000_000, 100_000  # characters: all fragments and values together, and each

_AUTOMATIC = ("system", "auto")  # values that leave the choice to the browser


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
        messages = self.environment.catalogue  # type: ignore[attr-defined]
        forms = [
            nodes.Output(list(_parts(form, variables)))
            for form in messages.forms(singular, plural or "", context or "")
        ]
        if plural_expr is None or len(forms) == 1:
            return forms[0]
        index = nodes.Filter(plural_expr, "plural_form", [nodes.Const(len(forms))], [], None, None)
        tests = [nodes.Compare(index, [nodes.Operand("eq", nodes.Const(at))]) for at in range(len(forms) - 1)]
        branches = [nodes.If(test, [form], [], []) for test, form in zip(tests, forms, strict=False)]
        return nodes.If(branches[0].test, branches[0].body, branches[1:], [forms[-1]])


def _parts(message: str, variables: Mapping[str, nodes.Expr]) -> Iterator[nodes.Expr]:
    """Yield the parts of a message: its texts, which may have tags, and its variables."""
    for at, part in enumerate(_PLACEHOLDER.split(message)):
        yield variables[part] if at % 2 else nodes.TemplateData(part.replace("%%", "%"))


class _Environment(Environment):
    """The templates in one language.

    A template copies its globals each time it is drawn, which a dict does fastest.
    """

    code_generator_class = QuickCode
    context_class = QuickContext
    escaped = staticmethod(escaped)

    def __init__(self, language: str) -> None:
        super().__init__(
            extensions=[Translated, FormKeys],
            loader=FileSystemLoader(FILES / "templates"),
            undefined=StrictUndefined,
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
            cache_size=-1,  # all templates
        )
        self.catalogue = catalogue(language)
        self.globals.update(once_field=once_field, account_field=account_field, kept=kept)
        self.globals.update(navigation_mark=navigation_mark)
        self.globals.update(language=language, languages=LANGUAGES, registry=registry)
        self.globals.update(open_graph_name=open_graph_name)
        self.globals.update(times_left=htmlsafe_json_dumps(times_left(language), dumps=json_of_texts))
        self.policies["json.dumps_function"] = json_of_texts
        self.filters |= {function.__name__: function for function in FILTERS}

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return {**self.globals, **(d or {})}


_environment = cache(_Environment)


def fragment(template: str, **context: Any) -> str:
    """Return a template, usually a part of a page, drawn in the reader's language."""
    with keyless():
        return _drawn(template, context)


def fragment_keyed_later(template: str, **context: Any) -> str:
    """Return a template, drawn for several pages, each of which sets the key of its forms by `with_key`."""
    with keyed_later():
        return _drawn(template, context)


def kept(template: str, **values: Any) -> Markup:
    """Return a fragment that is drawn once for all readers who see the same; templates call this, too.

    The values are all that the template knows besides the language: hashable ones, and lists and mappings of
    them. Do not keep what depends on the time. Forms get the key of the page only if its template calls this.
    """
    return with_key(_kept(template, values).html)


def _kept_by(template: str, values: Mapping[str, Any]) -> Hashable:
    hashable = ((name, _hashable(value)) for name, value in values.items())
    return languages.current(), template, *hashable


def _hashable(value: Any) -> Hashable:
    if isinstance(value, Mapping):
        return frozenset(value.items())
    return tuple(value) if isinstance(value, list) else value


class _Kept(NamedTuple):
    """A fragment, and the characters of it and of the values by which it is kept."""

    html: str
    characters: int


def _size(kept: _Kept) -> int:
    """Return the size of a fragment: one that is too long to be kept is greater than the cache."""
    return kept.characters if kept.characters <= _LONGEST_KEPT else _MOST_KEPT + 1


@cached(LRUCache(_MOST_KEPT, getsizeof=_size), key=_kept_by)
def _kept(template: str, values: Mapping[str, Any]) -> _Kept:
    html = fragment_keyed_later(template, **values)
    return _Kept(html, len(html) + len(repr(values)))


def fingerprint(html: str) -> str:
    """Return a short name of a text, by which a live page says what it shows; see `app.live.pushing.push`."""
    return blake2b(html.encode(), digest_size=8).hexdigest()


def _drawn(template: str, context: Mapping[str, Any]) -> str:
    return _environment(languages.current()).get_template(template).render(context)


def page(
    template: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    failure: AppError | None = None,
    **context: Any,
) -> HTMLResponse:
    """Return a page as a response.

    A `failure` is why a form could not be carried out: it sets the status, and the messages by field.

    The header names the viewer, whom a dependency of all pages identifies (see `app.people.identity.viewer`),
    which may also `finish` the page. One for a request that reached no route, such as a 404, does not know
    whether there is a viewer.
    """
    if failure is not None:
        status = failure.status
    context.setdefault("form_errors", form_errors(failure) if failure else {})
    connection = current.connection()
    is_viewer_known = "viewer" in context or hasattr(connection.state, "viewer")
    context.setdefault("viewer", getattr(connection.state, "viewer", None))
    context.update(
        is_viewer_known=is_viewer_known,
        request_path=path_of(connection),
        canonical_url=canonical_url(connection),
        site_url=site_url(connection),
        return_path=page_of(connection),
        has_mail=parts_of(connection).get(Settings).has_mail,
        banner=parts_of(connection).get(Banner).text_in(languages.current()),
        root_attributes=_root_attributes(context["viewer"]),
    )
    with keyed(context["viewer"].id if context["viewer"] else None):
        html = _drawn(template, context)
    varied = {"Vary": "HX-Request-Type, Cookie, Accept-Language"}
    response = HTMLResponse(html, status, {**varied, **(headers or {})})
    finish: Callable[[HTMLResponse], HTMLResponse] = getattr(connection.state, "finish", lambda drawn: drawn)
    return finish(response)


def _root_attributes(viewer: Any) -> dict[str, str]:
    """Return the attributes of `<html>` by which styles and scripts know a viewer's preferences."""
    if viewer is None:
        return {}
    chosen = {name: value for name, value in viewer.preferences.items() if value not in _AUTOMATIC}
    return {"data-account": str(viewer.id), **{f"data-{name}": value for name, value in chosen.items()}}


def wants_htmx() -> bool:
    """Return whether htmx sent the request, so that it gets a fragment."""
    return "HX-Request" in current.connection().headers


def wants_partial() -> bool:
    """Return whether htmx asks for a part of a page rather than all of it."""
    return current.connection().headers.get("HX-Request-Type") == "partial"
