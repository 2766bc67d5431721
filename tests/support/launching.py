"""Starting `gorrion` from a process that has imported the application, which takes most of a start's time."""

import multiprocessing
import os
import signal
import subprocess
import sys
from functools import partial

import uvicorn._subprocess
from argon2 import PasswordHasher

from app.people.identity import passwords
from app.server.cli import main, server

LITTLE_MEMORY = "1024"
"""The memory for a password of most servers, whose tests make many accounts: the least that can be set."""

_FORKSERVER = multiprocessing.get_context("forkserver")
_FORKSERVER.set_forkserver_preload(["tests.support.preloaded"])


class Command:
    """A `gorrion` command that runs in a process of its own, with the members of `subprocess.Popen`."""

    def __init__(self, arguments, environment, stderr=os.devnull, stdout=os.devnull):
        run = partial(_run, arguments, environment, stderr, stdout)
        # As a daemon it is ended with the tests if nobody has stopped it.
        self._process = _FORKSERVER.Process(target=run, daemon=True)
        self._process.start()
        self.pid = self._process.pid

    @property
    def returncode(self):
        return self._process.exitcode

    def poll(self):
        return self._process.exitcode

    def wait(self, timeout=None):
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("gorrion", timeout)
        return self._process.exitcode

    def send_signal(self, number):
        if self._process.exitcode is None:
            os.kill(self.pid, number)

    def kill(self):
        self._process.kill()


def _run(arguments, environment, stderr, stdout):
    multiprocessing.current_process().daemon = False  # which could not have web processes
    os.environ.clear()
    os.environ.update(environment)
    for number, name in enumerate((os.devnull, stdout, stderr)):
        file = os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(file, number)
        os.close(file)
    # Web processes are copies of this one, which has no threads yet: nobody waits for the announcement.
    server._announce = lambda *_: None
    uvicorn._subprocess.spawn = multiprocessing.get_context("fork")
    os.register_at_fork(after_in_child=lambda: signal.signal(signal.SIGTERM, signal.SIG_DFL))
    if environment.get("GORRION_PASSWORD_MEMORY") == LITTLE_MEMORY:
        # The three passes of four threads would take half of the time of making an account.
        passwords.PasswordHasher = partial(PasswordHasher, time_cost=1, parallelism=1)
    sys.argv = ["gorrion", *arguments]
    main()
