"""The log."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from service.server import log as server_log
from service.server.log import FIELDS, describe_fault, forward_other_libraries, make_log

SECRETS = ["card", "cards", "hand", "hands", "state", "seed", "token", "metadata", "request", "response", "key", "deck"]


def lines(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


@pytest.fixture
def root_logger() -> Iterator[logging.Logger]:
    """The root logger, put back as it was after the test."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield root
    root.handlers = handlers
    root.setLevel(level)


@pytest.mark.parametrize("name", SECRETS)
def test_a_field_that_is_not_listed_is_dropped(name: str) -> None:
    """A field outside the list never reaches the log; its name does, so that the mistake is found."""
    stream = io.StringIO()
    make_log(stream, "info", "json").info("call", **{name: "7S 8S 9S", "code": "OK"})
    (line,) = lines(stream)
    assert line["dropped_fields"] == [name]
    assert line["code"] == "OK"
    assert "7S" not in stream.getvalue()


def test_nothing_secret_is_listed() -> None:
    """No field of the list is one for secrets."""
    assert FIELDS.isdisjoint(SECRETS)


def test_fields_bound_to_a_logger_are_dropped_too() -> None:
    """Binding a field beforehand is no way around the list."""
    stream = io.StringIO()
    make_log(stream, "info", "json").bind(state="secret").warning("started")
    assert "secret" not in stream.getvalue()


def test_lines_say_what_first() -> None:
    """A line begins with what happened, how bad it is and when, in UTC."""
    stream = io.StringIO()
    make_log(stream, "info", "json").info("call", method="/m", code="OK")
    assert list(lines(stream)[0]) == ["event", "level", "timestamp", "method", "code"]
    assert str(lines(stream)[0]["timestamp"]).endswith("Z")


@pytest.mark.parametrize(("level", "written"), [("debug", 2), ("info", 2), ("warning", 1), ("error", 0)])
def test_the_level_is_kept(level: str, written: int) -> None:
    """Events below the level are not written."""
    stream = io.StringIO()
    log = make_log(stream, level, "json")
    log.info("call")
    log.warning("call")
    assert len(lines(stream)) == written


def test_lines_are_ascii_and_one_line_each() -> None:
    """A line break or a control character in a value cannot forge a line."""
    stream = io.StringIO()
    make_log(stream, "info", "json").info("call", peer='a\n{"event": "forged"}\x1b[31m♠')
    assert len(lines(stream)) == 1
    assert stream.getvalue().isascii()
    assert "\x1b" not in stream.getvalue()


def test_the_console_format_is_for_people() -> None:
    """The console format is not JSON, has no colours where there is no terminal, and drops the same fields."""
    stream = io.StringIO()
    make_log(stream, "info", "console").info("call", code="OK", state="secret")
    assert "code=OK" in stream.getvalue()
    assert "\x1b" not in stream.getvalue()
    assert "secret" not in stream.getvalue()


def test_a_stream_that_cannot_be_written_is_no_error() -> None:
    """A closed or broken stream loses lines and nothing else."""

    class Broken(io.StringIO):
        def write(self, _text: str) -> int:
            raise BrokenPipeError

    make_log(Broken(), "info", "json").info("call")
    closed = io.StringIO()
    log = make_log(closed, "info", "json")
    closed.close()
    log.info("call")


@pytest.mark.usefixtures("root_logger")
def test_other_libraries_log_into_the_same_lines() -> None:
    """Warnings of other libraries become lines of this log, cut short and without tracebacks."""
    stream = io.StringIO()
    forward_other_libraries(make_log(stream, "info", "json"))
    other = logging.getLogger("grpc._server")
    other.info("not this")
    other.error("%s", "x" * 10_000, exc_info=ValueError("secret"))
    other.error("%d is no number", "this")
    (line,) = lines(stream)
    assert (line["event"], line["level"], line["logger"]) == ("library", "error", "grpc._server")
    assert len(str(line["message"])) == server_log._LONGEST_MESSAGE
    assert "secret" not in stream.getvalue()


def test_a_deep_fault_is_described_in_few_lines() -> None:
    """The description of a fault stays readable after a runaway recursion."""

    def fall(depth: int) -> None:
        if not depth:
            raise ValueError("secret")
        fall(depth - 1)

    with pytest.raises(ValueError, match="secret") as caught:
        fall(500)
    text = describe_fault(caught.value, with_messages=False)
    assert len(text) < 10_000
    assert "secret" not in text.replace('raise ValueError("secret")', "")
    assert text.endswith("builtins.ValueError\n")
