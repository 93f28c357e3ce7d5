"""Every page with the style sheets that it shows on a screen stays small enough for a slow connection."""

import re
from pathlib import Path

from finding import Result
from site_files import Site

LIMIT = 60_000
LINK = re.compile(r"<link\b[^>]*>")


def check_sizes(site: Site) -> Result:
    result = Result()
    overviews = site.kinds().get("apps/*/index.html", [])
    if not overviews:
        result.add(".", "there is no page of an app")
        return result
    sizes = {page: page.stat().st_size + style_size(page, site.root) for page in site.files("html")}
    for page, size in sizes.items():
        if size > LIMIT:
            result.add(site.place(page), f"{size:,} bytes with its style sheets; {LIMIT:,} are allowed")
    largest = max(sizes[page] for page in overviews)
    result.counted = (
        f"{len(sizes)} pages, the largest {max(sizes.values()):,} bytes with its style sheets, of an app {largest:,}"
    )
    return result


def style_size(page: Path, root: Path) -> int:
    """The bytes of the style sheets that a page links, without those for paper alone."""
    links = [link for link in LINK.findall(page.read_text()) if 'rel="stylesheet"' in link]
    sheets = [re.search(r'href="([^"]*)"', link) for link in links if 'media="print"' not in link]
    addresses = [sheet.group(1) for sheet in sheets if sheet]
    files = [root / address[1:] if address.startswith("/") else page.parent / address for address in addresses]
    # One that is not there is told by the check of links.
    return sum(file.stat().st_size for file in files if file.is_file())
