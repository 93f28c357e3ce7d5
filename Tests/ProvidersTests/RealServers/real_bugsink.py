"""Runs a real Bugsink on loopback for one test, until standard input ends.

    python3 real_bugsink.py FOLDER

FOLDER keeps a virtual environment with Bugsink from PyPI (made once; it needs the network then). The server
gets a database and a port of its own, some events through Sentry's SDK for Python, and some triage through
its API; a second project gets four weeks of events, while the server's clock is set back. One line of JSON on
standard output then tells where it is, and the file with one row for each event of those weeks; {"skip": reason}
when there can be none.
"""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

VERSION = "2.6.2"
FOLDER = pathlib.Path(sys.argv[1]).resolve()
BIN = FOLDER / "bugsink" / "bin"

EVENTS = """
import sys
import sentry_sdk
from sentry_sdk.utils import event_from_exception

class ApplicationNotResponding(Exception): pass

def paint(stroke): return [][stroke]
def sync(page): raise ConnectionError("the request timed out")
def layout(page): raise ApplicationNotResponding("blocked for 5 s")

def send(call, handled, user, release):
    sentry_sdk.get_client().options["release"] = release
    sentry_sdk.set_user({"id": user} if user else None)
    try:
        call(7)
    except Exception:
        event, hint = event_from_exception(
            sys.exc_info(), client_options=sentry_sdk.get_client().options,
            mechanism={"type": "test", "handled": handled})
        event["level"] = "error" if handled else "fatal"
        sentry_sdk.capture_event(event, hint=hint)

sentry_sdk.init(sys.argv[1], default_integrations=False, auto_session_tracking=False)
old, new = "com.example.sketchbook@4.1.0+350", "com.example.sketchbook@4.2.0+360"
for number in range(9): send(paint, False, f"user-{number % 4}", old if number < 3 else new)
for number in range(4): send(sync, True, None, new)
for number in range(2): send(layout, False, "user-1", new)
sentry_sdk.capture_message("Low on <b>space</b>")
sentry_sdk.flush(timeout=60)
"""

HISTORY = """
import datetime, json, random, sys, time
import sentry_sdk
from sentry_sdk.utils import event_from_exception

dsn, clock, truth = sys.argv[1:]
rng = random.Random(7)
faults = [type(f"Fault{number:02}", (Exception,), {}) for number in range(45)]
weights = [1 / (number + 1) ** 0.8 for number in range(45)]
sentry_sdk.init(dsn, default_integrations=False, auto_session_tracking=False)
rows = []

def send(number, day):
    release = ("1.0", "10") if day > 18 else ("1.1", "14") if day > 6 or rng.random() < 0.3 else ("1.2", "21")
    handled, user = number % 5 == 4, f"user-{rng.randrange(60)}"
    sentry_sdk.get_client().options["release"] = f"com.example.tidepool@{release[0]}+{release[1]}"
    sentry_sdk.set_user({"id": user})
    try:
        raise faults[number](f"step {number}")
    except Exception:
        event, hint = event_from_exception(
            sys.exc_info(), client_options=sentry_sdk.get_client().options,
            mechanism={"type": "test", "handled": handled})
        event["level"] = "error" if handled else "fatal"
        event["fingerprint"] = [f"fault-{number}"]
        sentry_sdk.capture_event(event, hint=hint)
    return {"title": f"Fault{number:02}: step {number}", "user": user, "handled": handled, "version": release[0],
            "build": release[1]}

midnight = datetime.datetime.now(datetime.timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0)
for day in range(27, 0, -1):
    for hour in (10, 22):
        when = midnight - datetime.timedelta(days=day) + datetime.timedelta(hours=hour, minutes=30)
        with open(clock, "w") as file: file.write(str(when.timestamp() - time.time()))
        for number in rng.choices(range(45), weights, k=rng.randrange(0, 9)):
            if number > 20 and day > 2 * (45 - number): continue
            rows.append({**send(number, day), "day": when.date().isoformat()})
        sentry_sdk.flush(timeout=60)
with open(clock, "w") as file: file.write("0")
with open(truth, "w") as file: json.dump(rows, file)
"""

# What gunicorn serves: the server, with its clock moved by the seconds that a file names.
MOVED = """
import os, time
import time_machine
from bugsink.wsgi import application as bugsink

clock = time.time

def application(environment, start):
    with open(os.environ["CLOCK_FILE"]) as file: seconds = float(file.read() or 0)
    if not seconds: return bugsink(environment, start)
    with time_machine.travel(clock() + seconds, tick=True):
        return [b"".join(bugsink(environment, start))]
"""


def skip(reason):
    print(json.dumps({"skip": reason}), flush=True)
    sys.exit(0)


def run(*command, **more):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True, **more).stdout


