"""The files of a site, and the kinds of page among them."""

from pathlib import Path

# A folder named so holds one folder for each thing, and all of these pages are of one kind.
COLLECTIONS = {"apps", "activity", "issues", "releases", "days", "weeks", "compare", "groups"}


class Site:
    """A built site on disk."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    def files(self, extension: str) -> list[Path]:
        return sorted(self.root.rglob("*." + extension))

    def pages(self) -> list[Path]:
        """The HTML files but for those at former addresses, which a browser leaves at once for another one."""
        return [file for file in self.files("html") if b'http-equiv="refresh"' not in file.read_bytes()]

    def place(self, file: Path) -> str:
        """The file's name as findings show it."""
        return file.relative_to(self.root).as_posix()

    def kinds(self) -> dict[str, list[Path]]:
        """The pages by kind, such as `apps/*/days/*/index.html`."""
        kinds: dict[str, list[Path]] = {}
        for page in self.pages():
            kinds.setdefault(self._kind(page), []).append(page)
        return kinds

    def samples(self) -> list[Path]:
        """Of each kind the largest and the smallest page, and the one with the longest words in its address."""
        chosen: list[Path] = []
        for pages in self.kinds().values():
            by_size = sorted(pages, key=lambda page: page.stat().st_size)
            by_name = sorted(pages, key=lambda page: len(page.parent.name))
            for page in (by_size[-1], by_size[0], by_name[-1]):
                if page not in chosen:
                    chosen.append(page)
        return chosen

    def _kind(self, page: Path) -> str:
        parts = list(page.relative_to(self.root).parts)
        for at in range(1, len(parts) - 1):
            if parts[at - 1] in COLLECTIONS:
                parts[at] = "*"
        return "/".join(parts)
