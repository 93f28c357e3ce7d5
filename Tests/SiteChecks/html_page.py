"""What the static checks need of an HTML page: its links, its ids and the words of its main part."""

from html.parser import HTMLParser
from pathlib import Path

ADDRESSES = {"href", "src", "data", "poster", "cite"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class HTMLPage(HTMLParser):
    """A page read once."""

    def __init__(self, file: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[tuple[int, str]] = []
        self.ids: list[str] = []
        self._words: list[str] = []
        self._main = 0
        self._drawing = 0
        self.feed(file.read_text("utf-8"))
        self.close()

    @property
    def main_text(self) -> str:
        """The words between <main> and </main> without those inside drawings."""
        return " ".join(self._words)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value is not None:
                self.ids.append(value)
            if name in ADDRESSES and value is not None:
                self.links.append((self.getpos()[0], value))
        if tag in VOID:
            return
        self._main += tag == "main"
        self._drawing += tag == "svg"

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        self._main -= tag == "main"
        self._drawing -= tag == "svg"

    def handle_data(self, data: str) -> None:
        if self._main and not self._drawing:
            self._words.append(data)
