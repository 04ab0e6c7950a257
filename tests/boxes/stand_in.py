#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""
stand_in.py strangers ADDRESS PORT...       somebody else's servers: greet as such, know no token
stand_in.py proxy refuse|ask|open PORT [NETNS]
stand_in.py resolver ADDRESS SERVER NETNS   asks the name server SERVER, from there, and passes on

A proxy on loopback speaks HTTP (CONNECT and absolute requests) and SOCKS5 on one port. It refuses
everything, asks for credentials, or connects, in the network namespace NETNS. Prints "ready" when
it listens, and ends after a minute if nobody ends it before.
"""

import ctypes
import os
import re
import socket
import sys
import threading
import time

CLONE_NEWNET = 0x40000000
GREETINGS = {21: b"220 files\r\n", 22: b"SSH-2.0-other\r\n", 25: b"220 mail\r\n"}
PAGE = b"HTTP/1.0 200 OK\r\nContent-Length: 7\r\n\r\nblocked"


def serve(server, handle):
    while True:
        connection, _ = server.accept()
        threading.Thread(target=handle, args=(connection,), daemon=True).start()


def start(address, port, handle):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    server = socket.create_server((address, port), family=family)
    threading.Thread(target=serve, args=(server, handle), daemon=True).start()


def greet(port):
    def handle(connection):
        with connection:
            connection.sendall(GREETINGS.get(port, b""))
            connection.recv(200)
            if port not in GREETINGS:
                connection.sendall(PAGE)
    return handle


def answer_names(address):
    """A resolver that answers every query that there is no such name."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    server = socket.socket(family, socket.SOCK_DGRAM)
    server.bind((address, 53))

    def answer():
        while True:
            query, sender = server.recvfrom(512)
            server.sendto(query[:2] + b"\x81\x83" + query[4:], sender)
    threading.Thread(target=answer, daemon=True).start()


# ---------------------------------------------------------------- elsewhere


def enter(netns):
    """The calling thread, and what it opens from now on."""
    with open("/run/netns/" + netns, "rb") as file:
        if ctypes.CDLL(None, use_errno=True).setns(file.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")


def forward_names(address, upstream, netns):
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind((address, 53))

    def forward():
        enter(netns)
        client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        while True:
            query, sender = server.recvfrom(512)
            client.sendto(query, (upstream, 53))
            server.sendto(client.recv(512), sender)
    threading.Thread(target=forward, daemon=True).start()


# ---------------------------------------------------------------- the proxy


def pump(source, target):
    try:
        while data := source.recv(4096):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def dial(netns, host, port):
    if netns:
        enter(netns)
    return socket.create_connection((host, port), 2)


def join(connection, server):
    threading.Thread(target=pump, args=(connection, server), daemon=True).start()
    pump(server, connection)


def serve_socks(connection, first, manner, netns):
    if len(first) < 3:
        first += connection.recv(3 - len(first))
    if manner == "ask":
        connection.sendall(b"\5\xff")
        return
    connection.sendall(b"\5\0")
    request = connection.recv(64)
    length = 4 if request[3] == 1 else 16
    host = socket.inet_ntop(socket.AF_INET if length == 4 else socket.AF_INET6,
                            request[4:4 + length])
    port = int.from_bytes(request[4 + length:6 + length], "big")
    if manner == "refuse":
        connection.sendall(b"\5\2\0\1\0\0\0\0\0\0")
        return
    server = dial(netns, host, port)
    connection.sendall(b"\5\0\0\1\0\0\0\0\0\0")
    join(connection, server)


def serve_http(connection, first, manner, netns):
    if manner != "open":
        status = b"403 Forbidden" if manner == "refuse" else b"407 Proxy Authentication Required"
        connection.sendall(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\n\r\n")
        return
    line, _, rest = first.partition(b"\r\n")
    found = re.match(rb"(\w+) (?:http://)?\[?([0-9a-f.:]+?)\]?:(\d+)(\S*) ", line)
    server = dial(netns, found[2].decode(), int(found[3]))
    if found[1] == b"CONNECT":
        connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
    else:
        server.sendall(found[1] + b" " + found[4] + b" HTTP/1.0\r\n" + rest)
    join(connection, server)


def proxy(manner, netns):
    def handle(connection):
        try:
            with connection:
                first = connection.recv(1024)
                is_socks = first[:1] == b"\5"
                (serve_socks if is_socks else serve_http)(connection, first, manner, netns)
        except (OSError, TypeError, IndexError):
            pass
    return handle


def main(words):
    if words[:1] == ["strangers"] and len(words) > 2:
        for port in map(int, words[2:]):
            start(words[1], port, greet(port))
        answer_names(words[1])
    elif words[:1] == ["proxy"] and len(words) > 2:
        start("127.0.0.1", int(words[2]), proxy(words[1], words[3] if len(words) > 3 else None))
    elif words[:1] == ["resolver"] and len(words) == 4:
        forward_names(*words[1:])
    else:
        sys.exit(__doc__.strip())
    print("ready", flush=True)
    time.sleep(60)
    os._exit(0)


main(sys.argv[1:])
