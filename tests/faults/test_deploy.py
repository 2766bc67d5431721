"""Servers behind a proxy are replaced one after the other: players notice a short pause at most."""

from tests.faults.scale import TIMES
from tests.support.waiting import wait_until

PROXY_LOOKS_WITHIN = 2  # seconds


def test_a_rolling_deployment_behind_a_proxy(postgres, servers, proxy, play):
    with play(postgres, [proxy]) as load:
        for server in servers * TIMES:
            server.stop()
            load.wait_until_whole()  # on the other one
            server.start()
            wait_until(server.is_ready)
            load.play_for(PROXY_LOOKS_WITHIN)
        load.wait_until_whole()
        assert set(load.ledger.closes) == {1012}
        assert set(load.ledger.page_closes) == {1012}
        assert set(load.ledger.statuses) <= {200, 409}
