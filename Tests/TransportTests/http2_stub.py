"""A small HTTP/2 server over TLS that goes away in the middle: prints ACCEPT host:port, then serves for ever.

usage: http2_stub.py CERTIFICATE KEY MODE
  polite  answers each first request of a connection, then says GOAWAY
  rude    says GOAWAY with no stream served on the first two connections, then serves
  broken  says GOAWAY in the middle of every body
"""

import socket
import ssl
import sys
import threading

import h2.config
import h2.connection
import h2.events


def serve(peer, mode, number):
    connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
    connection.initiate_connection()
    peer.sendall(connection.data_to_send())
    while True:
        data = peer.recv(65536)
        if not data:
            return
        for event in connection.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                answer(connection, event, mode, number)
                peer.sendall(connection.data_to_send())
                if mode == "polite":
                    # Closing with bytes unread would reset the connection, answer and all.
                    while peer.recv(65536):
                        pass
                if mode != "rude" or number <= 2:
                    return
        peer.sendall(connection.data_to_send())


def answer(connection, event, mode, number):
    if mode == "rude" and number <= 2:
        connection.close_connection(last_stream_id=0)
        return
    path = dict(event.headers)[b":path"].decode() if isinstance(event.headers[0][0], bytes) else dict(event.headers)[":path"]
    body = ("answer to " + path).encode()
    length = len(body) if mode != "broken" else 1000
    connection.send_headers(event.stream_id, [(":status", "200"), ("content-length", str(length))])
    connection.send_data(event.stream_id, body, end_stream=mode != "broken")
    if mode != "rude":
        connection.close_connection(last_stream_id=event.stream_id)


def connection_of(peer, context, mode, number):
    try:
        with context.wrap_socket(peer, server_side=True) as secure:
            serve(secure, mode, number)
    except OSError:
        pass


def main():
    certificate, key, mode = sys.argv[1:]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2"])
    listener = socket.create_server(("127.0.0.1", 0))
    print("ACCEPT 127.0.0.1:%d" % listener.getsockname()[1], flush=True)
    number = 0
    while True:
        peer, _ = listener.accept()
        number += 1
        threading.Thread(target=connection_of, args=(peer, context, mode, number), daemon=True).start()


main()
