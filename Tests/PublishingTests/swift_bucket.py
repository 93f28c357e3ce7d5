"""OpenStack Swift with its S3 interface, which checks every signature.

usage: swift_bucket.py PORT FILE; writes the key that may use the bucket `reports` to FILE when it is ready, and its
disk and logs into the folder FILE.d. It ends with 77 where Swift or boto3 is not installed, or where files cannot have
extended attributes. They are in PyPI (swift, boto3) and in Debian (swift-proxy, swift-account, swift-container,
swift-object, python3-boto3).
"""

import getpass
import json
import os
import signal
import socket
import subprocess
import sys
import time

try:
    import boto3
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError, ClientError
    from swift.common.ring import RingBuilder
except ImportError:
    sys.exit(77)

port, file = int(sys.argv[1]), os.path.abspath(sys.argv[2])
folder = file + ".d"
disk = f"{folder}/node/disk"
os.makedirs(disk)
try:
    os.setxattr(disk, "user.plimsoll", b"x")
except OSError:
    sys.exit(77)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def write(name, text):
    with open(f"{folder}/{name}", "w", encoding="utf-8") as out:
        out.write(text)


SHARED = f"""[DEFAULT]
bind_ip = 127.0.0.1
workers = 0
user = {getpass.getuser()}
swift_dir = {folder}
devices = {folder}/node
mount_check = false
fallocate_reserve = 0
disable_fallocate = true
"""
write("swift.conf", "[swift-hash]\nswift_hash_path_suffix = a\nswift_hash_path_prefix = b\n")
kinds = {}
for kind in ["account", "container", "object"]:
    kinds[kind] = free_port()
    builder = RingBuilder(2, 1, 0)
    place = {"ip": "127.0.0.1", "port": kinds[kind]}
    place.update({f"replication_{key}": value for key, value in place.items()})
    builder.add_dev({"id": 0, "region": 1, "zone": 1, "device": "disk", "weight": 1, **place})
    builder.rebalance()
    builder.get_ring().save(f"{folder}/{kind}.ring.gz")
    own = f"[pipeline:main]\npipeline = {kind}-server\n[app:{kind}-server]\nuse = egg:swift#{kind}\n"
    write(f"{kind}.conf", f"{SHARED}bind_port = {kinds[kind]}\n{own}")
write("proxy.conf", f"{SHARED}bind_port = {port}\n" + """
[pipeline:main]
pipeline = catch_errors cache listing_formats s3api tempauth copy slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:tempauth]
use = egg:swift#tempauth
user_report_report = s3cr3t .admin
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
s3_acl = false
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
""")
children = []


def end(*_):
    for child in children:
        child.terminate()
    sys.exit(0)


signal.signal(signal.SIGTERM, end)
for kind in [*kinds, "proxy"]:
    with open(f"{folder}/{kind}.log", "w", encoding="utf-8") as log:
        program = f"{os.path.dirname(sys.executable)}/swift-{kind}-server"
        children.append(
            subprocess.Popen([program, f"{folder}/{kind}.conf", "-v"], stdout=log, stderr=log))
where = {"endpoint_url": f"http://127.0.0.1:{port}", "region_name": "us-east-1",
         "aws_access_key_id": "report:report", "aws_secret_access_key": "s3cr3t"}
s3 = Config(s3={"addressing_style": "path"}, retries={"total_max_attempts": 1})
client = boto3.client("s3", config=s3, **where)
while True:
    try:
        client.create_bucket(Bucket="reports")
        break
    except (BotoCoreError, ClientError):
        # Not all of them answer yet.
        if any(child.poll() is not None for child in children):
            end()
        time.sleep(0.2)
with open(file + ".new", "w", encoding="utf-8") as out:
    json.dump({"id": "report:report", "secret": "s3cr3t"}, out)
os.rename(file + ".new", file)
while all(child.poll() is None for child in children):
    time.sleep(1)
end()
