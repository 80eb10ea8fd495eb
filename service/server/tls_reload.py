"""Certificates that are exchanged while the server runs: what the files hold now is what new connections get."""

import contextlib
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

import grpc
from structlog.typing import FilteringBoundLogger

from service.server.log import describe_fault
from service.server.tls import Pem, ServerTls

LOOK_SECONDS: Final = 0.5
_REMIND: Final = timedelta(days=1)


class TlsReload:
    """Looks at the files of TLS, on a thread of its own, and offers what they hold to new connections.

    gRPC asks for the certificate at every handshake, with locks of its own held, so that the answer may neither read a
    file nor wait: it is whatever the last look left. Files are compared by their content, so neither links nor clocks
    matter. Connections that are there keep what they began with.
    """

    def __init__(
        self,
        tls: ServerTls,
        warning_days: int,
        log: FilteringBoundLogger,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._files = tls.files
        self._warning = timedelta(days=warning_days)
        self._log = log
        self._clock = clock
        self._closed = threading.Event()
        self._last: Pem | str = tls.pem
        self._judged: Pem | str = tls.pem
        self._candidate: ServerTls | None = None
        self._warned: datetime | None = None
        self._current = tls
        self._configuration = tls.configuration()

    @property
    def current(self) -> ServerTls:
        """What new connections get."""
        return self._current

    def expires_at(self) -> float:
        """Tell when the certificate that new connections get now ends, in Unix time."""
        return self._current.ends.timestamp()

    def credentials(self) -> grpc.ServerCredentials:
        """Make what one port listens with."""
        offered = self._configuration

        def newer() -> grpc.ServerCertificateConfiguration | None:
            nonlocal offered
            if self._configuration is offered:
                return None
            offered = self._configuration
            return offered

        # Its stubs leave out that None says that nothing has changed.
        return grpc.dynamic_ssl_server_credentials(offered, newer, self._current.asks_clients)  # type: ignore[arg-type]

    def start(self, port: int) -> None:
        """Begin to look at the files; the log's lines name the port."""
        self._log = self._log.bind(port=port)
        self._warn_of_the_end()
        threading.Thread(target=self._look_on, name="tls-reload", daemon=True).start()

    def close(self) -> None:
        """Look no more."""
        self._closed.set()

    def look(self) -> None:
        """Look at the files once, and take what they hold if it is whole, works and holds now.

        A change is judged when two looks in a row see the same, so that files that are being written are let alone.
        """
        self._warn_of_the_end()
        found = self._read()
        settled, self._last = found == self._last, found
        if not settled:
            return
        if found != self._judged:
            self._judged, self._candidate = found, None
            self._candidate = self._judge(found)
        if self._candidate is not None and self._candidate.begins <= self._clock():
            self._take(self._candidate)

    def _read(self) -> Pem | str:
        try:
            return self._files.read()
        except ValueError as error:
            return str(error)

    def _judge(self, found: Pem | str) -> ServerTls | None:
        if found == self._current.pem:
            return None
        try:
            if isinstance(found, str):
                raise ValueError(found)  # noqa: TRY301, TRY004 - it is what was raised when the files were read
            tls = self._files.check(found)
            # Where not even the present one is taken it is not for the certificate's sake.
            if not tls.is_taken() and self._current.is_taken():
                raise ValueError(tls.not_taken())  # noqa: TRY301 - as above
        except ValueError as error:
            self._log.warning("tls kept", advice=f"{error} Until then the certificate from before stays.")
            return None
        now, file = self._clock(), self._files.certificate
        if tls.ends <= now:
            ended = f"{file} holds a certificate that has ended on {_day(tls.ends)}"
            self._log.warning("tls kept", advice=f"{ended}: write one that holds. The one from before stays.")
            return None
        if tls.begins > now:
            begins = f"{file} holds a certificate that begins at {tls.begins.isoformat()}"
            self._log.warning("tls kept", advice=f"{begins}, and is taken then. The one from before stays until then.")
        return tls

    def _take(self, tls: ServerTls) -> None:
        self._configuration = tls.configuration()
        self._current, self._candidate, self._warned = tls, None, None
        self._log.info("tls reloaded", certificate_ends=tls.ends.isoformat())
        self._warn_of_the_end()

    def _warn_of_the_end(self) -> None:
        now, ends = self._clock(), self._current.ends
        if ends - now >= self._warning or (self._warned is not None and now - self._warned < _REMIND):
            return
        self._warned = now
        verb = "ends" if ends > now else "has ended"
        advice = f"The certificate of {self._files.certificate} {verb} on {_day(ends)}: write a new one there."
        self._log.warning("tls certificate ends", certificate_ends=ends.isoformat(), advice=advice)

    def _look_on(self) -> None:
        while not self._closed.wait(LOOK_SECONDS):
            try:
                self.look()
            except Exception as fault:  # noqa: BLE001 - whatever it was, the next look may be a better one
                with contextlib.suppress(Exception):
                    self._log.error("fault", trace=describe_fault(fault, with_messages=False))


def _day(moment: datetime) -> str:
    return moment.date().isoformat()
