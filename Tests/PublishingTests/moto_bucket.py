"""A bucket of moto's that checks signatures and rights.

usage: moto_bucket.py PORT FILE; writes the key that may use the bucket `reports` to FILE when it is ready.
"""

import json
import os
import sys
import time

# Making the user, its right, its key and the bucket; everything after is checked.
os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "4"
os.environ.update(AWS_ACCESS_KEY_ID="x", AWS_SECRET_ACCESS_KEY="x", AWS_DEFAULT_REGION="us-east-1")
for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "http_proxy", "HTTP_PROXY"):
    os.environ.pop(name, None)

try:
    import boto3
    from moto.server import ThreadedMotoServer
except ImportError:
    sys.exit(77)

port, file = int(sys.argv[1]), sys.argv[2]
server = ThreadedMotoServer(ip_address="127.0.0.1", port=port, verbose=False)
server.start()
where = {"endpoint_url": f"http://127.0.0.1:{port}"}
iam = boto3.client("iam", **where)
iam.create_user(UserName="report")
names = ["arn:aws:s3:::reports", "arn:aws:s3:::reports/*"]
actions = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:ListBucket"]
statement = {"Effect": "Allow", "Action": actions, "Resource": names}
policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
iam.put_user_policy(UserName="report", PolicyName="publish", PolicyDocument=policy)
key = iam.create_access_key(UserName="report")["AccessKey"]
boto3.client("s3", **where).create_bucket(Bucket="reports")
with open(file + ".new", "w", encoding="utf-8") as out:
    json.dump({"id": key["AccessKeyId"], "secret": key["SecretAccessKey"]}, out)
os.rename(file + ".new", file)
while True:
    time.sleep(3600)
