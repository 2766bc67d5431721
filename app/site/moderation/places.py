"""Places that reports are about: `game:ID`, `entry:ID`, `profile:USERNAME`, and texts with their ids.

A place is what a page or program attaches to a report. One of an unknown form is kept as it is.
"""

import re
from dataclasses import dataclass

from app.core import ids

_PLACE = re.compile(r"(?P<kind>[a-z]+):(?P<name>[A-Za-z0-9_-]+)")
_ID = re.compile(ids.PATTERN)
_NUMBER = re.compile("[0-9]{1,18}")
_FORMS = {
    "game": _ID,
    "entry": _ID,
    "study": _ID,
    "team": _ID,
    "tournament": _ID,
    "action": _NUMBER,
    "chat": _NUMBER,
    "message": _NUMBER,
}
_URLS = {
    "game": "/games/{}",
    "entry": "/nugget/entries/{}",
    "profile": "/players/{}",
    "study": "/studies/{}",
    "competition": "/nugget/competitions/{}",
    "team": "/teams/{}",
    "tournament": "/tournaments/{}",
}
_URLS_OF_MODERATORS = {"chat": "/moderation/chat/{}", "message": "/moderation/messages/{}"}


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
        return _URLS[self.kind].format(self.name) if self.kind in _URLS else None

    @property
    def url_of_moderators(self) -> str | None:
        """Return the address of the page that shows it to moderators, or None if it has none."""
        if self.kind in _URLS_OF_MODERATORS:
            return _URLS_OF_MODERATORS[self.kind].format(self.name)
        return self.url


def parse(place: str) -> Place | None:
    """Return a place, or None if it is of an unknown form."""
    match = _PLACE.fullmatch(place)
    if match is None:
        return None
    form = _FORMS.get(match["kind"])
    return None if form and not form.fullmatch(match["name"]) else Place(match["kind"], match["name"])
