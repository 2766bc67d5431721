"""HTML of a mail as plain text."""

import re
from html.parser import HTMLParser

_BLOCKS = ("h1", "p", "li", "ul", "hr")
_LEFT_OUT = ("head", "style", "title")


def plain_text(html: str) -> str:
    """Return the text of a mail: a paragraph for each block, and the address of each link after its text."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    paragraphs = (" ".join(text.split()) for text in "".join(reader.parts).split("\0"))
    return "\n\n".join(filter(None, paragraphs)) + "\n"


class _Reader(HTMLParser):
    """Collects text, with a NUL between blocks."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._url = ""
        self._left_out = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self._url = dict(attrs).get("href") or ""
        self._left_out += tag in _LEFT_OUT
        if tag in _BLOCKS:
            self.parts.append("\0")

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            # The brackets separate it from the punctuation that follows: see appendix C of RFC 3986.
            self.parts.append(f" <{self._url}>")
        self._left_out -= tag in _LEFT_OUT
        if tag in _BLOCKS:
            self.parts.append("\0")

    def handle_data(self, data: str) -> None:
        if not self._left_out:
            self.parts.append(re.sub("\0", "", data))
