"""The catalogues: what each text is in another language, read from `translations/`."""

from collections.abc import Mapping, Sequence
from functools import cache
from gettext import c2py

from babel.messages.pofile import read_po

from app.core.i18n.languages import SOURCE
from app.core.settings import FILES

FOLDER = FILES / "translations"


class Catalogue:
    """The translations into one language."""

    def __init__(self, messages: Mapping[tuple[str, str], Sequence[str]], plural_rule: str) -> None:
        self._messages = messages
        self._plural = c2py(plural_rule)

    def text(self, message: str, context: str = "") -> str:
        """Return the translation of a message, or the message itself if there is none."""
        return self.forms(message, "", context)[0]

    def plural(self, singular: str, plural: str, count: float, context: str = "") -> str:
        """Return the translation of a message for a count."""
        forms = self.forms(singular, plural, context)
        return forms[self.index(count, len(forms))]

    def forms(self, singular: str, plural: str, context: str = "") -> Sequence[str]:
        """Return all forms of a message, or of its English if it has not been translated."""
        return self._messages.get((context, singular)) or ((singular, plural) if plural else (singular,))

    def index(self, count: float, forms: int) -> int:
        """Return which of so many forms a count takes; a fraction takes the last one."""
        if count != int(count):
            return forms - 1
        return min(self._plural(int(count)), forms - 1)


def forms_of(text: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the forms of a message of a catalogue's file: more than one if it has a plural."""
    return (text or "",) if isinstance(text, str | None) else tuple(text)


@cache
def catalogue(language: str) -> Catalogue:
    """Return the catalogue of a language. The one of English is empty: the messages are in English."""
    if language == SOURCE:
        return Catalogue({}, "n != 1")
    with (FOLDER / f"{language}.po").open("rb") as file:
        read = read_po(file, locale=language)
    messages = {}
    for message in read:
        forms = forms_of(message.string)
        if message.id and all(forms) and not message.fuzzy:
            singular = message.id if isinstance(message.id, str) else message.id[0]
            messages[message.context or "", singular] = forms
    return Catalogue(messages, read.plural_expr)
