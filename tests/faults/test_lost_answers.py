"""The answer of a commit is lost: whoever sent the command repeats it, and all open readers hear of it.

So do the readers of the other server if the one that was given the command is killed instead of answered.
Each command is tried with the answer of its first commit lost, then of its second one, until it has no more.
One of these commits carries the command out; after those before it, the repetition does.
"""

import contextlib
import itertools
import time

import httpx
import pytest

from tests.faults.cluster import Web
from tests.faults.commit_proxy import CommitProxy
from tests.faults.lost_commands import COMMANDS, Site, acceptance, message, move, tournament

_OF_THE_OTHER = slice(1, None, 2)
"""Of the readers, which are on both servers, those on the one that is not killed."""

_TOLD_WITHIN = 5  # seconds; two are promised, on a machine that does nothing else


@pytest.fixture(scope="module")
def proxy(postgres):
    proxy = CommitProxy(postgres.port)
    yield proxy
    proxy.close()


@pytest.fixture(scope="module")
def site(postgres, proxy, tmp_path_factory):
    """Return two servers on one database, the first of them behind the proxy."""
    folder = tmp_path_factory.mktemp("lost")
    servers = [Web(url, folder / f"log{number}") for number, url in enumerate((proxy.url, postgres.url))]
    for server in servers:
        server.start()
    yield Site(servers, postgres.url)
    for server in servers:
        server.close()


@pytest.mark.parametrize("prepare", COMMANDS, ids=lambda prepare: prepare.__name__)
def test_all_readers_hear_of_a_command_whose_answer_was_lost(site, proxy, prepare, record_property):
    # Once more if a commit of a background task was counted, so that the one of the command was not lost.
    delays = delays_of(site, proxy, prepare) or delays_of(site, proxy, prepare)
    assert delays
    record_property("told_within", max(delays))


@pytest.mark.parametrize(
    "prepare", [move, acceptance, message, tournament], ids=lambda prepare: prepare.__name__
)
def test_readers_of_other_servers_hear_of_what_a_killed_one_committed(site, proxy, prepare, record_property):
    # Once more if the first commit was that of a background task.
    delays = delays_after_death(site, proxy, prepare) or delays_after_death(site, proxy, prepare)
    assert delays
    record_property("told_within", max(delays))


def delays_after_death(site, proxy, prepare):
    """Kill the server whose commit is carried out, and return after how many seconds other readers heard."""
    with site.reading(prepare) as command:
        with proxy.losing(0, site.servers[0].kill), contextlib.suppress(httpx.TransportError):
            command()
        told = delays_until_told(site, _OF_THE_OTHER) if proxy.has_lost_changes else []
    site.servers[0].start()
    return told


def delays_of(site, proxy, prepare):
    """Lose each commit's answer, and return after how many seconds readers heard of the one that counted."""
    delays = []
    for number in itertools.count():
        with site.reading(prepare) as command:
            with proxy.losing(number):
                answer = command()
            if not proxy.has_lost:
                assert answer.is_success, answer.text
                break
            if answer.status_code == 503:  # the commit that was lost was not one of a background task
                # Nobody is told of a commit that ended a look.
                told = delays_until_told(site) if proxy.has_lost_changes else []
                repeated = command()
                assert repeated.status_code < 500, repeated.text
                if not told:
                    assert repeated.is_success, repeated.text
                    assert delays_until_told(site)
                delays += told
    return delays


def delays_until_told(site, servers=slice(None)):
    """Return after how many seconds each reader has heard what is expected, or nothing if one has not."""
    since = time.monotonic()
    until = since + _TOLD_WITHIN
    try:
        return [
            reader.wait_for(text, until - time.monotonic()) - since for reader, text in site.expected[servers]
        ]
    except AssertionError:
        return []
