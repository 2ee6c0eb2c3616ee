"""A switch between network interfaces, which delays each frame: a wire of the given length for kernels without netem.

    switch.py MILLISECONDS INTERFACE...

It writes a line to stdout once it forwards frames, and ends with the process that started it.
"""

import collections
import select
import socket
import sys
import time

SOL_PACKET, PACKET_VNET_HDR, PACKET_IGNORE_OUTGOING, ETH_P_ALL = 263, 15, 23, 3
SO_RCVBUFFORCE = 33
# The header with which the kernel passes on large frames and unfinished checksums (linux/virtio_net.h).
HEADER = 10
LARGEST = HEADER + 14 + (1 << 16)
BUFFER = 8 << 20


def port(interface):
    """Opens an interface for all frames that arrive there."""
    opened = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    opened.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
    opened.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
    opened.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, BUFFER)
    opened.bind((interface, 0))
    opened.setblocking(False)
    return opened


def forward(delay, ports):
    # Frames in the order in which they are due: the delay is the same for all.
    waiting, places = collections.deque(), {}
    while True:
        timeout = max(0, waiting[0][0] - time.monotonic()) if waiting else None
        readable, _, _ = select.select(ports, [], [], timeout)
        now = time.monotonic()
        for source in readable:
            frame = received(source)
            if len(frame) < HEADER + 14:
                continue
            target, sender = frame[HEADER:HEADER + 6], frame[HEADER + 6:HEADER + 12]
            places[sender] = source
            known = None if target[0] & 1 else places.get(target)
            targets = [known] if known else [other for other in ports if other is not source]
            waiting.append((now + delay, frame, targets))
        while waiting and waiting[0][0] <= now:
            _, frame, targets = waiting.popleft()
            for target in targets:
                sent(target, frame)


def received(source):
    try:
        return source.recv(LARGEST)
    except OSError:
        # The interface is down.
        return b""


def sent(target, frame):
    try:
        target.send(frame)
    except OSError:
        # As with any wire: what cannot be sent is lost, and is the sender's to repeat.
        pass


def main():
    ports = [port(interface) for interface in sys.argv[2:]]
    print("ready", flush=True)
    forward(float(sys.argv[1]) / 1000, ports)


main()
