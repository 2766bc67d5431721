"""The key in each form of a page, by which `app.core.web.once` knows a form that was sent before."""

import contextlib
import re
import secrets
from collections.abc import Iterator
from contextvars import ContextVar

from jinja2.ext import Extension
from markupsafe import Markup

FIELD = "once"
"""The name of the hidden field."""

_TAG = re.compile(r'<form\b(?![^>]*\bdata-own-key\b)[^>]*\bmethod="post"[^>]*>')

_key: ContextVar[str | None] = ContextVar("key_of_page", default=None)


@contextlib.contextmanager
def keyed() -> Iterator[None]:
    """Draw forms with a key in this context, unless it lies within one without keys."""
    token = _key.set(secrets.token_urlsafe(16) if _key.get() is None else "")
    try:
        yield
    finally:
        _key.reset(token)


@contextlib.contextmanager
def keyless() -> Iterator[None]:
    """Draw forms without a key in this context: what it draws is for several readers."""
    token = _key.set("")
    try:
        yield
    finally:
        _key.reset(token)


def once_field() -> Markup:
    """Return the hidden field with the key of the page, if it has one."""
    key = _key.get()
    return Markup('<input type="hidden" name="{}" value="{}">').format(FIELD, key) if key else Markup()


class FormKeys(Extension):
    """Jinja's extension that adds the key to each form that is posted, unless that has a key of its own."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002
        """Return the source of a template with the keys."""
        return _TAG.sub(r"\g<0>{{ once_field() }}", source)
