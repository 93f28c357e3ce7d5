"""axe-core finds no violation, in light and dark, on a phone and at a desk."""

from importlib.resources import files

from browser import SCHEMES, chromium
from finding import Result
from playwright.sync_api import Page
from server import served
from site_files import Site

# Rules of WCAG 2.2 that axe leaves off unless they are asked for.
RUN = "() => axe.run(document, {resultTypes: ['violations'], rules: {'target-size': {enabled: true}}})"


def check_axe(site: Site) -> Result:
    result = Result()
    rules: set[str] = set()
    pages = site.samples()
    source = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
    with served(site.root) as origin, chromium() as browser:
        # The pages' policy lets no script in, so the checker is put past it.
        for scheme, width in zip(SCHEMES, (1280, 390), strict=True):
            context = browser.new_context(
                bypass_csp=True, color_scheme=scheme, viewport={"width": width, "height": 900}
            )
            page = context.new_page()
            for file in pages:
                page.goto(f"{origin}/{site.place(file)}")
                page.evaluate(source)
                rules |= _run(page, f"{site.place(file)} at {width} px, {scheme}", result)
    result.counted = f"{len(pages)} pages, {len(rules)} rules, light and dark"
    return result


def _run(page: Page, place: str, result: Result) -> set[str]:
    outcome = page.evaluate(RUN)
    for violation in outcome["violations"]:
        for node in violation["nodes"][:3]:
            result.add(place, f"{violation['id']}: {violation['help']}; {node['html'][:160]}")
    return {rule["id"] for rule in outcome["violations"] + outcome["passes"]}
