"""What players write for others goes in each way in which it may: with its copies, and counted."""

import re
import secrets

import pytest

from app.core.ids import new_id
from app.core.settings import ROOT
from app.site.moderation.places import written_texts
from tests.support.accounts import erase_now, id_of
from tests.support.answers import code
from tests.support.database import connected, execute, fetch
from tests.support.forms import sent_by
from tests.support.games import lost_rated_game
from tests.support.moderation import make_moderator, open_reports
from tests.support.players import Program, Visitor
from tests.support.tournaments import new_team
from tests.support.waiting import WITHIN, wait_until

_ROWS = {
    "team": "INSERT INTO teams (id, leader_id, name, is_open) VALUES ($1, $2, '', true)",
    "tournament": """
        INSERT INTO tournaments (id, organiser_id, kind, name, game, options, rated, plan, max_players)
        VALUES ($1, $2, 'swiss', '', 'jadejack', '{"size": 8}', false, '{"rounds": 3}', 9)
    """,
    "competition": """
        INSERT INTO nugget_competitions
        (id, organiser_id, title, text, starts_at, ends_at, min_boards, max_boards, visibility)
        VALUES ($1, $2, '', '', now(), now() + interval '1 day', 20, 20, 'open')
    """,
}
"""The texts in rows that outlive their authors, of which notifications have the first column as a name."""


class Text:
    """A text of a player in every column that a kind of texts has, and two notifications with its name."""

    def __init__(self, server, database_url, kind):
        self.url, self.kind, self.written = database_url, kind, written_texts()[kind]
        self.author, self.id = Program(server), new_id()
        self.name = f"A rude word {secrets.token_hex(5)}"
        account_id = id_of(database_url, self.author)
        execute(database_url, _ROWS[kind], self.id, account_id)
        self.write(self.written.author.name, account_id)
        for column in self.written.written.empty:
            self.write(column, self.name)
        execute(
            database_url,
            "INSERT INTO notifications (account_id, kind, subject, data)"
            " SELECT $1, 'team_role', subject, jsonb_build_object('name', $3::text)"
            " FROM unnest(ARRAY[$2::text, $2 || ':1']) AS subject",
            id_of(database_url, Program(server)),
            self.id,
            self.name,
        )

    def write(self, column, text):
        table = self.written.table.name
        execute(self.url, f"UPDATE {table} SET {column} = $2 WHERE id = $1", self.id, text)

    def rename(self):
        for column in self.written.written.empty:
            self.write(column, f"Finches {self.id}")

    def remove(self):
        """Have it removed, and once more, when nothing is left of it."""
        moderator = make_moderator(self.url, Program(self.author.server))
        order = {"username": self.author.username, "action": "remove_text", "reason": "Rude"}
        order["subject"] = f"{self.kind}:{self.id}"
        assert moderator.http.post("/moderation/actions", json=order).status_code == 201
        assert code(moderator.http.post("/moderation/actions", json=order)) == (409, "no_such_text")

    def erase(self):
        erase_now(self.url, id_of(self.url, self.author))

    def left(self):
        """Return where the text still is."""
        tables = self.written.table.name, "notifications"
        found = "SELECT count(*) FROM {0} WHERE {0}::text LIKE '%' || $1 || '%'"
        return [table for table in tables if fetch(self.url, found.format(table), self.name)[0]]


def test_each_text_that_outlives_its_author_is_tried():
    outliving = {kind: text.written.empty for kind, text in written_texts().items() if text.outlives_author}
    assert set(_ROWS) == {kind for kind, empty in outliving.items() if set(empty) != {"file"}}


def test_every_text_has_a_link_to_report_it():
    templates = "".join(file.read_text() for file in (ROOT / "templates").rglob("*.html"))
    without = [
        kind for kind in written_texts() if not re.search(rf'report_link\([^)]*"{kind}:" ~', templates)
    ]
    assert without == []


@pytest.mark.parametrize("way", [Text.rename, Text.remove, Text.erase])
@pytest.mark.parametrize("kind", _ROWS)
def test_a_text_that_goes_is_in_no_column_and_in_no_notification(server, database_url, kind, way):
    text = Text(server, database_url, kind)
    assert text.left() == [text.written.table.name, "notifications"]
    way(text)
    assert text.left() == []


