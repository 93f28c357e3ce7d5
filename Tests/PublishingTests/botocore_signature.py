"""Signs requests with botocore: the signatures that S3Signature must make.

Reads a JSON list of requests from standard input, writes a JSON list of Authorization values.
"""

import datetime
import json
import sys

try:
    from botocore import auth, awsrequest, credentials
except ImportError:
    sys.exit(77)


class FixedTime(datetime.datetime):
    @classmethod
    def utcnow(cls):
        return cls.instant

    @classmethod
    def now(cls, tz=None):
        return cls.instant.replace(tzinfo=tz)


def sign(one):
    FixedTime.instant = datetime.datetime.strptime(one["time"], "%Y%m%dT%H%M%SZ")
    module = type("module", (), {"datetime": FixedTime, "timedelta": datetime.timedelta})
    auth.datetime = module if hasattr(auth.datetime, "datetime") else FixedTime
    if hasattr(auth, "get_current_datetime"):
        auth.get_current_datetime = lambda **_: FixedTime.instant
    headers = {name: value for name, value in one["headers"] if name.lower() != "host"}
    request = awsrequest.AWSRequest(
        method=one["method"], url=one["url"], headers=headers, data=one["body"].encode()
    )
    # Hash the body, as over plain HTTP.
    request.context["payload_signing_enabled"] = True
    key = credentials.Credentials(one["key"], one["secret"], one["token"] or None)
    auth.S3SigV4Auth(key, "s3", one["region"]).add_auth(request)
    return request.headers["Authorization"]


print(json.dumps([sign(one) for one in json.load(sys.stdin)]))
