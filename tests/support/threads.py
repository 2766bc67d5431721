"""Work in other threads."""

import asyncio
from concurrent.futures import ThreadPoolExecutor


def run_in_thread(function, *arguments):
    """Return what a function returns in another thread: Playwright's event loop may run in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(function, *arguments).result()


def run_coroutine(coroutine):
    """Return what a coroutine returns on an event loop in another thread."""
    return run_in_thread(asyncio.run, coroutine)


def at_once(function, arguments):
    """Return what a function returns for each argument, called in as many threads at the same time."""
    with ThreadPoolExecutor(len(arguments)) as pool:
        return list(pool.map(function, arguments))
