"""Settings: what is refused, and how."""

import base64
import re
from pathlib import Path

import pytest

from service.server.settings import PREFIX, Settings, SettingsError, load_settings, variable_of
from service.wire.versions import NEWEST_VERSION
from tests.server.processes import ROOT, run_to_the_end

KEY = base64.b64encode(b"k" * 32).decode()
OTHER = base64.b64encode(b"o" * 32).decode()
DOCS = ROOT / "docs" / "settings.md"
ROW = re.compile(r"\| `(?P<variable>BURRACO_\w+)` \| (?P<default>[^|]*) \| (?P<meaning>[^|]*) \|")

# Settings that stop the start, with the variable that the sentence has to name and something that it has to advise.
REFUSED = [
    ({}, "BURRACO_SEALING_KEY", "openssl rand -base64 32"),
    ({"sealing_key": "short"}, "BURRACO_SEALING_KEY", "openssl rand -base64 32"),
    ({"sealing_key": "♠" * 44}, "BURRACO_SEALING_KEY", "openssl rand -base64 32"),
    ({"sealing_key": KEY[:-4]}, "BURRACO_SEALING_KEY", "openssl rand -base64 32"),
    ({"sealing_key": f"{KEY},{OTHER}"}, "BURRACO_SEALING_KEY", "BURRACO_OPENING_KEYS"),
    ({"sealing_key": KEY, "opening_keys": f"{OTHER},secret"}, "BURRACO_OPENING_KEYS", "openssl rand -base64 32"),
    ({"sealing_key": KEY, "sealing_key_file": "/dev/null"}, "BURRACO_SEALING_KEY_FILE", "unset one"),
    ({"sealing_key_file": "/no/such/file"}, "BURRACO_SEALING_KEY_FILE", "name a file"),
    ({"sealing_key_file": "/dev/null"}, "BURRACO_SEALING_KEY_FILE", "write the key"),
    ({"sealing_key": KEY, "opening_keys_file": "/"}, "BURRACO_OPENING_KEYS_FILE", "name a file"),
    ({"sealing_key": KEY, "api_keys_file": "/no/such/file"}, "BURRACO_API_KEYS_FILE", "name a file"),
    ({"sealing_key": KEY, "api_keys": "too-short"}, "BURRACO_API_KEYS", "openssl rand -hex 32"),
    ({"sealing_key": KEY, "api_keys": "é" * 16}, "BURRACO_API_KEYS", "openssl rand -hex 32"),
    ({"sealing_key": KEY, "host": "0.0.0.0"}, "BURRACO_HOST", "BURRACO_TRUST_NETWORK=true"),
    ({"sealing_key": KEY, "host": "::"}, "BURRACO_HOST", "BURRACO_API_KEYS"),
    ({"sealing_key": KEY, "host": "cards.example"}, "BURRACO_HOST", "BURRACO_API_KEYS"),
    ({"sealing_key": KEY, "trust_network": "false"}, "BURRACO_TRUST_NETWORK", "BURRACO_API_KEYS"),
    ({"development": "true", "host": "0.0.0.0"}, "BURRACO_HOST", "BURRACO_API_KEYS"),
    ({"sealing_key": KEY, "require_credentials": "true"}, "BURRACO_REQUIRE_CREDENTIALS", "set BURRACO_API_KEYS"),
    (
        {"sealing_key": KEY, "require_credentials": "true", "trust_network": "true", "api_keys": "a" * 16},
        "BURRACO_TRUST_NETWORK",
        "unset one of them",
    ),
    (
        {"sealing_key": KEY, "host": "0.0.0.0", "require_credentials": "true"},
        "BURRACO_REQUIRE_CREDENTIALS",
        "set BURRACO_API_KEYS",
    ),
    (
        {"sealing_key": KEY, "back_end_certificates": "cn:a"},
        "BURRACO_BACK_END_CERTIFICATES",
        "BURRACO_TLS_CLIENT_CA_FILE",
    ),
    ({"sealing_key": KEY, "seat_token_seconds": "59"}, "BURRACO_SEAT_TOKEN_SECONDS", "60 to 31536000"),
    ({"sealing_key": KEY, "seat_token_seconds": "31536001"}, "BURRACO_SEAT_TOKEN_SECONDS", "60 to 31536000"),
    ({"development": "perhaps"}, "BURRACO_DEVELOPMENT", "boolean"),
    ({"sealing_key": KEY, "port": "65536"}, "BURRACO_PORT", "0 to 65535"),
    ({"sealing_key": KEY, "port": "http"}, "BURRACO_PORT", "0 to 65535"),
    ({"sealing_key": KEY, "threads": "0"}, "BURRACO_THREADS", "1 to 64"),
    ({"sealing_key": KEY, "max_message_bytes": "1"}, "BURRACO_MAX_MESSAGE_BYTES", "1 KiB to 4 MiB"),
    ({"sealing_key": KEY, "default_deadline_seconds": "0"}, "BURRACO_DEFAULT_DEADLINE_SECONDS", "greater than 0"),
    ({"sealing_key": KEY, "grace_seconds": "nan"}, "BURRACO_GRACE_SECONDS", "number"),
    ({"sealing_key": KEY, "state_version": str(NEWEST_VERSION + 1)}, "BURRACO_STATE_VERSION", "Version of the stored"),
    ({"sealing_key": KEY, "state_version": "0"}, "BURRACO_STATE_VERSION", "Version of the stored"),
    ({"sealing_key": KEY, "log_format": "xml"}, "BURRACO_LOG_FORMAT", "`console`"),
    ({"sealing_key": KEY, "log_level": "loud"}, "BURRACO_LOG_LEVEL", "`warning`"),
    ({"sealing_key": KEY, "prot": "1"}, "BURRACO_PROT", "did you mean BURRACO_PORT?"),
    ({"sealing_key": KEY, "zzzzzz": "1"}, "BURRACO_ZZZZZZ", "docs/settings.md"),
]


