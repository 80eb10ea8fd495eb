"""The HTTP port that Prometheus asks: /metrics and nothing else."""

import socket
import threading
from collections.abc import Callable, Iterable
from socketserver import ThreadingMixIn
from typing import Any, Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CollectorRegistry, make_wsgi_app

PATH: Final = "/metrics"
_MOST_REQUESTS: Final = 8
_REQUEST_SECONDS: Final = 5.0
_NOT_FOUND: Final = b"There is nothing here but /metrics.\n"

Application = Callable[..., Iterable[bytes]]


class MetricsPort:
    """A port that is listened on until it is closed."""

    def __init__(self, host: str, port: int, registry: CollectorRegistry) -> None:
        """Listen; OSError when the address is not to be had."""
        self._server = _Server((host, port), _only_metrics(make_wsgi_app(registry)), ":" in host)
        self.port: int = self._server.server_port
        thread = threading.Thread(target=self._server.serve_forever, name="metrics", daemon=True)
        thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()


def _only_metrics(metrics: Application) -> Application:
    def answer(environ: dict[str, Any], start_response: Callable[..., object]) -> Iterable[bytes]:
        if environ["PATH_INFO"] == PATH:
            return metrics(environ, start_response)
        start_response("404 Not Found", [("Content-Type", "text/plain")])
        return [_NOT_FOUND]

    return answer


class _Handler(WSGIRequestHandler):
    timeout = _REQUEST_SECONDS  # for each wait: who sends nothing loses the connection

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Say nothing: a request that is looked at every few seconds is no news."""


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], application: Application, ipv6: bool) -> None:
        self.address_family = socket.AF_INET6 if ipv6 else socket.AF_INET
        self._room = threading.BoundedSemaphore(_MOST_REQUESTS)
        super().__init__(address, _Handler)
        self.set_app(application)

    def server_bind(self) -> None:
        """Bind without the look-up of the host's full name, which may wait for a name server."""
        # As in socketserver; http.server adds the look-up.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])
        self.setup_environ()

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as the library has it
        """Answer on a thread of its own while there are few; beyond that the connection is closed."""
        if not self._room.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except BaseException:  # no thread is to be had
            self._room.release()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - see process_request
        """Answer, and make room again."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - see process_request
        """Say nothing of a connection that breaks: the library would write its traceback to standard error."""
