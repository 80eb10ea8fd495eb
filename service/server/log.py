"""The log: JSON lines of named fields only, so that no card, seed, key, token or state gets into it."""

import contextlib
import logging
import threading
import traceback
from collections.abc import Iterator
from typing import Literal, TextIO, cast

import structlog
from structlog.typing import EventDict, FilteringBoundLogger, Processor, WrappedLogger

# What an event may say. A field that is not here is dropped and its name reported. Add with care: a field holds
# numbers, names of enums or what the server itself chose, never what a request brought.
FIELDS = frozenset(
    {
        *("event", "level", "timestamp", "dropped_fields"),
        # A call. The request id is the caller's, cut down to harmless characters.
        *("method", "code", "reasons", "game", "phase", "microseconds", "rules_microseconds", "peer", "request_id"),
        # Of its trace: 32 hexadecimal digits.
        "trace_id",
        # Who called: what made the caller known, and which seat it is, once its token is known to be right.
        *("caller", "seat"),
        # A stream that has ended: how many messages were answered.
        "messages",
        # A fault: where, and of what type.
        "trace",
        # The process.
        *("settings", "port", "arbiter_port", "admin_port", "metrics_port", "signal", "calls_cut_off", "advice"),
        "certificate_ends",
        # Which of several processes, and what becomes of them.
        *("worker", "pid", "processes", "exit_code", "seconds"),
        # What another library logged.
        *("logger", "message"),
    }
)
_LONGEST_MESSAGE = 500
_INNERMOST_FRAMES = -40


def make_log(stream: TextIO, level: str, log_format: Literal["json", "console"]) -> FilteringBoundLogger:
    """Make a log that writes to a stream, one line an event."""
    renderer: Processor = structlog.processors.JSONRenderer()
    if log_format == "console":
        renderer = structlog.dev.ConsoleRenderer(colors=stream.isatty())
    log = structlog.wrap_logger(
        _Lines(stream),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            keep_known_fields,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )
    return cast("FilteringBoundLogger", log.bind())


def keep_known_fields(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Drop every field that is not of FIELDS, and say which; what, how bad and when come first."""
    known = {name: event[name] for name in ("event", "level", "timestamp") if name in event}
    known |= {name: value for name, value in event.items() if name in FIELDS}
    if len(known) < len(event):
        known["dropped_fields"] = sorted(set(event) - FIELDS)
    return known


def describe_fault(fault: BaseException, *, with_messages: bool) -> str:
    """Tell where a fault happened and of what type it is; its message may hold cards, so it is left out by default."""
    return "".join(_fault_lines(fault, with_messages=with_messages))


def forward_other_libraries(log: FilteringBoundLogger) -> None:
    """Make what other libraries log part of this log, from warnings up."""
    root = logging.getLogger()
    root.handlers = [_Forward(log)]
    root.setLevel(logging.WARNING)


def _fault_lines(fault: BaseException, *, with_messages: bool) -> Iterator[str]:
    cause = fault.__cause__ or (None if fault.__suppress_context__ else fault.__context__)
    if cause is not None:
        yield from _fault_lines(cause, with_messages=with_messages)
        yield "which led to:\n"
    yield from traceback.format_list(traceback.extract_tb(fault.__traceback__, _INNERMOST_FRAMES))
    message = f": {fault}" if with_messages else ""
    yield f"{type(fault).__module__}.{type(fault).__qualname__}{message}\n"


class _Lines:
    """Writes lines. A stream that nobody reads any more is no reason to fail a call."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def msg(self, line: str) -> None:
        with contextlib.suppress(OSError, ValueError), self._lock:
            self._stream.write(f"{line}\n")
            self._stream.flush()

    debug = info = warning = error = critical = exception = msg


class _Forward(logging.Handler):
    """Hands on what another library logs, without its traceback."""

    def __init__(self, log: FilteringBoundLogger) -> None:
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        with contextlib.suppress(Exception):
            message = record.getMessage()[:_LONGEST_MESSAGE]
            self._log.log(record.levelno, "library", logger=record.name, message=message)
