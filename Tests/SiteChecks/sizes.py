"""An app's page with its style sheet stays small enough for a slow connection."""

from finding import Result
from site_files import Site

LIMIT = 60_000


def check_sizes(site: Site) -> Result:
    result = Result()
    style = sum(file.stat().st_size for file in site.files("css"))
    pages = site.kinds().get("apps/*/index.html", [])
    sizes = {page: page.stat().st_size + style for page in pages}
    if not sizes:
        result.add(".", "there is no page of an app")
        return result
    for page, size in sizes.items():
        if size > LIMIT:
            result.add(site.place(page), f"{size:,} bytes with its style sheet; {LIMIT:,} are allowed")
    result.counted = f"{len(pages)} app pages, the largest {max(sizes.values()):,} bytes with its style sheet"
    return result
