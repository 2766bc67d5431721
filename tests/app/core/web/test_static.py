"""Static files, as browsers get them."""

import time

import brotli
import pytest

from app.core.web import joined, static

TEXTS = [
    str(path.relative_to(joined.FOLDER))
    for path in sorted(joined.FOLDER.rglob("*"))
    if path.suffix in (".css", ".js", ".webmanifest")
]


@pytest.mark.parametrize("path", sorted({*joined.JOINED, *TEXTS}))
def test_no_reader_waits_until_a_text_is_compressed(path):
    started = time.process_time()
    compressed = static._compressed.__wrapped__(path)
    assert time.process_time() - started < 1
    assert brotli.decompress(compressed) == joined.text_of(path)
