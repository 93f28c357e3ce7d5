"""OpenSSH's server for files, whose connections are cut after so many requests of all of them together.

usage: sftp_cut.py FOLDER SERVER [ARGUMENT...]; FOLDER/count counts the requests, FOLDER/limit says after which one
they are cut, or, where there is FOLDER/silent, get no answer.
"""

import fcntl
import os
import signal
import struct
import subprocess
import sys

folder = sys.argv[1]
server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE)


def is_allowed():
    """Counts one more request of any connection."""
    with open(f"{folder}/count", "a+", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        count = int(file.read() or "0") + 1
        file.truncate(0)
        file.write(str(count))
        file.flush()
        with open(f"{folder}/limit", encoding="ascii") as limit:
            return count <= int(limit.read())


def cut():
    """Ends the process that holds the connection: a program that ends would leave it open."""
    number = os.getpid()
    name = ""
    while name != "sshd":
        with open(f"/proc/{number}/status", encoding="ascii", errors="replace") as file:
            number = next(int(line.split()[1]) for line in file if line.startswith("PPid:"))
        with open(f"/proc/{number}/comm", encoding="ascii") as file:
            name = file.read().strip()
    server.kill()
    os.kill(number, signal.SIGKILL)


def read(count):
    """So many bytes of the client; fewer at the end."""
    data = b""
    while len(data) < count:
        piece = os.read(0, count - len(data))
        if not piece:
            break
        data += piece
    return data


while True:
    head = read(4)
    if len(head) < 4:
        server.stdin.close()
        break
    body = read(struct.unpack(">I", head)[0])
    if not is_allowed():
        if os.path.exists(f"{folder}/silent"):
            while os.read(0, 1 << 16):
                pass
            server.kill()
        else:
            cut()
        break
    server.stdin.write(head + body)
    server.stdin.flush()
server.wait()
