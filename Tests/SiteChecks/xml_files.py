"""Every drawing, feed and site map is well-formed XML, says xmllint."""

import subprocess

from finding import Result
from site_files import Site


def check_xml(site: Site) -> Result:
    files = site.files("svg") + site.files("xml")
    result = Result(counted=f"{len(files):,} files")
    run = subprocess.run(["xmllint", "--noout", "--nonet", *map(str, files)], capture_output=True, text=True)
    for line in run.stderr.splitlines():
        if line.startswith(str(site.root)):
            place, _, what = line.removeprefix(str(site.root) + "/").partition(": ")
            result.add(place, what)
    if run.returncode != 0 and not result.findings:
        result.add(".", f"xmllint ended with {run.returncode}: {run.stderr}")
    return result
