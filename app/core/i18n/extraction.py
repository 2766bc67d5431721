"""Collecting the texts of the code and of the templates, and bringing the catalogues up to date with them."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from app.core.i18n.catalogue import FOLDER, forms_of
from app.core.i18n.languages import LANGUAGES, SOURCE
from app.core.moments import utc_now
from app.core.settings import ROOT

_METHODS = [("**.py", "python"), ("**.html", "jinja2")]
_OPTIONS = {"**.html": {"trimmed": "true", "newstyle_gettext": "true", "silent": "false"}}
_KEYWORDS = {
    "_": None,
    "gettext": None,  # of `{% trans %}`
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "IllegalMove": (2,),
    "IllegalPush": (2,),
    "ExplainedError": (1,),
    "MoveSyntaxError": (1,),
    "Most": (3, 4),  # of what an account has
    "RecordError": (2,),
    "ReplayError": (2,),
    "VariationsError": (1,),
    "report": (2,),  # a problem of a record of Golden Nugget
}
_FOLDERS = ("app", "engine", "templates")
_NOTE = "Translators:"
"""What begins a comment above a text that is meant for translators."""

_PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w+\}")
_TAG = re.compile(r"</?[a-z][^>]*>")


def texts() -> Catalog:
    """Return all texts of the project, as a catalogue without translations."""
    template = Catalog(project="Gorrion", fuzzy=False)
    for folder in _FOLDERS:
        for file, line, message, comments, context in extract_from_dir(
            str(ROOT / folder), _METHODS, _OPTIONS, _KEYWORDS, (_NOTE,), strip_comment_tags=True
        ):
            template.add(
                message, locations=[(f"{folder}/{file}", line)], auto_comments=comments, context=context
            )
    return template


def path_of(language: str) -> Path:
    """Return the file of the catalogue of a language."""
    return FOLDER / f"{language}.po"


def read(language: str) -> Catalog:
    """Return the catalogue of a language as its file has it, or an empty one if there is no file."""
    path = path_of(language)
    if not path.exists():
        return _new(language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def _new(language: str) -> Catalog:
    """Return an empty catalogue of a language, without the blanks that Babel leaves in its header."""
    name = Locale.parse(language).english_name
    moment = utc_now()
    catalogue = Catalog(
        language,
        header_comment=f"# {name} translations of Gorrion.",
        project="Gorrion",
        version="1",
        creation_date=moment,
        revision_date=moment,
        language_team=name,
        fuzzy=False,
    )
    catalogue.msgid_bugs_address = catalogue.last_translator = ""
    return catalogue


def update() -> None:
    """Add new texts to all catalogues, and drop those that are no longer used."""
    template = texts()
    for language in LANGUAGES:
        if language != SOURCE:
            catalogue = read(language)
            dates = catalogue.creation_date, catalogue.revision_date
            catalogue.update(template, no_fuzzy_matching=True)
            catalogue.creation_date, catalogue.revision_date = dates
            with path_of(language).open("wb") as file:
                write_po(
                    file, catalogue, width=120, include_lineno=False, sort_by_file=True, ignore_obsolete=True
                )


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
