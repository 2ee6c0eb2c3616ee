"""A server of the Model Context Protocol over stdio, for tests: revision 2025-11-25, with a handshake.

usage: tool_server.py LIST [--log FILE] [--stubborn]

LIST is a JSON file: an array of tools, read anew for each `tools/list`, so that a test can change it.
The name of a tool says what a call does:

    echo*       returns the arguments as text and as structured content
    fail*       returns a result with isError
    env*        returns the environment as text, sorted
    text*       returns text without structured content
    hang*       never answers
    nap*        takes 30 ms
    anything    returns the text "ran NAME"

FILE gets a JSON line for the start, with the process id, and one for each call. A stubborn server stays when its
input ends and when it is told to end.
"""

import argparse
import json
import os
import signal
import sys
import time


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("list")
    parser.add_argument("--log")
    parser.add_argument("--stubborn", action="store_true")
    arguments = parser.parse_args()
    if arguments.stubborn:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)

    def log(**members):
        if arguments.log:
            with open(arguments.log, "a") as file:
                file.write(json.dumps(members, sort_keys=True) + "\n")

    def say(**members):
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **members}) + "\n")
        sys.stdout.flush()

    log(type="started", process=os.getpid(), parent=os.getppid())
    for line in sys.stdin:
        message = json.loads(line)
        method, number = message.get("method"), message.get("id")
        if number is None:
            continue
        if method == "initialize":
            result = {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "tool-server", "version": "1"},
            }
            say(id=number, result=result)
        elif method == "tools/list":
            log(type="listed")
            with open(arguments.list) as file:
                say(id=number, result={"tools": json.load(file)})
        elif method == "tools/call":
            name, given = message["params"]["name"], message["params"].get("arguments", {})
            log(type="called", name=name, arguments=given)
            if name.startswith("hang"):
                while True:
                    time.sleep(60)
            if name.startswith("nap"):
                time.sleep(0.03)
            say(id=number, result=result_of(name, given))
        else:
            say(id=number, error={"code": -32601, "message": "unknown method"})
    while arguments.stubborn:
        time.sleep(60)


def result_of(name, given):
    def text(words):
        return [{"type": "text", "text": words}]

    if name.startswith("echo"):
        return {"content": text(json.dumps(given, sort_keys=True)), "structuredContent": given}
    if name.startswith("fail"):
        return {"content": text("it broke\nbadly"), "isError": True}
    if name.startswith("env"):
        lines = sorted(f"{key}={value}" for key, value in os.environ.items())
        return {"content": text("\n".join(lines))}
    return {"content": text(f"ran {name}")}


main()
