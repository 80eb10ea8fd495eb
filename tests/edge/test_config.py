"""What deploy/ ships, before anything is started with it."""

import subprocess
from pathlib import Path
from typing import Any, Final

import yaml
from google.protobuf import descriptor_pb2
from google.rpc import error_details_pb2

from service.api.authority import API_KEY_METADATA, EDGE_METADATA, SEAT_TOKEN_METADATA
from service.server.adapter import ARBITER_SERVICE, GAME_SERVICE
from service.server.settings import Settings
from tests.edge.proxies import DESCRIPTORS, ENVOY_FILE, envoy_binary, nginx_binary, nginx_text
from tests.edge.web import rule_of

SHIPPED: Final[dict[str, Any]] = yaml.safe_load(ENVOY_FILE.read_text("utf-8"))
LISTENERS: Final = {each["name"]: each for each in SHIPPED["static_resources"]["listeners"]}
STREAM: Final = f"/{GAME_SERVICE.full_name}/StreamApplyMoves"
FRAME_BYTES: Final = 16_384
LEAST_MESSAGE_BYTES: Final = 5
CLUSTER: Final = SHIPPED["static_resources"]["clusters"][0]


def manager(name: str) -> dict[str, Any]:
    """The connection manager of a listener."""
    (chain,) = LISTENERS[name]["filter_chains"]
    (filter_,) = chain["filters"]
    config: dict[str, Any] = filter_["typed_config"]
    return config


def transcoder(name: str) -> dict[str, Any]:
    """What makes JSON of a listener's calls."""
    (found,) = [each for each in manager(name)["http_filters"] if each["name"].endswith("grpc_json_transcoder")]
    config: dict[str, Any] = found["typed_config"]
    return config


def test_envoy_takes_the_shipped_file(tmp_path: Path) -> None:
    """The very file that is shipped is valid, but for where the descriptors lie."""
    config = tmp_path / "envoy.yaml"
    config.write_text(ENVOY_FILE.read_text("utf-8").replace("/etc/envoy/burraco.binpb", str(DESCRIPTORS)), "utf-8")
    command = [envoy_binary(), "--mode", "validate", "-c", str(config), "--log-level", "warning"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, [f"configuration '{config}' OK"]), done.stderr
    assert "deprecated" not in done.stderr.lower()


