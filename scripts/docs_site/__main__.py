"""Build the documentation as a site, strictly and without a network: `make site`.

Run as `python -m scripts.docs_site` in the environment of requirements/site.txt. `--pages` writes the pages alone,
`--check` checks a site that is built already.
"""

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Final

from scripts.docs_site.check import faults
from scripts.docs_site.contract import ROOT
from scripts.docs_site.links import LinkError
from scripts.docs_site.navigation import configuration
from scripts.docs_site.pages import gather

OUT: Final = ROOT / "build" / "site"
REPOSITORY: Final = "BURRACO_REPOSITORY_URL"
"""Environment variable: the address in front of a file's path. Without it, files that are no page are only named."""


def write_pages(out: Path, repository: str = "") -> int:
    """Write every page, and the configuration to build them with; how many pages there are."""
    pages = gather(repository)
    shutil.rmtree(out, ignore_errors=True)
    folder = out / "pages"
    for asset in (path for path in (ROOT / "docs").rglob("*") if path.is_file() and path.suffix != ".md"):
        target = folder / asset.relative_to(ROOT / "docs")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(asset, target)
    for page in pages:
        target = folder / page.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(page.text, "utf-8")
    (out / "zensical.toml").write_text(configuration(pages), "utf-8")
    return len(pages)


def build(out: Path) -> None:
    """Build the site from its pages; warnings end it."""
    zensical = shutil.which("zensical", path=sysconfig.get_path("scripts"))
    if zensical is None:
        sys.exit(f"zensical is not installed beside {sys.executable}: run this with `make site`.")
    command = [zensical, "build", "--clean", "--strict", "--config-file", str(out / "zensical.toml")]
    if code := subprocess.run(command, cwd=out, check=False).returncode:
        sys.exit(f"The site was not built, zensical's exit code was {code}: it says above what is wrong.")


def check(site: Path) -> None:
    """Check the built site."""
    found = list(faults(site))
    if found:
        sys.exit("\n".join([*found, f"{len(found)} fault(s) in {site}; mend the pages that they come from."]))
    print(f"The site's links lead somewhere, and it loads nothing from elsewhere: {site}")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", action="store_true", help="write the pages, and build nothing")
    parser.add_argument("--check", action="store_true", help="build nothing; check what is built")
    parser.add_argument("--out", type=Path, default=OUT, help="the folder for pages and site")
    arguments = parser.parse_args()
    out = arguments.out.resolve()
    if not arguments.check:
        try:
            count = write_pages(out, os.environ.get(REPOSITORY, ""))
        except (LinkError, LookupError) as error:
            sys.exit(str(error))
        print(f"{count} pages in {out / 'pages'}")
        if arguments.pages:
            return
        build(out)
    check(out / "site")


if __name__ == "__main__":
    main()
