"""Debian's Chromium, without a window, spoken to through the DevTools protocol."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from playwright.sync_api import Browser, sync_playwright

WIDTHS = (390, 768, 900, 1280)
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


@contextmanager
def chromium(*flags: str) -> Iterator[Browser]:
    """A browser that lives as long as the block; CHROMIUM names another program than Debian's."""
    with sync_playwright() as driver:
        program = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = driver.chromium.launch(executable_path=program, args=list(flags))
        try:
            yield browser
        finally:
            browser.close()
