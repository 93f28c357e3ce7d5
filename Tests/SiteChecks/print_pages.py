"""On paper: always the light palette, nothing cut off, and as many sheets as the content needs."""

import io
from math import ceil
from pathlib import Path

from browser import chromium
from finding import Result
from layout import overflow
from playwright.sync_api import Page, PdfMargins
from pypdf import PdfReader
from server import served
from site_files import Site

PRINT = (Path(__file__).parent / "print.js").read_text("utf-8")
# The printable area in CSS pixels with Chromium's margins of one centimetre.
PAPERS = {"A4": (718, 1047), "Letter": (740, 980)}
MARGIN = PdfMargins(top="1cm", bottom="1cm", left="1cm", right="1cm")


def check_print(site: Site) -> Result:
    result = Result()
    pages = site.samples()
    with served(site.root) as origin, chromium() as browser:
        page = browser.new_page()
        # A reader with a dark screen prints too.
        page.emulate_media(media="print", color_scheme="dark")
        width, height = PAPERS["A4"]
        page.set_viewport_size({"width": width, "height": height})
        for file in pages:
            page.goto(f"{origin}/{site.place(file)}")
            for what in page.evaluate(PRINT) + overflow(page):
                result.add(f"{site.place(file)} on A4", what)
    result.counted = f"{len(pages)} pages for a reader with a dark screen"
    return result


def check_paper(site: Site) -> Result:
    result = Result()
    sheets = dict.fromkeys(PAPERS, 0)
    kinds = site.kinds()
    pages = [min(pages, key=_size) for pages in kinds.values()]
    pages.append(max(kinds["apps/*/index.html"], key=_size))
    with served(site.root) as origin, chromium() as browser:
        page = browser.new_page()
        page.emulate_media(media="print")
        for file in pages:
            page.goto(f"{origin}/{site.place(file)}")
            for paper in PAPERS:
                sheets[paper] += _print(page, paper, f"{site.place(file)} on {paper}", result)
    words = ", ".join(f"{count} sheets of {paper}" for paper, count in sheets.items())
    result.counted = f"{len(pages)} pages, {words}"
    return result


def _size(file: Path) -> int:
    return file.stat().st_size


def _print(page: Page, paper: str, place: str, result: Result) -> int:
    width, height = PAPERS[paper]
    page.set_viewport_size({"width": width, "height": height})
    needed = page.evaluate("document.documentElement.scrollHeight") / height
    printed = PdfReader(io.BytesIO(page.pdf(format=paper, margin=MARGIN))).pages
    # Blocks that are kept whole leave room at the end of a sheet: half as many again, and one.
    if not needed * 0.7 <= len(printed) <= ceil(needed * 1.5) + 1:
        result.add(place, f"{len(printed)} sheets for the height of {needed:.1f}")
    for number, sheet in enumerate(printed, start=1):
        if not sheet.extract_text().strip():
            result.add(place, f"sheet {number} of {len(printed)} is empty")
    return len(printed)
