"""An app's page with the style sheets that it shows on a screen stays small enough for a slow connection."""

import re
from pathlib import Path

from finding import Result
from site_files import Site

LIMIT = 60_000
LINK = re.compile(r"<link\b[^>]*>")


def check_sizes(site: Site) -> Result:
    result = Result()
    pages = site.kinds().get("apps/*/index.html", [])
    sizes = {page: page.stat().st_size + style_size(page) for page in pages}
    if not sizes:
        result.add(".", "there is no page of an app")
        return result
    for page, size in sizes.items():
        if size > LIMIT:
            result.add(site.place(page), f"{size:,} bytes with its style sheets; {LIMIT:,} are allowed")
    result.counted = f"{len(pages)} app pages, the largest {max(sizes.values()):,} bytes with its style sheets"
    return result


def style_size(page: Path) -> int:
    """The bytes of the style sheets that a page links, without those for paper alone."""
    links = [link for link in LINK.findall(page.read_text()) if 'rel="stylesheet"' in link]
    sheets = [re.search(r'href="([^"]*)"', link) for link in links if 'media="print"' not in link]
    return sum((page.parent / sheet.group(1)).stat().st_size for sheet in sheets if sheet)
