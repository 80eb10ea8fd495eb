"""The parent of several processes that share a port: starts them, starts them again, and stops them together.

It never loads gRPC's server: a process that has threads of gRPC must not make children. Each child is a process of its
own from the start, made by `exec`, never a copy of this one.
"""

import base64
import contextlib
import os
import selectors
import signal
import sys
import time
from collections.abc import Iterator
from typing import Final

from structlog.typing import FilteringBoundLogger

from service.server import exit_codes
from service.server.child import Child, Place, this_command
from service.server.keys import EPHEMERAL_KEY_ADVICE
from service.server.listening import announce, cannot_listen, reserved_port
from service.server.settings import PREFIX, Settings
from service.server.signals import StopSignals
from service.server.worker import Job

_LAST_PORT: Final = 65_535
_MAX_FAILED_STARTS: Final = 5
_SLACK_SECONDS: Final = 5.0
"""What a child may take beyond drain and grace, and after a second signal, before it is killed."""


def supervise(settings: Settings, signals: StopSignals, log: FilteringBoundLogger) -> int:
    """Serve with several processes until told to stop; the exit code of this one."""
    for name, first in (("ADMIN_PORT", settings.admin_port), ("METRICS_PORT", settings.metrics_port)):
        if (_port_of_child(first, settings.process_count - 1) or 0) > _LAST_PORT:
            sys.stderr.write(
                f"{PREFIX}{name} is {first}: each of the {settings.process_count} processes takes the next port, and "
                f"there is none above {_LAST_PORT}. Set a lower one.\n"
            )
            return exit_codes.CANNOT_START
    with contextlib.ExitStack() as stack:
        try:
            port = stack.enter_context(reserved_port(settings.host, settings.port))
        except OSError:
            error = cannot_listen(settings.address, "BURRACO_PORT", "BURRACO_HOST")
            sys.stderr.write(f"{error}\n")
            return exit_codes.CANNOT_START
        if settings.has_ephemeral_key:
            log.warning("ephemeral key", advice=EPHEMERAL_KEY_ADVICE)
        supervisor = stack.enter_context(Supervisor(settings, port, signals, log))
        try:
            return supervisor.run()
        except StartError as error:
            sys.stderr.write(f"{error}\n")
            return exit_codes.CANNOT_START


class StartError(Exception):
    """The system gives no process to start with."""


