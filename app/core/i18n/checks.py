"""What is missing or wrong in the catalogues."""

import re
from collections import Counter
from collections.abc import Iterator

from babel.messages.catalog import Catalog, Message

from app.core.i18n.catalogue import forms_of
from app.core.i18n.extraction import read, texts
from app.core.i18n.languages import LANGUAGES, SOURCE

_PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w+\}")
_TAG = re.compile(r"</?[a-z][^>]*>")


def problems() -> list[str]:
    """Return a line for each text that is not translated, or whose translation cannot be drawn."""
    template = texts()
    return [
        f"{language}: {problem}"
        for language in LANGUAGES
        if language != SOURCE
        for problem in _problems(template, read(language))
    ]


def _problems(template: Catalog, catalogue: Catalog) -> Iterator[str]:
    for wanted in template:
        if wanted.id:
            message = catalogue.get(wanted.id, wanted.context)
            fault = _fault(message, catalogue.num_plurals)
            if fault:
                yield f"{fault}: {wanted.id!r}"
    for message in catalogue:
        if message.id and template.get(message.id, message.context) is None:
            yield f"no longer used: {message.id!r}"


def _fault(message: Message | None, plural_forms: int) -> str:
    """Return what is wrong with a translation, or ""."""
    if message is None or not all(forms_of(message.string)):
        return "not translated"
    if message.fuzzy:
        return "still marked as fuzzy"
    forms = forms_of(message.string)
    if message.pluralizable and len(forms) != plural_forms:
        return f"{len(forms)} plural forms, not {plural_forms}"
    for form in forms:
        for pattern, what in ((_PLACEHOLDER, "placeholders"), (_TAG, "tags")):
            sources = [Counter(pattern.findall(source)) for source in forms_of(message.id)]
            if Counter(pattern.findall(form)) not in sources:
                return f"other {what} than the English text"
        if "%(" in form and "%" in _PLACEHOLDER.sub("", form).replace("%%", ""):
            return "a % that is not doubled"
    return ""
