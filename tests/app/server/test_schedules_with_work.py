"""Schedules that run only if they have work: each says so when it has some, and no longer when it is done."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta

import pytest
from sqlalchemy import insert, update
from structlog.testing import capture_logs

from app.compete.tournaments.models import Tournament
from app.core.jobs.schedule import _have_work
from app.core.moments import utc_now
from app.core.settings import Settings
from app.nugget.models import Competition
from app.nugget.solver import service as solver
from app.nugget.solver.models import NuggetSearch
from app.people.inbox.kinds import Channel
from app.people.inbox.models import Delivery
from app.play.conditions.models import ConditionalMoves
from app.play.games.models import Game
from app.play.pairing.models import Search
from app.play.ratings.models import SpeedsDue
from app.server.features import FEATURES
from app.site.accounts.models import Departure
from app.site.awards.models import AwardMark
from app.site.privacy.models import Export
from tests.support.accounts import new_accounts
from tests.support.mail import MailServer
from tests.support.web_processes import WebProcess, web_processes

SCHEDULES = {
    schedule.name: schedule
    for feature in FEATURES
    for schedule in feature.schedules
    if schedule.has_work is not None
}
_MINUTE, _HOUR = timedelta(minutes=1), timedelta(hours=1)


@dataclass(frozen=True)
class Work:
    """How work for a schedule comes into being, and how it ends if running the function does not end it."""

    begin: Callable[[WebProcess], Awaitable[object]]
    end: Callable[[WebProcess], Awaitable[object]] | None = None


async def change(process, *statements):
    """Execute statements in one transaction."""
    async with process.database.transaction() as session:
        for statement in statements:
            await session.execute(statement)


async def new_account(process):
    """Return the id of a new account."""
    async with process.database.transaction() as session:
        return (await new_accounts(session, 1))[0].id


def delivery(channel):
    """Return what gives a channel something to send: it finds out that nobody is to get it any more."""

    async def begin(process):
        row = {"channel": channel, "kind": "my_turn", "account_id": await new_account(process)}
        await change(process, insert(Delivery).values(row))

    return Work(begin)


def tournament(**columns):
    """Return a statement that makes a tournament."""
    values = {
        "id": "tourney",
        "kind": "arena",
        "name": "Arena",
        "game": "jadejack",
        "options": {"size": 8},
        "time_control": {"kind": "fischer", "initial": 180, "increment": 2},
        "rated": False,
        "plan": {"minutes": 60},
        "max_players": 100,
        "starts_at": utc_now() + _MINUTE,
    }
    return insert(Tournament).values({**values, **columns})


async def end_a_competition(process):
    moment = utc_now()
    values = {"title": "Ended", "text": "", "min_boards": 20, "max_boards": 200, "visibility": "sealed"}
    times = {"starts_at": moment - 2 * _HOUR, "ends_at": moment - _HOUR}
    await change(process, insert(Competition).values(id="competition", **values, **times))


async def decide_an_answer(process):
    """Decide an answer to a move that is not the one which is played then."""
    game = await process.new_game()
    values = {"lines": [["d4", "e5"]], "revision": 1, "ply": 0, "position": game.position_text}
    row = {"game_id": game.id, "account_id": game.players[1].id, "followed": game.version, **values}
    await change(
        process,
        insert(ConditionalMoves).values(row),
        update(Game).where(Game.id == game.id).values(version=game.version + 1),
    )


def search(until):
    """Return what lets an account look for a game until a moment from now, without anybody who fits."""

    async def begin(process):
        wanted = [{"game": "jadejack", "options": {"size": 8}, "time_control": None}]
        row = {"account_id": await new_account(process), "wanted": wanted, "until": utc_now() + until}
        await change(process, insert(Search).values(row))

    return begin


async def be_late(process):
    await change(process, update(Search).values(until=utc_now() - _HOUR))


async def rate(process):
    row = {"account_id": await new_account(process), "game": "jadejack"}
    await change(process, insert(SpeedsDue).values(row))


async def leave(process):
    row = {"account_id": await new_account(process), "since": utc_now() - _MINUTE}
    await change(process, insert(Departure).values(row))


async def finish_a_game(process):
    game = await process.new_game()
    finished = {"status": "finished", "winner_seat": 0, "termination": "resignation"}
    await change(
        process,
        update(AwardMark).values(judged_until=utc_now() - _HOUR),
        update(Game).where(Game.id == game.id).values(**finished, ended_at=utc_now() - _MINUTE),
    )


async def ask_for_an_export(process):
    await change(process, insert(Export).values(id="export", account_id=await new_account(process)))


WORK = {
    "release_ended": Work(end_a_competition),
    "tell_watchers_of_searches": Work(
        lambda process: solver.begin(process.database, 10, 60),
        lambda process: change(process, update(NuggetSearch).values(reported_at=utc_now() - _HOUR)),
    ),
    "play_conditional_moves": Work(decide_an_answer),
    "pair_players": Work(search(_MINUTE), be_late),
    "tell_ended_searches": Work(search(-timedelta(seconds=1)), be_late),
    "rate_by_speed": Work(rate),
    "remind_of_tournaments": Work(lambda process: change(process, tournament())),
    "recheck_players": Work(
        lambda process: change(process, tournament(reminded_at=utc_now())),
        lambda process: change(process, update(Tournament).values(status="finished")),
    ),
    "finish_departures": Work(leave),
    "award_new": Work(finish_a_game),
    "write_exports": Work(ask_for_an_export),
    "send_push": delivery(Channel.PUSH),
    "send_mail": delivery(Channel.EMAIL),
}


def test_each_condition_is_tested():
    assert WORK.keys() == SCHEDULES.keys()


@pytest.fixture
def mail_server():
    """Return a mail server."""
    server = MailServer()
    yield server
    server.stop()


@pytest.mark.parametrize("name", SCHEDULES)
async def test_a_schedule_knows_whether_it_has_work(name, new_database, mail_server):
    work, schedule = WORK[name], SCHEDULES[name]
    async with web_processes(new_database("schedules"), 1) as [process]:
        process.parts.add(Settings, Settings(**mail_server.settings, public_url="http://localhost"))
        for feature in FEATURES:
            for protocol, kind in feature.stands_for.items():
                process.parts.use(protocol, kind)
        run, asked = process.parts.bind(schedule.function), _have_work([schedule])

        async def has_work():
            (answer,) = await asked.row(process.database.pool, names=[name])
            return answer

        assert await has_work() is False
        await work.begin(process)
        assert await has_work() is True
        with capture_logs() as logged:
            await run()
        assert logged == []  # what fails is put off, too
        if work.end is not None:
            assert await has_work() is True
            await work.end(process)
        assert await has_work() is False
