"""What a client's conformance program prints, read and held against the vectors that there are."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

MATCH: Final = "match"
"""The line of the scripted match, which is no folder of the vectors."""

COUNTS: Final = re.compile(
    r"(?:(?P<part>[\w-]+): )?(?P<passed>\d+) passed, (?P<failed>\d+) failed, (?P<skipped>\d+) skipped"
)
SKIP: Final = re.compile(r"SKIPPED (?P<path>[^\s:,]+)(?:: |, )\S.*")
"""A scenario that was skipped, and why: `SKIPPED vectors/gin/one.json: it needs rawRequests`."""


class Count(NamedTuple):
    """How scenarios ended."""

    passed: int
    failed: int
    skipped: int

    @property
    def total(self) -> int:
        """How many there were."""
        return sum(self)


@dataclass(frozen=True)
class Report:
    """What a run of the conformance program came to."""

    counts: Mapping[str, Count]
    """By folder of the vectors, and of the match."""
    problems: tuple[str, ...]
    """Why the run does not count; nothing if it does."""


def added(counts: Iterable[Count]) -> Count:
    """Add counts up."""
    return Count(*(sum(column) for column in zip(*counts, strict=True))) if (counts := list(counts)) else Count(0, 0, 0)


def parts_of(manifest: Mapping[str, Any]) -> dict[str, int]:
    """How many scenarios each folder of the vectors has, and that there is one match."""
    folders = Counter(_part(each["path"]) for each in manifest["files"])
    return dict(sorted(folders.items())) | {MATCH: 1}


def _part(path: str) -> str:
    return path.removeprefix("vectors/").partition("/")[0]


def read_report(output: str, code: int, parts: Mapping[str, int], skippable: Collection[str] = ()) -> Report:
    """Read what the program printed; a run counts if it tells of every scenario, and its exit code agrees.

    It may skip scenarios that are skippable, given by path, but not all of a part; it has to name each, and say why.
    """
    lines = [line.strip() for line in output.splitlines()]
    read = [(line, found) for line in lines if (found := COUNTS.fullmatch(line))]
    counts = {found["part"]: _count(found) for _, found in read if found["part"]}
    skips = sorted({found["path"] for line in lines if (found := SKIP.fullmatch(line))})
    wrong = (*_problems(read, counts, code, parts), *_wrong_skips(counts, skips, skippable))
    return Report(counts, wrong)


def _count(found: "re.Match[str]") -> Count:
    return Count(*(int(found[name]) for name in ("passed", "failed", "skipped")))


def _problems(
    read: list[tuple[str, "re.Match[str]"]],
    counts: Mapping[str, Count],
    code: int,
    parts: Mapping[str, int],
) -> Iterable[str]:
    """Say everything for which the run does not count."""
    if not read or read[-1][1]["part"]:
        yield f"the last line of counts has to be their sum, as in '82 passed, 0 failed, 0 skipped'; exit code {code}"
        return
    named = [found["part"] for _, found in read[:-1]]
    if None in named or len(set(named)) != len(named):
        yield "each part has to have one line, and the sum has to be the last"
    for part, total in parts.items():
        if part not in counts:
            yield f"there is no line of {part}"
        elif counts[part].total != total:
            yield f"{part}: {counts[part].total} scenarios are counted, and there are {total}"
    for part in counts.keys() - parts.keys():
        yield f"{part}: the vectors have no such folder"
    whole, told = added(counts.values()), _count(read[-1][1])
    if whole != told:
        yield f"the sum is {tuple(whole)}, and the last line says {tuple(told)}"
    if bool(code) != bool(told.failed):
        yield f"{told.failed} failed, and the exit code is {code}"


def _wrong_skips(counts: Mapping[str, Count], skips: Collection[str], skippable: Collection[str]) -> Iterable[str]:
    """Say what was skipped without a word, or may not be."""
    named = Counter(_part(path) for path in skips)
    for part, count in counts.items():
        if count.skipped and count.skipped == count.total:
            yield f"{part}: all of it was skipped"
        elif count.skipped != named[part]:
            yield (
                f"{part}: {count.skipped} skipped, and {named[part]} named with a reason, "
                "as in 'SKIPPED vectors/gin/one.json: it needs rawRequests'"
            )
    for path in skips:
        if path not in skippable:
            yield f"{path}: skipped, and it needs nothing that a language may lack"