def set_all(monkeypatch: pytest.MonkeyPatch, settings: dict[str, str]) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(variable_of(name), value)


@pytest.mark.parametrize(("settings", "variable", "advice"), REFUSED)
def test_wrong_settings_are_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], variable: str, advice: str
) -> None:
    """Each wrong setting is refused with one line that names the variable and says what to do, never a secret."""
    set_all(monkeypatch, settings)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    (sentence,) = str(caught.value).splitlines()
    assert variable in sentence
    assert advice in sentence
    for name in ("sealing_key", "opening_keys", "api_keys"):
        assert settings.get(name, "-secret-") not in sentence


@pytest.mark.parametrize(("settings", "variable", "advice"), REFUSED[:3] + REFUSED[-2:])
def test_the_process_ends_with_code_2_and_no_traceback(settings: dict[str, str], variable: str, advice: str) -> None:
    """The process says the sentence on stderr, says nothing else, and ends with exit code 2."""
    ended = run_to_the_end(**settings)
    assert ended.returncode == 2
    (sentence,) = ended.stderr.splitlines()
    assert variable in sentence
    assert advice in sentence
    assert ended.stdout == ""


def test_all_that_is_wrong_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several wrong settings are told in one go, a line each."""
    set_all(monkeypatch, {"port": "x", "threads": "x", "prot": "1"})
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert len(str(caught.value).splitlines()) == 3


def test_the_variables_of_demo_and_tests_are_not_the_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """BURRACO_DEMO_... and BURRACO_TEST_... are left alone, and an empty variable is an unset one."""
    set_all(monkeypatch, {"development": "1", "demo_seed": "7", "test_profile": "full", "port": ""})
    assert load_settings().port == 50051


def test_the_opening_keys_are_a_union(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sealing key opens too, first, and no key twice."""
    set_all(monkeypatch, {"sealing_key": KEY, "opening_keys": f"{OTHER}, {KEY}"})
    settings = load_settings()
    assert settings.sealing_key_bytes == b"k" * 32
    assert settings.opening_keys_bytes == (b"k" * 32, b"o" * 32)
    assert not settings.has_ephemeral_key


def test_secrets_can_come_from_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each secret has a variable that names a file, whose lines may end as files do."""
    for name, text in (("sealing", f"{KEY}\n"), ("opening", f"{OTHER}\n{KEY}\n"), ("api", f"{'a' * 16}\n{'b' * 16}\n")):
        (tmp_path / name).write_text(text, "ascii")
    files = {"sealing_key_file": "sealing", "opening_keys_file": "opening", "api_keys_file": "api"}
    set_all(monkeypatch, {name: str(tmp_path / file) for name, file in files.items()})
    settings = load_settings()
    assert settings.opening_keys_bytes == (b"k" * 32, b"o" * 32)
    assert settings.trust.api_keys == ("a" * 16, "b" * 16)


def test_a_development_key_is_new_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """In development mode without a key each process has one of its own, and keeps it."""
    set_all(monkeypatch, {"development": "true"})
    one, two = load_settings(), load_settings()
    assert one.has_ephemeral_key
    assert len(one.sealing_key_bytes) == 32
    assert one.sealing_key_bytes == one.sealing_key_bytes == one.opening_keys_bytes[0]
    assert one.sealing_key_bytes != two.sealing_key_bytes


@pytest.mark.parametrize(
    ("settings", "trusted"),
    [
        ({}, True),
        ({"host": "localhost"}, True),
        ({"host": "::1"}, True),
        ({"host": "127.3.2.1"}, True),
        ({"api_keys": "a" * 16}, False),
        ({"api_keys": "a" * 16, "trust_network": "true"}, True),
        ({"host": "0.0.0.0", "api_keys": "a" * 16}, False),
        ({"host": "0.0.0.0", "trust_network": "true"}, True),
        ({"api_keys": "a" * 16, "require_credentials": "true"}, False),
    ],
)
def test_which_networks_are_trusted(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], *, trusted: bool
) -> None:
    """Loopback is trusted unless there are API keys; any other network only when told."""
    set_all(monkeypatch, {"development": "1", **settings})
    assert load_settings().trust.network is trusted


def test_no_text_of_the_settings_shows_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the masked settings nor any printed form of them shows a secret."""
    set_all(monkeypatch, {"sealing_key": KEY, "opening_keys": OTHER, "api_keys": "a" * 16})
    settings = load_settings()
    text = f"{settings} {settings!r} {settings.masked()} {settings.trust} {settings.token_keys}"
    text += settings.model_dump_json()
    assert not [secret for secret in (KEY, OTHER, "a" * 16) if secret in text]


def test_the_docs_list_every_setting() -> None:
    """The table of docs/settings.md and the settings agree on names, defaults and meanings."""
    documented = [match.groupdict() for match in ROW.finditer(DOCS.read_text("utf-8"))]
    assert documented == [
        {
            "variable": variable_of(name),
            "default": "unset" if field.default is None else f"`{str(field.default).lower()}`",
            "meaning": field.description,
        }
        for name, field in Settings.model_fields.items()
    ]
    assert PREFIX == "BURRACO_"
