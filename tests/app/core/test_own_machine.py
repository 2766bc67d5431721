"""Asking a server on this machine."""

import socket
import threading

import pytest

from app.core.own_machine import ask


def test_no_proxy_is_asked(server, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    assert ask(f"{server.url}/health/live", within=10) == b'{"status":"ok"}'


def test_a_program_that_speaks_something_else_does_not_answer():
    def speak():
        connection, _ = listening.accept()
        with connection:
            connection.recv(4096)
            connection.sendall(b"220 mail\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=speak).start()
        with pytest.raises(OSError, match="220 mail"):
            ask(f"http://127.0.0.1:{listening.getsockname()[1]}", within=10)
