"""Each number in the main part of an HTML page stands in its Markdown twin."""

import re

from finding import Result
from html_page import HTMLPage
from site_files import Site

NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def check_twins(site: Site) -> Result:
    result = Result()
    count = 0
    for file in site.files("html"):
        twin = file.with_suffix(".md")
        if not twin.is_file():
            result.add(site.place(file), "has no Markdown twin")
            continue
        numbers = set(NUMBER.findall(HTMLPage(file).main_text))
        count += len(numbers)
        # A twin escapes what Markdown would read as its own signs.
        missing = numbers - set(NUMBER.findall(twin.read_text("utf-8").replace("\\", "")))
        if missing:
            result.add(site.place(twin), "lacks numbers of the page: " + ", ".join(sorted(missing)[:12]))
    result.counted = f"{count:,} numbers of {len(site.files('html')):,} pages"
    return result