def test_nginx_takes_the_shipped_file(tmp_path: Path) -> None:
    """The file that is shipped is valid, but for names that this machine cannot look up."""
    config = tmp_path / "nginx.conf"
    text = nginx_text().replace("/tmp/nginx-", f"{tmp_path}/")
    for number in range(3):
        assert f"server burraco-{number}:50051" in text
        text = text.replace(f"server burraco-{number}:", "server 127.0.0.1:")
    config.write_text(text, "utf-8")
    command = [nginx_binary(), "-t", "-c", str(config), "-p", str(tmp_path), "-g", f"pid {tmp_path}/pid;"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert "warn" not in done.stderr


def test_every_unary_rpc_of_the_game_has_a_path_of_its_own() -> None:
    """Each unary RPC of the game has one path under /v1/, and a body where it has a request; streams have none."""
    paths = set()
    for rpc in GAME_SERVICE.methods:
        rule = rule_of(rpc)
        if rpc.client_streaming or rpc.server_streaming:
            assert not rule.WhichOneof("pattern")
            continue
        has_fields = bool(rpc.input_type.fields) or rpc.name == "CommitSeed"
        assert rule.WhichOneof("pattern") == ("post" if has_fields else "get"), rpc.name
        assert rule.body == ("*" if has_fields else "")
        paths.add(rule.post or rule.get)
    assert len(paths) == len([rpc for rpc in GAME_SERVICE.methods if not rpc.client_streaming])
    assert all(path.startswith("/v1/") for path in paths)
    for rpc in ARBITER_SERVICE.methods:
        assert not rule_of(rpc).WhichOneof("pattern")


def test_the_descriptors_have_the_game_and_the_details_of_errors_and_no_arbiter() -> None:
    """What Envoy knows: one service, the details of errors, and nothing of the arbiter."""
    files = descriptor_pb2.FileDescriptorSet.FromString(DESCRIPTORS.read_bytes()).file
    assert [f"{each.package}.{service.name}" for each in files for service in each.service] == [GAME_SERVICE.full_name]
    messages = {f"{each.package}.{message.name}" for each in files for message in each.message_type}
    for detail in (error_details_pb2.ErrorInfo, error_details_pb2.BadRequest, error_details_pb2.RetryInfo):
        assert detail.DESCRIPTOR.full_name in messages
    assert not any("arbiter" in each.name or "state" in each.name for each in files)


def test_the_web_listener_marks_every_call_and_takes_no_keys() -> None:
    """What comes over the web says so in every route, and browsers may send a seat's token and never a key."""
    routes = manager("web")["route_config"]
    (added,) = routes["request_headers_to_add"]
    assert added["header"]["key"] == EDGE_METADATA
    assert added["append_action"] == "OVERWRITE_IF_EXISTS_OR_ADD"
    assert routes["request_headers_to_remove"] == [API_KEY_METADATA]
    (host,) = routes["virtual_hosts"]
    cors = host["typed_per_filter_config"]["envoy.filters.http.cors"]
    allowed = set(cors["allow_headers"].split(", "))
    assert SEAT_TOKEN_METADATA in allowed
    assert API_KEY_METADATA not in allowed
    assert cors["allow_credentials"] is False
    for origin in cors["allow_origin_string_match"]:
        assert origin["exact"].startswith("https://")


def test_both_listeners_guard_alike() -> None:
    """Unknown paths and query parameters are refused, and both listeners have the same limits."""
    for name in LISTENERS:
        config = transcoder(name)
        assert config["services"] == [GAME_SERVICE.full_name]
        assert config["auto_mapping"] is False
        assert config["request_validation_options"]["reject_unknown_method"]
        assert config["request_validation_options"]["reject_unknown_query_parameters"]
        assert manager(name)["internal_address_config"] == {}
    assert transcoder("web") == transcoder("back_end")


def test_limits_are_those_of_the_server() -> None:
    """What the server takes passes as JSON too, and a replica drains for longer than Envoy takes to see it."""
    limits = {name: field.default for name, field in Settings.model_fields.items()}
    assert transcoder("web")["max_request_body_size"] >= limits["max_message_bytes"] * 4 / 3
    assert transcoder("web")["max_response_body_size"] >= limits["max_answer_bytes"] * 4 / 3
    (check,) = CLUSTER["health_checks"]
    assert check["grpc_health_check"]["service_name"] == GAME_SERVICE.full_name
    assert 2 * float(check["interval"].rstrip("s")) < limits["drain_seconds"]
    assert check["interval"] == check["no_traffic_interval"]


def seconds(time: str) -> float:
    """What a time of either proxy comes to."""
    return float(time.rstrip("s;"))


def test_streams_are_left_to_the_server() -> None:
    """A stream has no time of its own in either proxy, but one for nothing at all, well above the server's."""
    idle = 2 * Settings.model_fields["stream_idle_seconds"].default
    for name in LISTENERS:
        (host,) = manager(name)["route_config"]["virtual_hosts"]
        route = host["routes"][0]
        assert route["match"] == {"path": STREAM}
        assert route["route"]["timeout"] == "0s"
        assert "max_stream_duration" not in route["route"] | manager(name)["common_http_protocol_options"]
        assert seconds(route["route"]["idle_timeout"]) >= idle
        assert route["route"]["retry_policy"]["retry_on"] == "connect-failure,refused-stream"
    location = nginx_text().partition(f"location = {STREAM} {{")[2].partition("}")[0]
    times = dict(line.split() for line in location.splitlines() if len(line.split()) == 2 and "#" not in line)
    for name in ("grpc_read_timeout", "grpc_send_timeout", "client_body_timeout", "send_timeout"):
        assert seconds(times[name]) >= idle
    assert times["client_max_body_size"] == "0;"
    assert "non_idempotent" not in location.partition("grpc_next_upstream")[2]


def test_streams_that_nobody_reads_leave_room_in_their_connection() -> None:
    """The window of a connection to a replica holds those of as many streams as there may be."""
    (protocol,) = CLUSTER["typed_extension_protocol_options"].values()
    options = protocol["explicit_http_config"]["http2_protocol_options"]
    (threshold,) = CLUSTER["circuit_breakers"]["thresholds"]
    room = threshold["max_requests"] * options["initial_stream_window_size"]
    assert room <= options["initial_connection_window_size"] < 2**31
    assert Settings.model_fields["max_streams"].default < threshold["max_requests"]


def test_room_that_is_made_for_small_messages_is_no_flood() -> None:
    """For each message that a frame may hold there may be news of room, of its stream and of the connection."""
    (protocol,) = CLUSTER["typed_extension_protocol_options"].values()
    back_end = manager("back_end")["http2_protocol_options"]
    for options in (protocol["explicit_http_config"]["http2_protocol_options"], back_end):
        assert options["max_inbound_window_update_frames_per_data_frame_sent"] >= 2 * FRAME_BYTES / LEAST_MESSAGE_BYTES
    same = ("max_concurrent_streams", "initial_stream_window_size", "initial_connection_window_size")
    assert manager("web")["http2_protocol_options"] == {name: back_end[name] for name in same}


def test_admin_is_on_loopback_alone() -> None:
    """Nobody else asks Envoy's admin, which can stop it."""
    assert SHIPPED["admin"]["address"]["socket_address"]["address"] == "127.0.0.1"


def test_no_route_leads_elsewhere() -> None:
    """In both proxies GameService alone has a route."""
    for name in LISTENERS:
        (host,) = manager(name)["route_config"]["virtual_hosts"]
        for route in host["routes"]:
            path = route["match"].get("path") or route["match"]["prefix"]
            assert ("route" in route) == path.startswith((f"/{GAME_SERVICE.full_name}/", "/v1/"))
    locations = [line.split()[1:-1] for line in nginx_text().splitlines() if line.strip().startswith("location ")]
    passed = [words for words in locations if words[-1].startswith("/burraco")]
    assert passed == [[f"/{GAME_SERVICE.full_name}/"], ["=", f"/{GAME_SERVICE.full_name}/StreamApplyMoves"]]
    assert nginx_text().count("grpc_pass grpc://burraco;") == len(passed)
