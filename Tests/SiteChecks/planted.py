"""The checks see what they are for: each finds the fault that is planted for it in a copy of a few pages."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from axe import check_axe
from finding import Result
from keyboard import check_keyboard
from layout import check_layout
from links import check_html_links, check_markdown_links
from nu_html import check_nu_html
from policy import check_disk, check_policy
from print_pages import check_paper, check_print
from scripts_off import check_scripts_off
from site_files import Site
from single_file import FILE, check_single_file
from sizes import check_sizes
from markdown_numbers import check_markdown_numbers
from xml_files import check_xml

PAGE = "apps/planted/index"
ELEMENTS = """
<p id="main">0.000042 <a href="nowhere.html">nowhere</a> <a href="#no-anchor">no anchor</a></p>
<p><a href="#main" tabindex="1">before the skip link</a></p>
<p style="color: red"><img src="https://elsewhere.example/x.png"></p>
<noscript><p>only without scripts</p></noscript>
<hr width="3000">
<div class="scroll"><table><tr><td>wide</td></tr></table></div>
"""
STYLE = """
@media print {
  .scroll {overflow: hidden; width: 20px}
  .scroll table {width: 900px}
  .lede {color: #ccc}
  body::after {content: ""; display: block; break-before: page; height: 10px}
}
"""
FONTS = "font-src 'self' data:; "
# What each check must say of it.
EXPECTED: list[tuple[Callable[[Site], Result], tuple[str, ...]]] = [
    (check_sizes, ("are allowed",)),
    (check_xml, ("parser error",)),
    (check_html_links, ("leads to no file", "no such anchor", "more than once")),
    (check_markdown_links, ("leads to no file", "has the scheme javascript")),
    (check_markdown_numbers, ("0.000042",)),
    (check_nu_html, ("Duplicate ID",)),
    (check_policy, ("img-src", "style-src", "font-src", "elsewhere.example")),
    (check_disk, ("was not applied",)),
    (check_single_file, ("was not applied", "style-src", "elsewhere.example", "in print, not")),
    (check_scripts_off, ("differs",)),
    (check_keyboard, ("before the skip link",)),
    (check_layout, ("px wide in 390",)),
    (check_print, ("is cut off in print", "is printed in")),
    (check_paper, ("is empty",)),
    (check_axe, ("image-alt",)),
]


def check_planted(site: Site) -> Result:
    result = Result()
    with tempfile.TemporaryDirectory() as folder:
        planted = _plant(site, Path(folder) / "site")
        for check, phrases in EXPECTED:
            said = "\n".join(f"{finding.place} {finding.what}" for finding in check(planted).findings)
            for phrase in phrases:
                if phrase not in said:
                    result.add(check.__name__, f"did not find what is planted for it: “{phrase}”")
    result.counted = f"{sum(len(phrases) for _, phrases in EXPECTED)} faults planted"
    return result


def _plant(site: Site, folder: Path) -> Site:
    """A copy of the entry page, the page for wrong addresses and one app's page in HTML and Markdown, all made faulty."""
    shutil.copytree(site.root / "assets", folder / "assets")
    for name in ("index.html", "index.md", "404.html", "404.md"):
        shutil.copy(site.root / name, folder / name)
    page = folder / f"{PAGE}.html"
    page.parent.mkdir(parents=True)
    text = (site.root / "index.html").read_text("utf-8").replace('href="assets/', 'href="../../assets/')
    page.write_text(text.replace(FONTS, "").replace("</main>", ELEMENTS + "</main>"), "utf-8")
    page.with_suffix(".md").write_text("[a](nowhere.md) [b](javascript:c)\n", "utf-8")
    unstyled = folder / "unstyled.html"
    style = next((folder / "assets").glob("site.*.css"))
    unstyled.write_text(text.replace(style.name, "none.css"), "utf-8")
    single = (site.root.parent / FILE).read_text("utf-8")
    single = single.replace("--probe-paper", "--probe-other").replace("</main>", ELEMENTS + "</main>")
    (folder.parent / FILE).write_text(single, "utf-8")
    (folder / "broken.svg").write_text("<svg>", "utf-8")
    style.write_text(style.read_text("utf-8") + STYLE + "/*" + " " * 60_000 + "*/", "utf-8")
    paper = next((folder / "assets").glob("print.*.css"))
    paper.write_text(paper.read_text("utf-8") + STYLE, "utf-8")
    return Site(folder)
