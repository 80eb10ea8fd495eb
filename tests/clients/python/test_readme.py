"""What the README shows is what happens."""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.demo.server import serving

ROOT = Path(__file__).resolve().parents[3]
README = (ROOT / "README.md").read_text("utf-8")
ADDRESS = "127.0.0.1:50051"


def blocks(language: str, page: str = README) -> list[str]:
    """Give a README's code blocks in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a real server."""
    with serving() as found:
        yield found


def test_the_session_prints_what_the_readme_says(address: str) -> None:
    """The Python session runs as it stands, and its output is the one shown."""
    (session,), (output,) = blocks("python"), blocks("text")
    done = subprocess.run(
        [sys.executable, "-c", session.replace(ADDRESS, address)], capture_output=True, check=True, timeout=60
    )
    assert done.stdout.decode() == output


def test_the_generic_call_answers_what_the_readme_says(address: str) -> None:
    """The call through reflection runs as it stands, and its answer is the one shown."""
    grpcurl, buf = blocks("sh")
    command = shlex.split(buf.replace("\\\n", " ").replace(ADDRESS, address))
    tool = Path(sys.executable).parent / Path(command[0]).name
    done = subprocess.run([tool, *command[1:]], capture_output=True, check=True, timeout=60)
    assert json.loads(done.stdout) == json.loads(blocks("json")[0])
    assert re.search(r"-d '(.*?)'", grpcurl) is not None
    assert re.findall(r"-d '(.*?)'", grpcurl) == re.findall(r"-d '(.*?)'", buf)


CLIENT_README = (ROOT / "clients" / "python" / "README.md").read_text("utf-8")


def snippets() -> list[str]:
    """The Python of the client's own README, in order: calls, asyncio, streams and the rest."""
    return blocks("python", CLIENT_README)


def run_python(source: str) -> str:
    """Run a program; what it prints."""
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_clients_quick_start_runs(address: str) -> None:
    """As it stands, on a server; it prints what is shown, but for how long a state happens to be."""
    quick_start, (shown,) = snippets()[0], blocks("text", CLIENT_README)
    assert len(quick_start.splitlines()) <= 13
    length = re.compile(r"\d{3} bytes")
    printed = run_python(quick_start.replace(ADDRESS, address))
    assert length.sub("N bytes", printed) == length.sub("N bytes", shown)


def test_the_clients_quick_start_installs_what_is_here() -> None:
    """The folder is named as it lies in a clone, and the server by a target of the Makefile."""
    started, installed = blocks("sh", CLIENT_README)
    assert started == "make run\n"
    folder = installed.split("../burraco/")[1].strip()
    assert (ROOT / folder / "pyproject.toml").exists()
    assert re.search(r"^run:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)


def test_what_the_client_shows_of_languages_runs(address: str) -> None:
    """The table tells its violations in the language that it was given."""
    head = f"from burraco import Table, connect, moves\nclient = connect({address!r})\n"
    made = "state = Table.create(client, given_seed=bytes(32), dealer=3).state\n"
    tail = "print(table.check(0, moves.meld('7S 8S'))[0].text)"
    spoken = snippets()[2]
    assert run_python(f"{head}{made}{spoken}{tail}") == "Prima pesca dal tallone o prendi dagli scarti.\n"


def test_what_the_client_shows_of_asyncio_and_streams_runs(address: str) -> None:
    """Each as it stands, in the place that it leaves open."""
    *_, asynchronous, streamed = snippets()
    body = "".join(f"    {line}\n" for line in asynchronous.replace(ADDRESS, address).splitlines())
    head = "import asyncio, burraco, burraco.aio\nfrom burraco import moves\n"
    tail = "    print(table.revision)\nasyncio.run(main())\n"
    assert run_python(f"{head}async def main():\n{body}{tail}") == "1\n"
    head = f"from burraco import Table, connect, moves\nclient = connect({address!r})\n"
    made = "tables = [Table.create(client) for _ in range(5)]\n"
    assert run_python(f"{head}{made}{streamed}print([table.revision for table in tables])") == "[1, 1, 1, 1, 1]\n"


@pytest.mark.parametrize("page", [Path("README.md"), *(p.relative_to(ROOT) for p in ROOT.glob("clients/python/*.md"))])
def test_links_lead_somewhere(page: Path) -> None:
    """Every link to a file of the repository has one to lead to."""
    links = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / page).read_text("utf-8"))
    missing = [link for link in links if not (ROOT / page.parent / link).exists()]
    assert not missing
