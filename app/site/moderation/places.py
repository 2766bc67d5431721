"""Places that reports are about: `game:ID`, `entry:ID`, `profile:USERNAME`, and texts with their ids.

A place is what a page or program attaches to a report. One of an unknown form is kept as it is.
"""

import re
from dataclasses import dataclass

from app.core import ids
from app.site.moderation.written import written_texts

_PLACE = re.compile(r"(?P<kind>[a-z]+):(?P<name>[A-Za-z0-9_-]+)")
_FORMS = {"game": ids.PATTERN, "entry": ids.PATTERN, "action": "[0-9]{1,18}"}
_URLS = {"game": "/games/{}", "entry": "/nugget/entries/{}"}


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a known form."""

    kind: str
    name: str

    def __str__(self) -> str:
        """Return it as a report names it."""
        return f"{self.kind}:{self.name}"

    @property
    def url(self) -> str | None:
        """Return the address of its page, or None if it has none for everybody."""
        known = written_texts().get(self.kind)
        page = known.written.page if known else _URLS.get(self.kind)
        return page and page.format(self.name)

    @property
    def url_of_moderators(self) -> str | None:
        """Return the address of the page that shows it to moderators, or None if it has none."""
        known = written_texts().get(self.kind)
        page = known.written.page_of_moderators if known else None
        return page.format(self.name) if page else self.url


def parse(place: str) -> Place | None:
    """Return a place, or None if it is of an unknown form."""
    match = _PLACE.fullmatch(place)
    if match is None:
        return None
    kind, name = match.groups()
    known = written_texts().get(kind)
    form = known.form if known else _FORMS.get(kind)
    return None if form and not re.fullmatch(form, name) else Place(kind, name)