@pytest.mark.parametrize("kind", _ROWS)
async def test_a_rename_reads_the_notifications_about_what_is_renamed_only(server, database_url, kind):
    text, _other = Text(server, database_url, kind), Text(server, database_url, kind)
    column, *_ = text.written.written.empty
    async with connected(database_url) as connection, connection.transaction():
        await connection.execute("SET LOCAL enable_seqscan = off")  # the table is small
        table = text.written.table.name
        await connection.execute(f"UPDATE {table} SET {column} = 'Finches' WHERE id = $1", text.id)
        read = "SELECT seq_tup_read, idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = $1"
        assert tuple(await connection.fetchrow(read, "notifications")) == (0, 2)


def test_the_name_of_a_team_is_free_once_it_was_removed(server, database_url):
    text = Text(server, database_url, "team")
    text.remove()
    (skeleton,) = fetch(database_url, "SELECT skeleton FROM teams WHERE id = $1", text.id)
    assert skeleton is None


def remove_study(server, database_url, author, study_id):
    moderator = make_moderator(database_url, Program(server))
    order = {"username": author.username, "action": "remove_text", "reason": "Rude"}
    order["subject"] = f"study:{study_id}"
    assert moderator.http.post("/moderation/actions", json=order).status_code == 201


def test_a_study_whose_text_was_removed_is_another_version(server, program, database_url):
    draft = {"title": "A rude word", "game": "jadejack", "tree": "c4 g6", "visibility": "public"}
    study = program.http.post("/studies", json=draft).json()
    path = f"/studies/{study['id']}"
    remove_study(server, database_url, program, study["id"])
    shown = program.http.get(path).json()
    assert (shown["title"], shown["version"]) == ("", study["version"] + 1)
    again = program.http.put(path, json={**draft, "version": study["version"]})
    assert code(again) == (409, "stale_version")


def test_a_shared_board_whose_text_was_removed_is_drawn_again(server, program, other, database_url):
    game = lost_rated_game(program, other)
    path = Visitor(server).log_in(other.username).http.post(f"/games/{game}/together").url.path
    study_id = path.rpartition("/")[2]
    (version,) = fetch(database_url, "SELECT version FROM studies WHERE id = $1", study_id)
    with Visitor(server).live(f"{path}/live?version={version}") as socket:
        remove_study(server, database_url, other, study_id)
        wait_until(lambda: 'hx-target="#analysis"' in socket.recv(WITHIN))


def test_every_text_in_a_row_with_a_version_is_counted():
    for written in written_texts().values():
        if "version" in written.table.c:
            assert "version=(" in str(written.emptied(0)).replace(" ", ""), written.table.name


def test_the_words_of_a_request_to_join_are_reported_quoted_and_removed(server, program, other, database_url):
    team = new_team(database_url, program)
    execute(database_url, "UPDATE teams SET is_open = false WHERE id = $1", team)
    assert other.http.post(f"/teams/{team}/join", json={"text": "A rude word"}).status_code == 200
    page = Visitor(server).log_in(program.username).http.get(f"/teams/{team}/requests").text
    place = f"request:{team}"
    assert f"place=request%3A{team}" in page
    moderator, report = make_moderator(database_url, Program(server)), {"reason": "abuse", "place": place}
    for reporter in (program, Program(server)):
        told = reporter.http.post("/reports", json={"username": other.username, **report})
        assert told.status_code == 201
    assert {each["quote"] for each in open_reports(moderator, other)} == {"A rude word", ""}
    order = {"username": other.username, "action": "remove_text", "reason": "Rude", "subject": place}
    assert moderator.http.post("/moderation/actions", json=order).status_code == 201
    (text,) = fetch(database_url, "SELECT text FROM team_requests WHERE team_id = $1", team)
    assert text == ""


@pytest.mark.parametrize("kind", _ROWS)
def test_moderators_read_what_the_reporter_saw_if_its_author_has_changed_it(server, database_url, kind):
    text, reporter = Text(server, database_url, kind), Visitor(server).register()
    moderator = make_moderator(database_url, Program(server))
    link = f"/report?player={text.author.username}&place={kind}:{text.id}"
    opened = reporter.http.get(link).text
    assert f'<blockquote class="page-lines">{text.name}' in opened
    for reason in ("abuse", "spam"):
        assert (
            "Thank you"
            in reporter.http.post("/report", data={**sent_by(opened, "/report"), "reason": reason}).text
        )
        text.rename()
    changed, unchanged = open_reports(moderator, text.author)
    assert text.name in unchanged["quote"]
    assert unchanged["text"] == ""
    assert text.name not in changed["quote"]
    assert changed["text"].startswith(f"As the reporter saw it: {text.name}")
