"""Python imports this at the start of each program that has this folder in its PYTHONPATH.

A web process then notes where it is after each millisecond of CPU time, as a count of stacks. At SIGUSR1 it
writes them to the file that SAMPLES_TO names, and starts again from zero.
"""

import json
import os
import signal
import sys
from collections import Counter
from opcode import opmap
from pathlib import Path
from types import FrameType

_EVERY = 0.001  # seconds
_DEPTH = 12  # frames, which is enough to know what a sample belongs to
_LOOP = "asyncio/runners.py"  # whose frame is below each callback of the loop

samples: Counter[tuple[str, ...]] = Counter()


def _sample(_number: int, frame: FrameType | None) -> None:
    stack = []
    # A signal waits until C code is done: what has just begun is not where the time went, but the loop is.
    if frame is not None and frame.f_code.co_code[frame.f_lasti] == opmap["RESUME"]:
        outer = frame.f_back
        frame = None if outer is not None and outer.f_code.co_filename.endswith(_LOOP) else frame
    while frame is not None and len(stack) < _DEPTH:
        stack.append(f"{frame.f_code.co_filename}:{frame.f_code.co_name}")
        frame = frame.f_back
    samples[tuple(stack)] += 1


def _write(_number: int, _frame: FrameType | None) -> None:
    noted = dict(samples)
    samples.clear()
    written = Path(os.environ["SAMPLES_TO"])
    unfinished = written.with_suffix(".new")
    unfinished.write_text(json.dumps([[count, *stack] for stack, count in noted.items()]))
    unfinished.rename(written)


if "spawn_main" in " ".join(sys.orig_argv):
    signal.signal(signal.SIGPROF, _sample)
    signal.signal(signal.SIGUSR1, _write)
    signal.setitimer(signal.ITIMER_PROF, _EVERY, _EVERY)
