"""Notes about stored rows that cannot be read."""

from app.core.database.unreadable import delete_old_notes
from tests.support.database import execute, fetch, on_database

_NOTE = """
INSERT INTO unreadable_rows (kind, id, reader, error, first_seen_at)
VALUES ('games', $1, 'app.removed.reader', 'ValueError', now() - $2::int * interval '1 day')
"""


def test_notes_are_forgotten_after_a_month(new_database):
    url = new_database("notes")
    execute(url, _NOTE, "old", 31)
    execute(url, _NOTE, "recent", 29)
    on_database(url, delete_old_notes)
    assert fetch(url, "SELECT array_agg(id) AS left_over FROM unreadable_rows")["left_over"] == ["recent"]
