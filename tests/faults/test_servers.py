"""Web processes are killed and paused: no acknowledged move is lost, and the games go on."""

import psutil

from tests.faults.scale import TIMES
from tests.support.waiting import WITHIN, wait_until


def test_a_killed_server_loses_nothing(postgres, servers, play):
    with play(postgres, servers) as load:
        for _ in range(TIMES):
            servers[0].kill()
            load.play_for(1)  # on the other one
            servers[0].start()
            load.wait_until_whole()
        assert load.observed.closes[1006] > 0


def test_a_killed_web_process_is_replaced(postgres, two_processes, play):
    with play(postgres, [two_processes]) as load:
        for _ in range(TIMES):
            killed = two_processes.children()[0]
            killed.kill()
            load.wait_until_whole()
            wait_until(lambda killed=killed: has_replaced(two_processes, killed))


def test_a_paused_web_process_is_replaced(postgres, two_processes, play):
    with play(postgres, [two_processes]) as load:
        paused = two_processes.children()[0]
        paused.suspend()
        wait_until(lambda: has_replaced(two_processes, paused))
        load.wait_until_whole()


def test_web_processes_end_with_their_parent_and_free_its_port(postgres, two_processes):
    children = two_processes.children()
    two_processes.kill()
    _, alive = psutil.wait_procs(children, timeout=WITHIN)
    assert alive == []
    two_processes.start()


def test_a_paused_server_continues_where_it_was(postgres, servers, play):
    paused, running = servers
    with play(postgres, [paused]) as load:
        paused.pause()
        try:
            load.play_for(0.5)  # what was answered before
            acks = load.acks
            load.play_for(3)
            assert load.acks == acks
            assert running.is_ready()
        finally:
            paused.resume()
        load.wait_until_whole()


def has_replaced(server, process):
    return process not in server.children() and len(server.children()) == 2
