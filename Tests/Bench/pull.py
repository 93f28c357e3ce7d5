"""The naive way: pulls the events of an app from a ClickHouse server and counts them itself.

usage: pull.py URL FIRST-DAY
"""
import collections
import sys
import urllib.request


def rows(origin, query):
    request = urllib.request.Request(
        f"{origin}/?database=health", data=f"{query} FORMAT TabSeparated".encode(),
        headers={"X-ClickHouse-User": "report"})
    with urllib.request.urlopen(request) as answer:
        for line in answer:
            yield line.decode().rstrip("\n").split("\t")


def main(origin, first):
    sessions, crashed, users, affected = (collections.defaultdict(set) for _ in range(4))
    for day, release, session, user, has_crashed in rows(
            origin, f"SELECT day, release, session, user, crashed FROM sessions WHERE app = 'bench' AND day >= '{first}'"):
        for key in ((day, ""), (day, release)):
            sessions[key].add(session)
            users[key].add(user)
            if has_crashed == "1":
                crashed[key].add(session)
                affected[key].add(user)
    events, met = (collections.defaultdict(set) for _ in range(2))
    for day, release, issue, event, user in rows(
            origin, f"SELECT day, release, issue, event, user FROM crashes WHERE app = 'bench' AND day >= '{first}'"):
        for key in ((issue, day, ""), (issue, day, release)):
            events[key].add(event)
            met[key].add(user)
    for key in sorted(sessions):
        print(*key, len(sessions[key]), len(crashed[key]), len(users[key]), len(affected[key]), sep="\t")
    for key in sorted(events):
        print(*key, len(events[key]), len(met[key]), sep="\t")


main(*sys.argv[1:])
