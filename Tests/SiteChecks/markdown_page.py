"""What the static checks need of a Markdown file: its links and the anchors that its headings make."""

import re
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token


class Parser(MarkdownIt):
    """CommonMark with tables that also tells of the links that a renderer would refuse, so that they are found."""

    def validateLink(self, url: str) -> bool:
        return True


PARSER = Parser("commonmark").enable("table")


class MarkdownPage:
    """A Markdown file read once."""

    def __init__(self, file: Path) -> None:
        self.text = file.read_text("utf-8")
        self.links: list[tuple[int, str]] = []
        self.ids: set[str] = set(re.findall(r'<[^>]*\bid="([^"]+)"', self.text))
        tokens = PARSER.parse(self.text)
        for at, token in enumerate(tokens):
            if token.type == "heading_open":
                self._add_anchor(tokens[at + 1].content)
            if token.children:
                self._read(token)

    def _read(self, block: Token) -> None:
        line = block.map[0] + 1 if block.map else 1
        for token in block.children or []:
            address = token.attrGet("href") if token.type == "link_open" else None
            if token.type == "image":
                address = token.attrGet("src")
            if address is not None:
                self.links.append((line, str(address)))

    def _add_anchor(self, heading: str) -> None:
        """An anchor in the manner of GitHub: small letters, hyphens for spaces, a number for what comes again."""
        words = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        anchor, again = words, 0
        while anchor in self.ids:
            again += 1
            anchor = f"{words}-{again}"
        self.ids.add(anchor)
