"""Write docs/openapi.yaml, or check that the committed file is what the protos give.

Run by `make openapi` and `make openapi-check`, which build the generator first; go.mod and go.sum, here, pin it.
"""

import argparse
import sys
from difflib import unified_diff
from typing import Final

import yaml

from scripts.docs_site.contract import read_contract
from scripts.openapi.finish import finish
from scripts.openapi.generate import ROOT, generate, plugin_path

FILE: Final = ROOT / "docs" / "openapi.yaml"
HEAD: Final = "# Made from the protos by `make openapi`; edit those, or scripts/openapi, not this file.\n"
LONGEST_DIFF: Final = 40


class _Dumper(yaml.SafeDumper):
    """Texts of several lines as such, and nothing by reference."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - the base's signature
        """Write each value where it is."""
        return True


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


_Dumper.add_representer(str, _text)


def rendered() -> str:
    """The file as it should be."""
    document = finish(generate(), read_contract())
    return HEAD + yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if the committed file is stale")
    check = parser.parse_args().check
    if not plugin_path().exists():
        sys.exit(f"{plugin_path()} is missing: run this with `make openapi`, which builds it.")
    fresh = rendered()
    committed = FILE.read_text("utf-8") if FILE.exists() else ""
    if not check:
        FILE.write_text(fresh, "utf-8")
        print(f"{FILE.relative_to(ROOT)}: {len(fresh):,} characters")
    elif committed != fresh:
        lines = unified_diff(committed.splitlines(True), fresh.splitlines(True), "committed", "from the protos", n=1)
        sys.stdout.writelines(list(lines)[:LONGEST_DIFF])
        sys.exit(f"{FILE.relative_to(ROOT)} is stale: run `make openapi` and commit the result.")
    else:
        print(f"{FILE.relative_to(ROOT)} is what the protos give.")


if __name__ == "__main__":
    main()
