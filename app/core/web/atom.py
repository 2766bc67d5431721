"""Feeds in the format Atom (RFC 4287)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape

from starlette.responses import Response

from app.core.i18n import languages
from app.core.i18n.text import Text
from app.core.web.conditional import etag_of

MEDIA_TYPE = "application/atom+xml"

_BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
"""When a feed without entries was changed last: it has to say when."""


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """An entry of a feed: its page, a name of its own that never changes, its author, and what it says."""

    path: str
    name: str
    title: Text | str
    author: Text | str
    at: datetime
    lines: Sequence[Text | str]


def feed(path: str, page: str, title: Text, entries: Sequence[FeedEntry], site_url: str) -> Response:
    """Return a feed in the reader's language, whose address is `path`; `page` shows the same."""
    updated = max((entry.at for entry in entries), default=_BEGINNING)
    own = escape(site_url + path)
    document = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{languages.current()}">\n'
        f"<id>{own}</id><title>{_shown(title)}</title><updated>{updated.isoformat()}</updated>\n"
        f'<link rel="self" type="{MEDIA_TYPE}" href="{own}"/>'
        f'<link rel="alternate" type="text/html" href="{escape(site_url + page)}"/>\n'
        f"{''.join(_entry(entry, site_url) for entry in entries)}</feed>\n"
    )
    content = document.encode()
    headers = {**etag_of(content), "Vary": "Cookie, Accept-Language"}
    return Response(content, headers=headers, media_type=MEDIA_TYPE)


def _entry(entry: FeedEntry, site_url: str) -> str:
    url = escape(site_url + entry.path)
    lines = "".join(f"<p>{_shown(line)}</p>" for line in entry.lines)
    return (
        f"<entry><id>{url}#{escape(entry.name)}</id><title>{_shown(entry.title)}</title>"
        f"<updated>{entry.at.isoformat()}</updated><author><name>{_shown(entry.author)}</name></author>"
        f'<link rel="alternate" type="text/html" href="{url}"/>'
        f'<content type="html">{escape(lines)}</content></entry>\n'
    )


def _shown(text: Text | str) -> str:
    return escape(text.translated() if isinstance(text, Text) else text)
