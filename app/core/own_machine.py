"""Asking a server on this machine, which no proxy of the environment reaches."""

import urllib.request
from http.client import HTTPException


def ask(url: str, within: float) -> bytes:
    """Return the answer of an HTTP server of this machine. Raise OSError without one of the status 2xx."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(url, timeout=within) as answer:
            content: bytes = answer.read()
    except HTTPException as error:  # of a program that speaks something else
        raise OSError(str(error)) from error
    return content
