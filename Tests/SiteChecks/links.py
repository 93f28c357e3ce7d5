"""Every link of every page leads to a file of the site and to an anchor that stands in it."""

from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from finding import Result
from html_page import HTMLPage
from markdown_page import MarkdownPage
from site_files import Site

OUTWARD = {"http", "https", "mailto"}


def check_html_links(site: Site) -> Result:
    result = Result()
    count = 0
    for file in site.files("html"):
        page = _html(file)
        count += len(page.links)
        for line, address in page.links:
            _check(site, file, line, address, result)
        for anchor in {anchor for anchor in page.ids if page.ids.count(anchor) > 1}:
            result.add(site.place(file), f"the id “{anchor}” stands there more than once")
    result.counted = f"{count:,} links of {len(site.files('html')):,} pages"
    return result


def check_markdown_links(site: Site) -> Result:
    result = Result()
    count = 0
    for file in site.files("md"):
        page = _markdown(file)
        count += len(page.links)
        for line, address in page.links:
            _check(site, file, line, address, result)
    result.counted = f"{count:,} links of {len(site.files('md')):,} files"
    return result


def _check(site: Site, file: Path, line: int, address: str, result: Result) -> None:
    place = f"{site.place(file)}:{line}"
    try:
        parts = urlsplit(address)
    except ValueError:
        return result.add(place, f"“{address}” is no address")
    if parts.scheme:
        if parts.scheme not in OUTWARD:
            result.add(place, f"“{address}” has the scheme {parts.scheme}")
        return None
    if parts.netloc:
        return result.add(place, f"“{address}” leads to another host without saying how")
    base = site.root if parts.path.startswith("/") else file.parent
    target = (base / unquote(parts.path).lstrip("/")).resolve() if parts.path else file
    if target.is_dir():
        target = target / "index.html"
    if not target.is_relative_to(site.root) or not target.is_file():
        result.add(place, f"“{address}” leads to no file")
    elif parts.fragment and unquote(parts.fragment) not in _anchors(target):
        result.add(place, f"“{address}” leads to no such anchor")
    return None


def _anchors(file: Path) -> set[str]:
    if file.suffix == ".html":
        return set(_html(file).ids)
    return _markdown(file).ids if file.suffix == ".md" else set()


@cache
def _html(file: Path) -> HTMLPage:
    return HTMLPage(file)


@cache
def _markdown(file: Path) -> MarkdownPage:
    return MarkdownPage(file)
