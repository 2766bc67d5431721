"""Servers behind a proxy are replaced one after the other: players notice a short pause at most."""

import subprocess

from app.core.settings import ROOT
from tests.faults.cluster import needs
from tests.faults.pages import visitor
from tests.faults.proxies import haproxy
from tests.faults.scale import TIMES
from tests.support.database import fetch
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


def test_haproxy_brings_everybody_at_a_game_to_one_server(postgres, servers, tmp_path):
    proxy = haproxy(tmp_path, servers)
    proxy.start()
    try:
        for match in [Match(proxy) for _ in range(3)]:
            opened = [match.black.socket(match.id), match.white.socket(match.id), LivePage(proxy, match.id)]
            wait_until(lambda match=match, opened=opened: by_server(postgres, match) == [len(opened)])
    finally:
        proxy.close()


def by_server(postgres, match):
    """Return how many pages and sockets are open at a match on each server that has some."""
    query = "SELECT count(*) FROM connections WHERE place = $1 AND left_at IS NULL GROUP BY process_id"
    return fetch(postgres.url, f"SELECT array_agg(count) FROM ({query}) AS servers", match.id)[0]


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
        shipped = (ROOT / "deploy" / name).read_text()
        configuration = tmp_path / name
        configuration.write_text(shipped.replace("versions ipv4\n", "\n"))  # which Debian's Caddy lacks
        validate = [needs("caddy", "caddy"), "validate", "--adapter", "caddyfile", "--config"]
        subprocess.run([*validate, configuration], env=site, check=True)
