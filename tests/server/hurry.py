"""Threads whose turns come in all orders."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from types import FrameType, ModuleType
from typing import Any

PAUSES = 0.3


@contextmanager
def hurried(*modules: ModuleType) -> Iterator[None]:
    """Let threads that begin in the block pause at random between any two lines of some modules."""
    random, files = Random(1), {module.__file__ for module in modules}

    def pause(_frame: FrameType, event: str, _argument: object) -> Callable[..., Any]:
        if event == "line" and random.random() < PAUSES:
            time.sleep(0)
        return pause

    def trace(frame: FrameType, _event: str, _argument: object) -> Callable[..., Any] | None:
        return pause if frame.f_code.co_filename in files else None

    threading.settrace(trace)
    try:
        yield
    finally:
        threading.settrace(None)
