"""Each number in the main part of an HTML page is in its Markdown version."""

import re

from finding import Result
from html_page import HTMLPage
from site_files import Site

NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def check_markdown_numbers(site: Site) -> Result:
    result = Result()
    count = 0
    for file in site.pages():
        markdown = file.with_suffix(".md")
        if not markdown.is_file():
            result.add(site.place(file), "has no Markdown version")
            continue
        numbers = set(NUMBER.findall(HTMLPage(file).main_text))
        count += len(numbers)
        # Markdown escapes what Markdown would read as its own signs.
        missing = numbers - set(NUMBER.findall(markdown.read_text("utf-8").replace("\\", "")))
        if missing:
            result.add(site.place(markdown), "lacks numbers of the page: " + ", ".join(sorted(missing)[:12]))
    result.counted = f"{count:,} numbers of {len(site.pages()):,} pages"
    return result
