"""Writes the vectors: `python -m tests.conformance.generate`, or `make vectors`."""

import sys
from collections.abc import Sequence

from tests.conformance.files import FOLDER, MANIFEST
from tests.conformance.generate.record import record_all


def main(names: Sequence[str] = ()) -> int:
    """Write every file anew and remove those that no scenario has any more."""
    texts = record_all(names)
    for path, text in texts.items():
        file = FOLDER / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    if not names:
        for file in (FOLDER / "vectors").glob("*/*.json"):
            if str(file.relative_to(FOLDER)) not in texts:
                file.unlink()
    size = sum(map(len, texts.values()))
    print(f"{len(texts)} files, {size // 1024} KiB, {MANIFEST.name} among them")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
