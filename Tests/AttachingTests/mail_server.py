"""A mail server on loopback (aiosmtpd) that keeps what it takes and prints it as lines of JSON.

Usage: mail_server.py MODE [CERTIFICATE KEY]. Prints {"port": N} first. Ends with 77 where aiosmtpd is missing.
MODE: starttls or tls with a login (user 'plimsoll', password 'pass word'), plain without one, own with TLS for clients
that show CERTIFICATE; and with a fault:
refuse (550 to every recipient), busy (451), partly and partly-busy (the same to dead@example.com alone), greylist (450 to
dead@example.com, the first time), large (552 after the mail), cut (the connection goes after the mail).
"""
import asyncio
import base64
import json
import ssl
import sys

try:
    from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword
except ImportError:
    sys.exit(77)

mode = sys.argv[1]
seen = set()


def say(value):
    print(json.dumps(value), flush=True)


class Handler:
    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        session.host_name = hostname
        return responses

    async def handle_RCPT(self, server, session, envelope, address, options):
        if mode == "refuse":
            return "550 5.7.1 no such user, my password is pass word"
        if mode == "partly" and address.startswith("dead@"):
            return "550-5.1.1 The account does not exist.\r\n550 5.1.1 my password is pass word"
        if mode == "busy" or mode == "partly-busy" and address.startswith("dead@"):
            return "451 4.7.1 try again later"
        if mode == "greylist" and address.startswith("dead@") and address not in seen:
            seen.add(address)
            return "450 4.2.0 greylisted"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        say({
            "from": envelope.mail_from, "to": envelope.rcpt_tos, "hello": session.host_name,
            "data": envelope.original_content.decode("utf-8", "surrogateescape"),
            "tls": session.ssl is not None or mode in ("tls", "own"),
            "user": (session.auth_data.login.decode() if session.auth_data else None),
        })
        if mode == "large":
            return "552 5.3.4 message too big"
        if mode == "cut":
            server.transport.abort()
            return "250 OK"
        return "250 OK"


def authenticate(server, session, envelope, mechanism, data):
    good = isinstance(data, LoginPassword) and data.login == b"plimsoll" and data.password == b"pass word"
    if good:
        return AuthResult(success=True, handled=True, auth_data=data)
    line = base64.b64encode(b"\0" + data.login + b"\0" + data.password).decode()
    return AuthResult(success=False, handled=False, message=f"535 5.7.8 authentication failed: {line}")


async def main():
    context = None
    if len(sys.argv) > 3:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(sys.argv[2], sys.argv[3])
        if mode == "own":
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(sys.argv[2])
    starts = mode == "starttls"
    secured = mode in ("starttls", "tls")

    def factory():
        return SMTP(
            Handler(), hostname="mail.test", tls_context=context if starts else None,
            require_starttls=starts, authenticator=authenticate if secured else None,
            auth_required=secured, auth_require_tls=starts)

    loop = asyncio.get_running_loop()
    server = await loop.create_server(factory, "127.0.0.1", 0, ssl=context if mode in ("tls", "own") else None)
    say({"port": server.sockets[0].getsockname()[1]})
    await server.serve_forever()


asyncio.run(main())
