"""Tab reaches the skip link first, then everything else in the order of the page, and shows where it is."""

from browser import chromium
from finding import Result
from playwright.sync_api import Page
from server import served
from site_files import Site

STEPS = 40
FOCUS = """() => {
    const at = document.activeElement, style = getComputedStyle(at), box = at.getBoundingClientRect();
    return {
        name: [at.tagName.toLowerCase(), at.getAttribute("class")].filter(Boolean).join("."),
        words: at.textContent.trim().slice(0, 40),
        order: [...document.querySelectorAll("*")].indexOf(at),
        outlined: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
        seen: box.width > 0 && box.height > 0 && box.right > 0 && box.left < innerWidth
            && box.bottom > 0 && box.top < innerHeight,
        end: at === document.body,
    };
}"""


def check_keyboard(site: Site) -> Result:
    result = Result()
    stops = 0
    pages = [sorted(pages, key=lambda page: page.stat().st_size)[-1] for pages in site.kinds().values()]
    with served(site.root) as origin, chromium() as browser:
        for width in (390, 1280):
            page = browser.new_page(viewport={"width": width, "height": 800})
            for file in pages:
                page.goto(f"{origin}/{site.place(file)}")
                place = f"{site.place(file)} at {width} px"
                stops += _walk(page, place, result)
                page.goto(f"{origin}/{site.place(file)}")
                _skip(page, place, result)
    result.counted = f"{len(pages)} pages, {stops:,} stops"
    return result


def _walk(page: Page, place: str, result: Result) -> int:
    first = last = -1
    for step in range(STEPS):
        page.keyboard.press("Tab")
        focus = page.evaluate(FOCUS)
        if focus["end"] or focus["order"] == first:
            return step
        what = f"{focus['name']} “{focus['words']}”"
        if step == 0:
            first = focus["order"]
            if focus["name"] != "a.skip":
                result.add(place, f"Tab goes to {what} before the skip link")
        if focus["order"] <= last:
            result.add(place, f"Tab goes back to {what}")
            return step
        if not focus["outlined"]:
            result.add(place, f"{what} has the focus and does not show it")
        if not focus["seen"]:
            result.add(place, f"{what} has the focus and is out of sight")
        last = focus["order"]
    return STEPS


def _skip(page: Page, place: str, result: Result) -> None:
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    if page.evaluate("document.activeElement.id") != "main":
        result.add(place, "the skip link does not lead to the content")
