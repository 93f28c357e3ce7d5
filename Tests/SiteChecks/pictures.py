"""Takes the pictures that the README shows from the pages of the demo, small enough for a README."""

from pathlib import Path

from browser import Scheme, chromium
from PIL import Image
from site_files import Site

# Name, page, width and height in CSS pixels, palette.
PICTURES: list[tuple[str, str, int, int, Scheme]] = [
    ("app", "apps/sketchbook/index.html", 1200, 1560, "light"),
    ("portfolio-dark", "index.html", 1200, 1010, "dark"),
    ("release", "apps/sketchbook/releases/4.3.0/index.html", 1200, 1060, "light"),
    ("day-dark", "apps/sketchbook/days/2026-11-18/index.html", 1200, 1010, "dark"),
    ("phone", "apps/sketchbook/index.html", 390, 844, "light"),
    ("phone-dark", "apps/tidepool/index.html", 390, 844, "dark"),
]
COLOURS = 128


def take_pictures(site: Site, folder: Path) -> None:
    with chromium() as browser:
        for name, place, width, height, scheme in PICTURES:
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
            page.goto((site.root / place).as_uri())
            file = folder / f"{name}.png"
            page.screenshot(path=file)
            few = Image.open(file).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
            few.save(file, optimize=True)
            print(f"{file}: {file.stat().st_size:,} bytes")
            page.close()
