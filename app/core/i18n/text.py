"""Texts that people read: written in English, and translated when they are drawn.

A `Text` is its English string, so programs, logs and the API get English. A template that draws it gets the
translation into the reader's language: Jinja escapes what it draws, and escaping a `Text` translates it. So a
text must be a whole sentence with named placeholders: joined to another string, it stays English.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from functools import cache
from typing import Self

from markupsafe import Markup, escape

from app.core.i18n.catalogue import catalogue
from app.core.i18n.formats import day_in, list_in, moment_in, month_in, number_in, quarter_in
from app.core.i18n.languages import SOURCE, current
from engine.game import ExplainedError


class Month(date):
    """A value of a text that is written as its month: "November 2026"."""


class Quarter(date):
    """A value of a text that is written as its quarter: "4th quarter 2026"."""


_PLAIN = (str, int)  # types of values that look the same in every language


class Text(str):
    """A text in English that knows its translations.

    `_`, `pgettext` and `ngettext` make texts for the catalogues. A text made by the class itself is for
    programs and operators, and stays English.
    """

    __slots__ = ("_english_html", "context", "message", "number", "plural_message", "values")

    message: str
    plural_message: str
    context: str
    number: float
    values: Mapping[str, object]
    _english_html: Markup | None

    def __new__(
        cls,
        message: str,
        *,
        plural: str = "",
        context: str = "",
        count: float = 1,
        values: Mapping[str, object] | None = None,
    ) -> Self:
        """Return a text; a message with values has placeholders such as `%(name)s`."""
        english = plural if plural and count != 1 else message
        text = str.__new__(cls, _filled(english, values or {}, SOURCE))
        text.message, text.plural_message, text.context = message, plural, context
        text.number, text.values = count, values or {}
        text._english_html = None  # noqa: SLF001 - its own
        return text

    def translated(self) -> str:
        """Return the text in the reader's language."""
        language = current()
        if language == SOURCE:
            return str.__str__(self)
        messages = catalogue(language)
        if self.plural_message:
            message = messages.plural(self.message, self.plural_message, self.number, self.context)
        else:
            message = messages.text(self.message, self.context)
        return _filled(message, self.values, language)

    def __html__(self) -> Markup:
        """Return the text in the reader's language, escaped; templates call this."""
        if current() != SOURCE:
            return escape(self.translated())
        if self._english_html is None:
            self._english_html = escape(str.__str__(self))
        return self._english_html


def _(message: str, /, **values: object) -> Text:
    """Return a text: `_("%(player)s is to move", player=name)`.

    Values may be texts; numbers, dates and tuples are written as in the reader's language.
    """
    return Text(message, values=values) if values else _constant(message)


_constant = cache(Text)


def pgettext(context: str, message: str, /, **values: object) -> Text:
    """Return a text that has other translations elsewhere; the context says which one is meant."""
    return Text(message, context=context, values=values)


def ngettext(singular: str, plural: str, count: float, /, **values: object) -> Text:
    """Return a text for a number of things: `ngettext("%(count)s move", "%(count)s moves", moves)`."""
    return Text(singular, plural=plural, count=count, values={"count": count, **values})


def joined(*sentences: Text) -> Text:
    """Return sentences one after the other."""
    return _together(" ", sentences)


def listed(*labels: Text) -> Text:
    """Return labels one after the other, separated by commas."""
    return _together(", ", labels)


def _together(separator: str, texts: Sequence[Text]) -> Text:
    values = {f"text_{number}": text for number, text in enumerate(texts)}
    return Text(separator.join(f"%({name})s" for name in values), values=values)


def _filled(message: str, values: Mapping[str, object], language: str) -> str:
    if not values:
        return message.replace("%%", "%")
    return message % {name: _shown(value, language) for name, value in values.items()}


def _shown(value: object, language: str) -> object:
    if type(value) in _PLAIN:
        return value
    shown = value
    match value:
        case Text():
            shown = str.__str__(value) if language == SOURCE else value.translated()
        case float():
            shown = number_in(language, value)
        case datetime():
            shown = moment_in(language, value)
        case Month():
            shown = month_in(language, value)
        case Quarter():
            shown = quarter_in(language, value)
        case date():
            shown = day_in(language, value)
        case tuple():
            shown = list_in(language, tuple(str(_shown(item, language)) for item in value))
    return shown


NO_TEXT = Text("")
"""An empty text."""


class Worded(StrEnum):
    """An enumeration whose members have words for people: `SPAM = "spam", _("Advertising or spam")`."""

    texts: tuple[Text, ...]

    def __new__(cls, value: str, *texts: Text) -> Self:
        """Return a member with a value, which programs and tables know, and its texts."""
        member = str.__new__(cls, value)
        member._value_, member.texts = str(value), texts
        return member

    @property
    def words(self) -> Text:
        """Return the member in words: its text, the first one if it has several."""
        return self.texts[0]


def reason_of(error: ExplainedError) -> Text:
    """Return what an error of the engine says, such as why a move is not allowed."""
    figures = {
        name: reason_of(figure) if isinstance(figure, ExplainedError) else figure
        for name, figure in error.figures.items()
    }
    return Text(error.message, values=figures)
