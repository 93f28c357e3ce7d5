"""A page says the same with scripts turned off."""

from browser import chromium
from finding import Result
from server import served
from site_files import Site


def check_scripts_off(site: Site) -> Result:
    result = Result()
    pages = site.samples()
    with served(site.root) as origin, chromium() as browser:
        on = browser.new_context(java_script_enabled=True).new_page()
        off = browser.new_context(java_script_enabled=False).new_page()
        for file in pages:
            texts = []
            for page in (on, off):
                page.goto(f"{origin}/{site.place(file)}")
                texts.append(page.locator("body").inner_text())
            if texts[0] != texts[1]:
                result.add(site.place(file), "its text differs when scripts are off")
            if not texts[1].strip():
                result.add(site.place(file), "it has no text when scripts are off")
            if on.locator("script").count():
                result.add(site.place(file), "it holds a script")
    result.counted = f"{len(pages)} pages"
    return result
