"""Has a crowd use up what a hub has, while an honest client asks it; see crowd-hub.sh."""

import argparse
import random
import resource
import socket
import struct
import time

import hub as hubs
from crowd import Crowd, ask_honestly, settle
from web_socket import WebSocket, frame, handshake, logs, sent


def crowds(checks, hub, size):
    token = hub.token
    kinds = {
        "idle connections": lambda crowd: crowd.idle(1000),
        "slow heads": lambda crowd: crowd.slow_heads(size),
        "slow bodies": lambda crowd: crowd.slow_bodies(size // 5),
        "bodies of 10 MB": lambda crowd: crowd.large_bodies(4, token),
        "bodies of 10 MB without a token": lambda crowd: crowd.large_bodies(4, None),
        "bodies without an end": lambda crowd: crowd.endless_bodies(4),
    }
    descriptors = hub.descriptors
    for name, join in kinds.items():
        crowd = Crowd(hub)
        join(crowd)
        ask_honestly(checks, hub, name, 30)
        crowd.leave()
        settle(checks, hub, name, descriptors)
    crowd = Crowd(hub)
    for join in kinds.values():
        join(crowd)
    ask_honestly(checks, hub, "all at once")
    crowd.leave()
    settle(checks, hub, "all at once", descriptors)
    ask_honestly(checks, hub, "alone again", 30)


def large_posts(checks, hub):
    """Bodies of nearly 15 MB of events are taken, and their memory goes back to the system."""
    for number in range(6):
        sent(hub, logs(15_000, 900, first=15_000 * number))
    checks.check(hub.memory < 250 << 10, f"large posts left {hub.memory // 1024} MB")
    print(f"large posts: {hub.memory // 1024} MB are left")


def storm(checks, hub, sockets, rounds):
    """So many readers of the live stream go at once without a word, and come again."""
    descriptors, spent, memory = hub.descriptors, [], []
    for number in range(rounds):
        began, open_sockets = time.monotonic(), []
        pending = [hubs.open_socket(hub.port, handshake(hub)) for _ in range(sockets)]
        for connection in pending:
            is_open = connection.recv(4096).startswith(b"HTTP/1.1 101 ")
            if checks.check(is_open, f"storm {number}: a socket is not opened"):
                connection.sendall(frame(b'{"type":"subscribe"}'))
                open_sockets.append(connection)
        spent.append(time.monotonic() - began)
        hubs.wait_until("all read", lambda: hub.metric("subscribers") == len(open_sockets))
        memory.append(hub.memory)
        for connection in open_sockets:
            # A reset, as of a machine that went.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
    settle(checks, hub, "storm", descriptors)
    checks.check(hub.metric("subscribers") == 0, "subscribers are left over")
    checks.check(memory[-1] < memory[0] * 1.2 + 4096, f"memory grows: {memory}")
    print(
        f"{rounds} storms of {sockets}: open again in {max(spent):.1f} s at most, "
        f"{memory[0] // 1024} MB in the first, {memory[-1] // 1024} MB in the last")


def too_few_descriptors(checks):
    """A hub that may have 300 descriptors, the usual 64 of them at first, is asked by 1000 at once."""
    scratch = hubs.Scratch()
    hub = hubs.Hub(scratch, descriptors=300)
    hub.start()
    reader = WebSocket(hub)
    reader.subscribed()
    crowd = Crowd(hub)
    crowd.idle(1000)
    ask_honestly(checks, hub, "300 descriptors for 1000", 30)
    sent(hub, logs(1))
    checks.check(next(reader.records())["type"] == "log", "who reads is not let go of")
    crowd.leave()
    ask_honestly(checks, hub, "300 descriptors alone", 10)
    reader.close()
    hub.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, required=True)
    parser.add_argument("--storms", type=int, required=True)
    options = parser.parse_args()
    random.seed(1)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    checks, scratch = hubs.Checks(), hubs.Scratch()
    hub = hubs.Hub(scratch)
    hub.start()
    ask_honestly(checks, hub, "alone", 30)
    crowds(checks, hub, options.size)
    large_posts(checks, hub)
    storm(checks, hub, 1000, options.storms)
    too_few_descriptors(checks)
    checks.check(hub.process.poll() is None, "the hub ended")
    hub.stop()
    checks.end()


main()
