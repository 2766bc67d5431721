"""Servers behind a proxy are replaced one after the other: players notice a short pause at most."""

import subprocess

import psutil

from app.core.settings import ROOT
from tests.faults.cluster import needs
from tests.faults.pages import visitor
from tests.faults.proxies import haproxy
from tests.faults.scale import TIMES
from tests.support.players import LivePage, Match
from tests.support.waiting import wait_until

PROXY_LOOKS_WITHIN = 2  # seconds


def test_a_rolling_restart_behind_a_proxy_loses_nothing_and_shows_no_error(postgres, servers, proxy, play):
    with play(postgres, [proxy]) as load, visitor(proxy) as answers:
        for server in servers * TIMES:
            server.stop()
            load.wait_until_whole()  # on the other one
            server.start()
            wait_until(server.is_ready)
            load.play_for(PROXY_LOOKS_WITHIN)
        load.wait_until_whole()
        assert set(load.observed.closes) == {1012}
        assert set(load.observed.page_closes) == {1012}
        assert set(load.observed.statuses) <= {200, 409}
        assert set(answers) == {200}


def test_haproxy_brings_everybody_at_a_game_to_one_server(servers, tmp_path):
    proxy = haproxy(tmp_path, servers)
    proxy.start()
    try:
        before = connections(servers)
        for match in [Match(proxy) for _ in range(3)]:
            opened = [match.black.socket(match.id), match.white.socket(match.id), LivePage(proxy, match.id)]

        def new():
            return [count - old for count, old in zip(connections(servers), before, strict=True)]

        def is_together(counts):
            return sum(counts) == 3 * len(opened) and all(count % len(opened) == 0 for count in counts)

        wait_until(lambda: is_together(new()))  # those of earlier requests end after a while
    finally:
        proxy.close()


def connections(servers):
    """Return how many connections each server has."""
    return [
        sum(
            connection.laddr.port == server.port and connection.status == psutil.CONN_ESTABLISHED
            for child in server.children()
            for connection in child.net_connections("tcp")
        )
        for server in servers
    ]


def test_the_configurations_of_proxies_are_valid(tmp_path):
    certificate = tmp_path / "gorrion.pem"
    openssl = [
        *["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=play.example", "-keyout"],
        certificate,
    ]
    made = subprocess.run(openssl, check=True, capture_output=True)
    certificate.write_bytes(certificate.read_bytes() + made.stdout)
    shipped = (ROOT / "deploy" / "haproxy.cfg").read_text()
    configuration = tmp_path / "haproxy.cfg"
    configuration.write_text(shipped.replace("/etc/haproxy/gorrion.pem", str(certificate)))
    servers = {"GORRION_WEB1": "10.0.0.1:8000", "GORRION_WEB2": "10.0.0.2:8000"}
    subprocess.run([needs("haproxy", "haproxy"), "-c", "-q", "-f", configuration], env=servers, check=True)
    site = {
        "GORRION_DOMAIN": "play.example",
        "GORRION_WEB": " ".join(servers.values()),
        "HOME": str(tmp_path),
    }
    for name in ("Caddyfile", "hosts.Caddyfile"):
        subprocess.run(
            [
                needs("caddy", "caddy"),
                "validate",
                "--adapter",
                "caddyfile",
                "--config",
                ROOT / "deploy" / name,
            ],
            env=site,
            check=True,
        )
