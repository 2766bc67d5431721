"""Links in the texts of players."""

import re
from html.parser import HTMLParser

from hypothesis import example, given
from hypothesis import strategies as st

from app.core.web.filters import linked

_SCRAPS = st.sampled_from(
    ["https://", "http://", "www.", "javascript:", "data:", "//", "a.org", *"<>\"'& \n@(,"]
)


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.text = [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data


@given(st.lists(_SCRAPS | st.text(max_size=4), max_size=12).map("".join))
@example("See https://example.org/a?b=c&d, or javascript:alert(1) <script>")
@example("Write to me@example.org, //@www.www.")
def test_a_text_stays_the_same_and_gets_only_links_that_nobody_counts(text):
    reader = _Reader()
    reader.feed(str(linked(text)))
    reader.close()
    assert re.sub(r"\r\n?", "\n", reader.text) == re.sub(r"\r\n?", "\n", text)
    for tag, attributes in reader.tags:
        assert tag == "a"
        address = attributes.pop("href")
        if not address.startswith("mailto:"):  # search engines follow no others
            assert re.match("https?://", address)
            assert set(attributes.pop("rel").split()) == {"nofollow", "noopener", "ugc"}
        assert not attributes


def test_an_address_is_a_link():
    assert 'href="https://example.org/a"' in linked("Look: https://example.org/a.")
