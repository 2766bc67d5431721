"""Reading Atom feeds as programs do."""

from dataclasses import dataclass
from datetime import datetime
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

_ATOM = "{http://www.w3.org/2005/Atom}"


@dataclass(frozen=True)
class Entry:
    """An entry; `lines` are the paragraphs of its content."""

    id: str
    title: str
    author: str
    updated: datetime
    url: str
    lines: list[str]


def read_feed(http, path):
    """Return the entries at a path, and check the rest: all that RFC 4287 asks for, and that it is cached."""
    answer = http.get(path)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("application/atom+xml")
    root = ET.fromstring(answer.content)
    assert root.tag == f"{_ATOM}feed"
    assert _text(root, "id").endswith(path)
    assert _text(root, "title")
    links = {link.get("rel"): link.get("href") for link in root.findall(f"{_ATOM}link")}
    assert links["self"] == _text(root, "id")
    assert http.get("/" + links["alternate"].split("/", 3)[3]).status_code == 200
    entries = [_entry(element) for element in root.findall(f"{_ATOM}entry")]
    assert len({entry.id for entry in entries}) == len(entries)
    updated = datetime.fromisoformat(_text(root, "updated"))
    assert updated == max((entry.updated for entry in entries), default=updated)
    again = http.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert {"Cookie", "Accept-Language"} <= set(answer.headers["vary"].replace(",", " ").split())
    return entries


def _entry(element):
    content = element.find(f"{_ATOM}content")
    assert content.get("type") == "html"
    return Entry(
        _text(element, "id"),
        _text(element, "title"),
        _text(element, "author/{}name"),
        datetime.fromisoformat(_text(element, "updated")),
        element.find(f"{_ATOM}link").get("href"),
        _Paragraphs.of(content.text or ""),
    )


def _text(element, path):
    found = element.findtext(_ATOM + path.replace("{}", _ATOM))
    assert found, path
    return found


class _Paragraphs(HTMLParser):
    """Reads HTML that has paragraphs only."""

    def __init__(self):
        super().__init__()
        self.lines = []

    @classmethod
    def of(cls, html):
        parser = cls()
        parser.feed(html)
        parser.close()
        return parser.lines

    def handle_starttag(self, tag, attributes):
        assert (tag, attributes) == ("p", [])
        self.lines.append("")

    def handle_data(self, data):
        self.lines[-1] += data
