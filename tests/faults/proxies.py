"""The proxies in front of the servers: the configurations of `deploy/`, but for TLS and addresses."""

import contextlib
import os
import re
import subprocess

import httpx

from app.core.settings import ROOT
from tests.faults.cluster import needs
from tests.support import plain_http
from tests.support.ports import free_port
from tests.support.waiting import wait_until


class Proxy:
    """A proxy that shares connections out among the servers that are ready; tests may kill it."""

    def __init__(self, command, environment, port):
        self.port = port
        self.process = None
        self._command = command
        self._environment = {**os.environ, **environment}

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def ws_url(self):
        return f"ws://127.0.0.1:{self.port}"

    def start(self):
        """Start it, and wait until it finds a server."""
        self.process = subprocess.Popen(
            self._command, env=self._environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait_until(self._answers)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def _answers(self):
        with contextlib.suppress(httpx.TransportError):
            return plain_http.get(f"{self.url}/health/live").status_code == 200
        return False

    def close(self):
        self.process.terminate()
        self.process.wait(10)


def haproxy(folder, servers):
    """Return HAProxy, not started yet, in front of servers."""
    program, port = needs("haproxy", "haproxy"), free_port()
    shipped = (ROOT / "deploy" / "haproxy.cfg").read_text()
    text = re.sub(r"    bind :443 .*\n|    http-request redirect .*\n", "", shipped)
    configuration = folder / "haproxy.cfg"
    text = text.replace("bind :80", f"bind 127.0.0.1:{port}").replace("maxconn 25000", "maxconn 1000")
    configuration.write_text(text)
    environment = {
        f"GORRION_WEB{number}": f"127.0.0.1:{server.port}" for number, server in enumerate(servers, 1)
    }
    return Proxy([program, "-q", "-db", "-f", configuration], environment, port)


def caddy(folder, servers):
    """Return Caddy, not started yet, in front of servers."""
    program, port = needs("caddy", "caddy"), free_port()
    shipped = (ROOT / "deploy" / "hosts.Caddyfile").read_text()
    configuration = folder / "Caddyfile"
    configuration.write_text(shipped.replace("{\n", "{\n\tadmin off\n", 1))
    environment = {
        "GORRION_DOMAIN": f"http://127.0.0.1:{port}",
        "GORRION_WEB": " ".join(f"127.0.0.1:{server.port}" for server in servers),
        "HOME": str(folder),
    }
    return Proxy([program, "run", "--adapter", "caddyfile", "--config", configuration], environment, port)


PROXIES = {"haproxy": haproxy, "caddy": caddy}