def install():
    """Bugsink may ask for a newer certifi than the index has; the one there is will do on loopback.

    The last step leaves a mark: an installation that was ended in the middle is made anew.
    """
    mark = FOLDER / "bugsink" / f"complete-{VERSION}-with-clock"
    if mark.exists():
        return
    shutil.rmtree(FOLDER / "bugsink", ignore_errors=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    run(sys.executable, "-m", "venv", FOLDER / "bugsink")
    run(BIN / "pip", "install", "--quiet", "--no-deps", f"bugsink=={VERSION}")
    code = "from importlib.metadata import requires; print(*[r for r in requires('bugsink') if 'extra ==' not in r], sep='\\n')"
    needs = [line for line in run(BIN / "python", "-c", code).split("\n") if line and not line.startswith("certifi")]
    run(BIN / "pip", "install", "--quiet", "certifi", "time-machine", *needs)
    mark.touch()


def configure(home, port):
    run(BIN / "bugsink-create-conf", "--template=local", "--host", "127.0.0.1", "--port", port, "-o", home / "bugsink_conf.py")
    with open(home / "bugsink_conf.py", "a") as conf:
        conf.write(f"""
BUGSINK["PHONEHOME"] = False
BUGSINK["BASE_URL"] = "http://127.0.0.1:{port}"
BUGSINK["INGEST_STORE_BASE_DIR"] = "{home}/ingestion"
BUGSINK["MAX_EVENTS_PER_PROJECT_PER_HOUR"] = 1_000_000
BUGSINK["MAX_EVENTS_PER_HOUR"] = 1_000_000
DATABASES["default"]["NAME"] = "{home}/db.sqlite3"
DATABASES["snappea"]["NAME"] = "{home}/snappea.sqlite3"
""")


def main():
    try:
        install()
    except (subprocess.CalledProcessError, OSError) as error:
        skip(f"Bugsink {VERSION} cannot be installed: {(getattr(error, 'stderr', None) or str(error))[-300:]}")
    home = pathlib.Path(tempfile.mkdtemp(prefix="bugsink-"))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    configure(home, port)
    clock = home / "clock"
    clock.write_text("0")
    (home / "moved.py").write_text(MOVED)
    environment = dict(
        os.environ, PYTHONPATH=str(home), DJANGO_SETTINGS_MODULE="bugsink_conf", NO_PROXY="127.0.0.1",
        CLOCK_FILE=str(clock))
    run(BIN / "bugsink-manage", "migrate", "-v0", env=environment, cwd=home)
    run(BIN / "bugsink-manage", "migrate", "-v0", "--database=snappea", env=environment, cwd=home)
    token = run(BIN / "bugsink-manage", "create_auth_token", env=environment, cwd=home).strip().split("\n")[-1]
    log = open(home / "server.log", "w")
    server = subprocess.Popen(
        [BIN / "gunicorn", "--bind", f"127.0.0.1:{port}", "--workers", "1", "--threads", "1", "--timeout", "0",
         "moved:application"],
        env=environment, cwd=home, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        serve(home, port, token, clock)
    finally:
        # The whole group at once: a worker with an open connection outlives its master, and nothing is kept.
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
        shutil.rmtree(home, ignore_errors=True)


def serve(home, port, token, clock):
    origin = f"http://127.0.0.1:{port}"
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def call(path, body=None, method=None):
        request = urllib.request.Request(
            f"{origin}/api/canonical/0/{path}", data=None if body is None else json.dumps(body).encode(), method=method,
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        return json.loads(opener.open(request, timeout=30).read())

    for _ in range(300):
        try:
            opener.open(f"{origin}/health/ready", timeout=5)
            break
        except OSError:
            time.sleep(0.1)
    team = call("teams/", {"name": "Harbour"})["id"]
    call("projects/", {"team": team, "name": "Tidepool"})
    call("projects/", {"team": team, "name": "Sketchbook iOS"})
    projects = call("projects/")["results"]
    project = [p for p in projects if p["name"] == "Sketchbook iOS"][0]
    past = [p for p in projects if p["name"] == "Tidepool"][0]
    (home / "history.py").write_text(HISTORY)
    run(BIN / "python", home / "history.py", past["dsn"], clock, home / "truth.json",
        env=dict(os.environ, NO_PROXY="127.0.0.1"), timeout=300)
    (home / "events.py").write_text(EVENTS)
    run(BIN / "python", home / "events.py", project["dsn"], env=dict(os.environ, NO_PROXY="127.0.0.1"), timeout=120)
    path = f"issues/?project={project['id']}&sort=digested_event_count&order=desc"
    for _ in range(300):
        issues = call(path)["results"]
        if sum(issue["digested_event_count"] for issue in issues) >= 16:
            break
        time.sleep(0.1)
    call("issue-comments/", {"issue": issues[0]["id"], "comment": "Seen when the <b>last</b> stroke is undone."})
    call(f"issues/{issues[1]['id']}/resolve-latest/", {}, "POST")
    call(f"issues/{issues[2]['id']}/mute/", {}, "POST")
    sent = len(json.loads((home / "truth.json").read_text()))
    for _ in range(300):
        issues = call(f"issues/?project={past['id']}")["results"]
        if sum(issue["digested_event_count"] for issue in issues) >= sent:
            break
        time.sleep(0.1)
    print(json.dumps({
        "origin": origin, "token": token, "project": project["slug"], "dsn": project["dsn"], "past": past["slug"],
        "truth": str(home / "truth.json")}), flush=True)
    sys.stdin.read()


main()
