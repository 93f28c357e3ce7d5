"""A single file has the fonts, pictures and style sheets of its theme inside, as browsers take them, and loads nothing."""

from browser import chromium
from finding import Result
from playwright.sync_api import ConsoleMessage, Page
from site_files import Site

# Made by make-site.sh with the theme `probe`, next to the site.
FILE = "single.html"
# What each sheet of the theme says, on the screen and on paper.
EXPECTED = {
    "screen": {"layer": "brand", "base": "yes", "deeper": "yes", "paper": "", "never": ""},
    "print": {"layer": "brand", "base": "", "deeper": "", "paper": "yes", "never": ""},
}
VALUES = """
names => Object.fromEntries(names.map(name =>
    [name, getComputedStyle(document.documentElement).getPropertyValue(`--probe-${name}`).trim()]))
"""
# The only letter of the font is three times as wide as high.
FONT = """
async () => {
    await document.fonts.load("100px Probe", "A");
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = "100px Probe";
    return Math.round(pen.measureText("A").width);
}
"""
PICTURE = """
async () => {
    const address = getComputedStyle(document.body).backgroundImage.match(/^url\\("(.*)"\\)$/)?.[1] ?? "";
    const picture = new Image();
    picture.src = address;
    await picture.decode().catch(() => {});
    return [address.slice(0, 19), picture.naturalWidth];
}
"""


def check_single_file(site: Site) -> Result:
    result = Result()
    file = site.root.parent / FILE
    if not file.is_file():
        result.add(FILE, "is missing")
        return result
    messages: list[str] = []
    requests: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        messages.append(f"console, {message.type}: {message.text}")

    with chromium() as browser:
        page = browser.new_page(color_scheme="light")
        page.on("console", hear)
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(file.as_uri())
        _compare(page, result)
    for message in messages:
        result.add(FILE, message)
    for address in sorted(set(requests)):
        if address != file.as_uri() and not address.startswith("data:"):
            result.add(FILE, f"asked for {address}")
    result.counted = f"{file.stat().st_size:,} bytes, {len(requests)} requests"
    return result


def _compare(page: Page, result: Result) -> None:
    page.emulate_media(media="screen")
    if (width := page.evaluate(FONT)) != 300:
        result.add(FILE, f"the font of the theme was not applied: a letter is {width} wide, not 300")
    if (picture := page.evaluate(PICTURE)) != ["data:image/svg+xml;", 7]:
        result.add(FILE, f"the picture of the theme was not applied: {picture}")
    for media, values in EXPECTED.items():
        page.emulate_media(media=media)
        for name, value in page.evaluate(VALUES, list(values)).items():
            if value != values[name]:
                result.add(FILE, f"--probe-{name} is “{value}” in {media}, not “{values[name]}”")
