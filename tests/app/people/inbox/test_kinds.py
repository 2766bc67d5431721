"""Each kind of notification has what players see of it, wherever they do."""

from datetime import UTC, datetime

import pytest

from app.core.i18n.extraction import texts
from app.core.settings import ROOT
from app.people.achievements import Achievement
from app.people.eligibility import Ineligibility
from app.people.identity.audit import Change
from app.people.inbox.api import NotificationSwitches
from app.people.inbox.kinds import Channel, Listed, NewsKind, choices, declare, kinds, kinds_of
from app.people.inbox.pages import switch_rows
from app.people.mail.mailboxes import most_an_hour
from tests.support.news import FOR_GOOD

MOMENT = datetime(2026, 5, 1, 12, tzinfo=UTC)
DATA = {
    NewsKind.GAME_FINISHED: [
        {"game": "jadejack", "result": each} for each in ("won", "lost", "drawn", "aborted")
    ],
    NewsKind.LADDER_CHALLENGE: [{"game": "jadejack"}],
    NewsKind.TAKEBACK: [{"game": "jadejack", "moves": [[1, "c4", False]]}],
    NewsKind.LADDER_PLACE: [{"game": "jadejack", "change": each} for each in ("won", "lost", "dropped")],
    NewsKind.TEAM_REQUEST: [{"team": "k7m2wq9xab", "name": "Finches"}],
    NewsKind.LEFT_OUT: [{"place": "ladders", "game": "jadejack", "reason": each} for each in Ineligibility],
    NewsKind.ACHIEVEMENT: [{"achievement": next(iter(Achievement))}],
    NewsKind.SECURITY: [{"change": each} for each in Change],
    NewsKind.TEAM_REMOVED: [{"change": each} for each in ("removed", "refused")],
    NewsKind.REPORT_CLOSED: [{"result": each} for each in ("acted", "dismissed", "answered")],
    NewsKind.PLACE_LOST: [{"name": "Up And Up 5×5", "page": "/scores/up_and_up/5"}],
    NewsKind.RECORD_BEATEN: [
        {"kind": each, "boards": 20, "before": 383, "after": 380, "others": others}
        for each in ("mean", "board")
        for others in (0, 1)
    ],
    NewsKind.TOURNAMENT_MOVED: [
        {"change": each, "starts_at": MOMENT.isoformat()} for each in ("start", "both")
    ],
}


@pytest.fixture(scope="module")
def marked():
    """Return all texts that are marked for translation."""
    return texts()


@pytest.mark.parametrize("kind", NewsKind)
def test_each_kind_has_words_a_page_and_a_mark_for_translation(marked, kind):
    for data in DATA.get(kind, [{}]):
        item = Listed(1, kind, "k7m2wq9xab", "finch", data, MOMENT, is_read=False)
        assert str(item.text)
        assert item.path.startswith("/")
        assert item.text.message in marked
        assert isinstance(item.detail, str)
        assert isinstance(item.when, str)


@pytest.mark.parametrize("channel", Channel)
def test_each_kind_that_a_channel_carries_has_a_switch_in_pages_and_api(channel):
    model = NotificationSwitches.model_fields[channel].annotation
    assert set(model.model_fields) == set(kinds_of(channel))
    on = {each: dict.fromkeys(kinds_of(each), "on") for each in Channel}
    rows = switch_rows(on, [channel])
    assert len({str(label) for label, _ in rows}) == len(rows)
    assert {view.name for _, (view,) in rows} == {f"{channel}-{kind}" for kind in kinds_of(channel)}
    for kind in kinds_of(channel):
        assert model.model_fields[kind].default == choices(channel, kind)[0]
        assert channel == Channel.PUSH or most_an_hour(kind) > 0


def test_each_kind_is_declared_once(monkeypatch):
    with pytest.raises(ValueError, match="message is declared twice"):
        declare(kinds()[NewsKind.MESSAGE])
    monkeypatch.setattr("app.people.inbox.kinds._DECLARED", dict(list(kinds().items())[1:]))
    with pytest.raises(LookupError, match=NewsKind.MY_TURN):
        kinds.__wrapped__()


def test_the_documentation_of_the_api_lists_all_kinds():
    text = (ROOT / "docs/api.md").read_text()
    assert [kind for kind in NewsKind if f"`{kind}`" not in text] == []


def test_each_kind_may_cease_to_be_true_unless_it_stays_so_for_good():
    assert {name for name, kind in kinds().items() if not kind.still_true} <= FOR_GOOD.keys()
