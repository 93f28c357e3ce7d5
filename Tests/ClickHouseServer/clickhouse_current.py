"""A current ClickHouse engine, chdb, behind the part of the HTTP interface that queries use.

The engine counts, and its errors are its own. It has no server: users, `readonly` and the statuses of errors are checked
here, as ClickHouse documents them. It listens on loopback and ends when the standard input does.
"""

import json
import os
import re
import sys
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from chdb import session

PORT, FOLDER, USERS = int(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
ENGINE = session.Session(FOLDER)
ONE_AT_A_TIME = threading.Lock()
# What belongs to the request; everything else is a setting of the query.
OF_THE_REQUEST = {"query", "query_id", "database", "wait_end_of_query", "readonly"}
READING = re.compile(r"\s*(SELECT|WITH|EXPLAIN|DESCRIBE|SHOW|\()", re.IGNORECASE)
STATUSES = {
    400: {6, 36, 41, 43, 44, 53, 62, 70},
    403: {164, 497, 516},
    404: {16, 46, 47, 60, 81, 115},
    408: {159},
    503: {202, 209, 210},
}


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


class Refusal(Exception):
    def __init__(self, code, text):
        super().__init__(text)
        self.code, self.text = code, text


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode()
        address = urllib.parse.urlsplit(self.path)
        values = dict(urllib.parse.parse_qsl(address.query, keep_blank_values=True))
        try:
            self.answer(200, self.result(body, values))
        except Refusal as refusal:
            status = next((s for s, codes in STATUSES.items() if refusal.code in codes), 500)
            self.answer(status, refusal.text.encode(), refusal.code)

    def result(self, text, values):
        user = USERS.get(self.headers.get("X-ClickHouse-User", "default"))
        if user is None or user["password"] != self.headers.get("X-ClickHouse-Key", ""):
            raise Refusal(516, "Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)")
        if (user["readonly"] or values.get("readonly", "0") != "0") and not READING.match(text):
            raise Refusal(164, "Code: 164. DB::Exception: Cannot execute query in readonly mode. (READONLY)")
        form = re.search(r"\bFORMAT\s+(\w+)\s*$", text)
        with ONE_AT_A_TIME:
            return self.counted(text, form.group(1) if form else "TabSeparated", values)

    def counted(self, text, form, values):
        changed = []
        try:
            ENGINE.query(f"USE `{values.get('database', 'default')}`")
            for name, value in values.items():
                if name not in OF_THE_REQUEST:
                    ENGINE.query(f"SET {name} = {quoted(value)}")
                    changed.append(name)
            answer = ENGINE.query(text, form)
            return answer.bytes() if answer is not None else b""
        except Exception as error:
            code = re.search(r"Code: (\d+)", str(error))
            raise Refusal(int(code.group(1)) if code else 1001, str(error)) from error
        finally:
            for name in changed:
                if not name.startswith("param_"):
                    ENGINE.query(f"SET {name} = DEFAULT")

    def answer(self, status, body, code=None):
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=UTF-8")
        if code is not None:
            self.send_header("X-ClickHouse-Exception-Code", str(code))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def end_with_input():
    sys.stdin.buffer.read()
    os._exit(0)


threading.Thread(target=end_with_input, daemon=True).start()
ThreadingHTTPServer.daemon_threads = True
ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
