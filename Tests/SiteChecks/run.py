"""Runs the checks over a built site: one line for each, then what was found; ends with 1 on any finding."""

import argparse
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from axe import check_axe
from finding import Result
from keyboard import check_keyboard
from layout import check_layout
from links import check_html_links, check_markdown_links
from nu_html import check_nu_html
from pictures import take_pictures
from planted import check_planted
from policy import check_disk, check_policy
from print_pages import check_paper, check_print
from scripts_off import check_scripts_off
from site_files import Site
from single_file import check_single_file
from sizes import check_sizes
from markdown_numbers import check_markdown_numbers
from xml_files import check_xml

# Fast ones first.
CHECKS: list[tuple[str, Callable[[Site], Result]]] = [
    ("sizes", check_sizes),
    ("XML is well-formed", check_xml),
    ("links in HTML", check_html_links),
    ("links in Markdown", check_markdown_links),
    ("numbers in HTML and Markdown", check_markdown_numbers),
    ("valid HTML", check_nu_html),
    ("strict policy, own origin", check_policy),
    ("opened from disk", check_disk),
    ("single file", check_single_file),
    ("same text without scripts", check_scripts_off),
    ("keyboard", check_keyboard),
    ("nothing wider than the page", check_layout),
    ("print", check_print),
    ("A4 and Letter", check_paper),
    ("accessibility (axe)", check_axe),
    ("planted faults are found", check_planted),
]
SHOWN = 25


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("site", type=Path, help="the folder of a built site")
    options.add_argument("--only", default="", help="run the checks whose names hold this word")
    options.add_argument("--pictures", type=Path, help="check nothing; take the README's pictures into this folder")
    given = options.parse_args()
    site = Site(given.site)
    if not (site.root / "index.html").is_file():
        print(f"error: no site in {given.site}: index.html is missing there", file=sys.stderr)
        return 2
    if given.pictures:
        take_pictures(site, given.pictures)
        return 0
    checks = [(name, check) for name, check in CHECKS if given.only in name]
    if not checks:
        print(f"error: no check is named “{given.only}”", file=sys.stderr)
        return 2
    began = time.monotonic()
    found = 0
    with ProcessPoolExecutor(2) as workers:
        runs = [(name, workers.submit(_timed, check, site)) for name, check in checks]
        for name, run in runs:
            result, seconds = run.result()
            found += len(result.findings)
            _tell(name, result, seconds)
    kinds, files = len(site.kinds()), sum(1 for file in site.root.rglob("*") if file.is_file())
    words = f"{found} finding{'' if found == 1 else 's'}" if found else "nothing found"
    print(
        f"{len(checks)} checks over {files:,} files, {kinds} kinds of page: {words}, {time.monotonic() - began:.0f} s"
    )
    return 1 if found else 0


def _timed(check: Callable[[Site], Result], site: Site) -> tuple[Result, float]:
    began = time.monotonic()
    try:
        result = check(site)
    except Exception as fault:  # A check that could not be made is no check passed, and the others go on.
        result = Result(counted="could not be made")
        result.add(check.__name__, f"{type(fault).__name__}: {fault}")
    return result, time.monotonic() - began


def _tell(name: str, result: Result, seconds: float) -> None:
    state = "FAILED" if result.findings else "ok"
    print(f"{state:7}{name:29}{result.counted} ({seconds:.0f} s)", flush=True)
    for finding in result.findings[:SHOWN]:
        print(f"         {finding.place}: {finding.what}")
    if len(result.findings) > SHOWN:
        print(f"         and {len(result.findings) - SHOWN} more")


if __name__ == "__main__":
    sys.exit(main())
