"""Under the strict policy, and from disk, pages load whole, say nothing in the console and ask no other host."""

import json
import tempfile
from pathlib import Path

from browser import chromium
from finding import Result
from playwright.sync_api import ConsoleMessage, Page
from server import served
from site_files import Site

VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", event =>
    window.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`));
"""
# What comes is no font: whether it may be asked for is what counts.
FONT = """
async address => {
    await new FontFace("probe", `url(${address})`).load().catch(() => {});
    // Violations are reported in a task of their own: after the frame that follows all have been.
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return window.violations.filter(violation => violation.startsWith("font-src"));
}
"""
UNSTYLED = "() => getComputedStyle(document.querySelector('.skip')).position !== 'absolute'"


def check_policy(site: Site) -> Result:
    result = Result()
    requests: list[str] = []
    pages = site.samples()
    with tempfile.TemporaryDirectory() as folder, served(site.root) as origin:
        log = Path(folder) / "net.json"
        with chromium(f"--log-net-log={log}") as browser:
            context = browser.new_context(color_scheme="light")
            context.add_init_script(VIOLATIONS)
            context.on("request", lambda request: requests.append(request.url))
            page = context.new_page()
            for file in pages:
                _visit(page, f"{origin}/{site.place(file)}", site.place(file), result)
                for violation in page.evaluate(FONT, f"{origin}/status.json"):
                    result.add(site.place(file), f"a font of the theme would not load: {violation}")
            _visit_missing(page, f"{origin}/apps/no/such/page", result)
        requests += _logged(log)
    for address in sorted({address for address in requests if not address.startswith((origin, "data:"))}):
        result.add("another origin was asked", address)
    result.counted = f"{len(pages)} pages, {len(requests):,} requests in the browser’s log"
    return result


def check_disk(site: Site) -> Result:
    result = Result()
    pages = site.samples()
    with chromium() as browser:
        for file in pages:
            # A tab for each page: what one could not load is said late, while the next is already open.
            page = browser.new_page()
            # The page for missing addresses also names its style from the site's root, where a server has it.
            _visit(page, file.as_uri(), site.place(file), result, errors=file.name != "404.html")
            page.close()
    result.counted = f"{len(pages)} pages"
    return result


def _visit(page: Page, address: str, place: str, result: Result, errors: bool = True) -> None:
    messages: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        messages.append(f"console, {message.type}: {message.text}")

    page.on("console", hear)
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.goto(address)
    messages += page.evaluate("window.violations ?? []")
    if page.evaluate(UNSTYLED):
        result.add(place, "the style sheet was not applied")
    page.remove_listener("console", hear)
    for message in messages if errors else []:
        result.add(place, message)


def _visit_missing(page: Page, address: str, result: Result) -> None:
    response = page.goto(address)
    if response is None or response.status != 404:
        result.add("404.html", "the server did not answer 404; the check is wrong")
    if page.evaluate(UNSTYLED):
        result.add("404.html", "no style sheet was applied deep in the site")


def _logged(log: Path) -> list[str]:
    """The addresses that pages asked for, in the browser's own log of its network.

    What the browser asks on its own account, such as for its updates, has no origin as its initiator.
    """
    events = json.loads(log.read_text("utf-8"))["events"]
    parameters = [event.get("params", {}) for event in events]
    return [
        one["url"] for one in parameters if "url" in one and one.get("initiator", "not an origin") != "not an origin"
    ]
