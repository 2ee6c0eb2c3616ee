#!/usr/bin/env python3
"""An SSH server that is not OpenSSH's, on 127.0.0.1, for tests: asyncssh, which must be installed.

    ssh_server.py --log FILE --keys FILE

It lets in whoever owns a key of FILE, in the form of authorized_keys(5), runs commands as this user, on a
terminal where one is asked for, and connects to other hosts. Its own key, of Ed25519, is new each time.

Ready line   one JSON line `{"port":N}` on stdout, flushed, once connections are accepted.
End          when stdin ends.
Log          nothing is written to it.
"""

import argparse
import asyncio
import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios

import asyncssh


def take_terminal():
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Guest(asyncssh.SSHServer):
    def connection_requested(self, *_):
        return True


async def run(process):
    name = process.get_terminal_type()
    if name is None:
        child = await asyncio.create_subprocess_shell(
            process.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        # The end of one of the two would end both on the channel: nothing could follow.
        await process.redirect(
            stdin=child.stdin, stdout=child.stdout, stderr=child.stderr, send_eof=False)
        status = await child.wait()
        # What it wrote last may not have been passed on yet.
        for stream in (process.stdout, process.stderr):
            await asyncio.wait_for(stream.drain(), 10)
        process.exit(status)
        return
    columns, lines, _, _ = process.get_terminal_size()
    ours, theirs = pty.openpty()
    fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    child = await asyncio.create_subprocess_shell(
        process.command, stdin=theirs, stdout=theirs, stderr=theirs, preexec_fn=take_terminal,
        env={**os.environ, "TERM": name})
    os.close(theirs)
    await process.redirect(stdin=os.dup(ours), stdout=ours)
    process.exit(await child.wait())


async def serve(arguments):
    server = await asyncssh.listen(
        "127.0.0.1", 0, server_host_keys=[asyncssh.generate_private_key("ssh-ed25519")],
        authorized_client_keys=arguments.keys, server_factory=Guest,
        process_factory=run, encoding=None)
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    loop.add_reader(0, lambda: os.read(0, 4096) or ended.set())
    await ended.wait()
    server.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--log")
    parser.add_argument("--keys")
    arguments = parser.parse_args()
    if not arguments.keys:
        sys.exit("ssh_server.py: --keys is missing")
    asyncio.run(serve(arguments))


main()
