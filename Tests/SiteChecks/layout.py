"""At the width of a phone, a tablet and a desk, light and dark, nothing is wider than the page."""

from pathlib import Path

from browser import SCHEMES, WIDTHS, chromium
from finding import Result
from playwright.sync_api import Page
from server import served
from site_files import Site

OVERFLOW = (Path(__file__).parent / "overflow.js").read_text("utf-8")


def overflow(page: Page) -> list[str]:
    found: list[str] = page.evaluate(OVERFLOW)
    return found


def from_right_to_left(page: Page) -> int:
    """How wide the page is in a layout of a language that is written from right to left."""
    width: int = page.evaluate(
        "() => { const root = document.documentElement; root.dir = 'rtl'; const width = root.scrollWidth;"
        " root.removeAttribute('dir'); return width }"
    )
    return width


def check_layout(site: Site) -> Result:
    result = Result()
    pages = site.samples()
    with served(site.root) as origin, chromium() as browser:
        page = browser.new_page()
        for file in pages:
            page.goto(f"{origin}/{site.place(file)}")
            page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                for scheme in SCHEMES:
                    page.emulate_media(color_scheme=scheme)
                    for what in overflow(page):
                        result.add(f"{site.place(file)} at {width} px, {scheme}", what)
                if from_right_to_left(page) > width:
                    result.add(f"{site.place(file)} at {width} px", "from right to left it is wider than the window")
    result.counted = f"{len(pages)} pages at {', '.join(map(str, WIDTHS))} px, light and dark"
    return result