class Supervisor(contextlib.AbstractContextManager["Supervisor"]):
    """The children, and what becomes of them. No process outlasts the block."""

    def __init__(self, settings: Settings, port: int, signals: StopSignals, log: FilteringBoundLogger) -> None:
        self._settings = settings
        self._port = port
        self._signals = signals
        self._log = log
        self._places = [Place(job, this_command()) for job in self._jobs()]
        self._selector = selectors.DefaultSelector()
        self._selector.register(signals, selectors.EVENT_READ)
        self._is_announced = False
        self._signals_got = 0
        self._kill_at: float | None = None
        """When to kill what is left; None while nothing is to stop."""
        self._exit_code = exit_codes.STOPPED

    def __exit__(self, *_: object) -> None:
        """Leave no process behind, whatever happened."""
        for child in self._children():
            child.popen.kill()
            child.bury()
        self._selector.close()

    def run(self) -> int:
        """Go on until every child has ended; the exit code."""
        while self._kill_at is None or self._children():
            self._start_what_is_due()
            for key, _ in self._selector.select(self._seconds_to_wait()):
                if key.data is None:
                    self._on_signal()
                else:
                    self._on_word_from(key.data)
            if self._kill_at is not None and time.monotonic() >= self._kill_at:
                self._kill_what_is_left()
        self._log.info("all stopped", exit_code=self._exit_code)
        return self._exit_code

    def _jobs(self) -> Iterator[Job]:
        key = base64.b64encode(self._settings.sealing_key_bytes).decode() if self._settings.has_ephemeral_key else None
        for number in range(self._settings.process_count):
            yield Job(
                number,
                self._port,
                None if number else self._settings.arbiter_port,
                key,
                _port_of_child(self._settings.admin_port, number),
                _port_of_child(self._settings.metrics_port, number),
            )

    def _children(self) -> list[Child]:
        return [place.child for place in self._places if place.child]

    def _vacant(self) -> list[Place]:
        """Places to fill. The first is filled first: what stops a start is then told once, not by all of them."""
        if self._kill_at is not None:
            return []
        places = self._places if self._is_announced or self._places[0].is_ready else self._places[:1]
        return [place for place in places if place.child is None]

    def _seconds_to_wait(self) -> float | None:
        times = [place.due for place in self._vacant()]
        if self._kill_at is not None:
            times.append(self._kill_at)
        return max(min(times) - time.monotonic(), 0.0) if times else None

    def _start_what_is_due(self) -> None:
        now = time.monotonic()
        for place in self._vacant():
            if place.due > now:
                continue
            try:
                child = place.fill()
            except OSError as error:
                if not self._is_announced:
                    raise StartError(
                        f"Process {place.job.number} cannot be started: {error}. Let the server have more processes, "
                        f"open files or memory, or set {PREFIX}PROCESSES lower."
                    ) from error
                # The others serve: what the system does not give now it may give later.
                place.put_off(now)
                fields = {"worker": place.job.number, "seconds": round(place.due - now, 3)}
                advice = f"{error}: it is tried again. Let the server have more processes, open files or memory."
                self._log.error("a process did not start", **fields, advice=advice)
            else:
                self._selector.register(child.channel, selectors.EVENT_READ, place)

    def _on_signal(self) -> None:
        number = self._signals.get(0)
        if number is None:
            return
        self._signals_got += 1
        if self._signals_got == 1 and self._kill_at is not None:
            return  # already stopping, for a reason of its own: once asked is not twice
        if self._signals_got > 1:
            self._log.warning("stopping at once", signal=number.name)
            self._stop(number, 0.0)
        else:
            self._log.info("stopping", signal=number.name)
            self._stop(number, self._settings.drain_seconds + self._settings.grace_seconds)

    def _stop(self, number: signal.Signals, seconds: float) -> None:
        self._kill_at = time.monotonic() + seconds + _SLACK_SECONDS
        for child in self._children():
            child.order(number)

    def _on_word_from(self, place: Place) -> None:
        child = place.child
        if child is None:
            return
        if not child.receive():
            self._on_death(place, child)
        elif not self._is_announced and all(each.is_ready for each in self._places):
            self._is_announced = True
            self._announce()

    def _announce(self) -> None:
        settings, ready = self._settings, [child.ready for child in self._children() if child.ready]
        more: dict[str, object] = {}
        if settings.admin_port is not None:
            more |= {"admin_host": settings.admin_host, "admin_ports": [each.admin_port for each in ready]}
        if settings.metrics_port is not None:
            more |= {"metrics_host": settings.metrics_host, "metrics_ports": [each.metrics_port for each in ready]}
        self._log.info("all started", port=self._port, processes=len(self._places), pid=os.getpid())
        announce(settings.host, self._port, settings.arbiter_host, ready[0].arbiter_port, more)

    def _on_death(self, place: Place, child: Child) -> None:
        self._selector.unregister(child.channel)
        code, now = child.bury(), time.monotonic()
        place.empty(child, now)
        if self._kill_at is not None:
            if child.ready and code:
                self._log.error("a process ended badly", worker=place.job.number, pid=child.popen.pid, exit_code=code)
                self._exit_code = self._exit_code or exit_codes.CALLS_CUT_OFF
            return
        dead = {"worker": place.job.number, "pid": child.popen.pid, "exit_code": code}
        if not self._is_announced and code == exit_codes.CANNOT_START:
            self._give_up("a process cannot start: it has said why", **dead)
        elif place.failed_starts >= _MAX_FAILED_STARTS:
            sys.stderr.write(
                f"Process {place.job.number} ended {_MAX_FAILED_STARTS} times in a row before it was ready, the last "
                f"time with exit code {code}: see above for what it said, and put that right.\n"
            )
            self._give_up("a process cannot start", **dead)
        else:
            self._log.error("a process died", **dead, seconds=round(place.due - now, 3))

    def _give_up(self, event: str, **fields: object) -> None:
        self._log.error(event, **fields)
        self._exit_code = exit_codes.CANNOT_START
        self._stop(signal.SIGTERM, self._settings.drain_seconds + self._settings.grace_seconds)

    def _kill_what_is_left(self) -> None:
        for child in self._children():
            self._log.error("killed", pid=child.popen.pid)
            child.popen.kill()
        self._kill_at = time.monotonic() + _SLACK_SECONDS


def _port_of_child(port: int | None, number: int) -> int | None:
    """Give each child a port of its own: the first has the setting's, the next one more; 0 stays any, None none."""
    return port and port + number
