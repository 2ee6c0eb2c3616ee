"""What scripts/bench tools times: tool-call beside the client of the mcp package and mcp2cli, at the same server.

usage: measure_tools.py SCRATCH CALLS RUNS FOLDER-OF-THE-TOOLS SERVER MCP2CLI
"""

import json
import pathlib
import statistics
import subprocess
import sys
import time

CLIENT = """
import asyncio, json, sys
from mcp import Client, StdioServerParameters

async def main():
    async with Client(StdioServerParameters(command=sys.argv[1])) as client:
        for line in sys.stdin:
            call = json.loads(line)
            result = await client.call_tool(call["name"], call["arguments"])
            print(result.model_dump_json(by_alias=True, exclude_none=True), flush=True)

asyncio.run(main())
"""


def timed(command, source):
    """The seconds that a command takes for the lines of a file, and the lines that it wrote."""
    with open(source, "rb") as stdin:
        began = time.perf_counter()
        run = subprocess.run(
            command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        return time.perf_counter() - began, run.stdout.splitlines()


def middle(runs, command, source="/dev/null"):
    results = [timed(command, source) for _ in range(runs)]
    return statistics.median(seconds for seconds, _ in results), results[-1][1]


def compare(name, ours, judged, aim):
    print(f"{name:<46}{ours * 1000:>10.1f}{judged * 1000:>10.1f}{judged / ours:>10.2f}  {aim}")


def check(lines, count, key):
    """Tells it if not every call had an answer with a time."""
    answers = [json.loads(line) for line in lines]
    if len(answers) != count or not all("datetime" in json.dumps(answer[key]) for answer in answers):
        print(f"  {len(answers)} OF {count} ANSWERS, OR OTHERS")


def main():
    scratch, calls, runs, tools, server, rival = sys.argv[1:]
    calls, runs = int(calls), int(runs)
    tool = f"{tools}/tool-call"
    many, one = f"{scratch}/calls.ndjson", f"{scratch}/call.ndjson"
    lines = [
        json.dumps({
            "type": "toolCall", "id": str(number), "name": "get_current_time", "source": "mcp:time",
            "arguments": {"timezone": "Europe/Berlin"}}) + "\n"
        for number in range(calls)]
    pathlib.Path(many).write_text("".join(lines), encoding="utf-8")
    pathlib.Path(one).write_text(lines[0], encoding="utf-8")
    subprocess.run([tool, "add", "time", "--", server], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([tool, "list"], check=True, stdout=subprocess.DEVNULL)

    ours = [tool, "--allow", "mcp:time/*", "-"]
    client = [sys.executable, "-c", CLIENT, server]
    print(f"{'ms':<46}{'ours':>10}{'theirs':>10}{'ratio':>10}  aim")
    seconds, answers = middle(runs, ours, many)
    check(answers, calls, "content")
    judged, answers = middle(runs, client, many)
    check(answers, calls, "content")
    compare(f"{calls} calls through one tool-call -, mcp", seconds, judged, "≥ 1")
    first, _ = middle(runs, ours, one)
    theirs, _ = middle(runs, client, one)
    compare("one call, mcp", first, theirs, "")
    if calls > 1:
        compare("a further call, mcp", (seconds - first) / (calls - 1), (judged - theirs) / (calls - 1), "")

    # One process a call is how mcp2cli makes a call; with --session, another process holds the server.
    share = max(1, calls // 10)
    command = ["--json", "get-current-time", "--timezone", "Europe/Berlin"]
    session = subprocess.Popen(
        [rival, "--mcp-stdio", server, "--session-start", "bench"], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL)
    session.wait(60)
    try:
        for name, where in [
            ("mcp2cli", ["--mcp-stdio", server]), ("mcp2cli --session", ["--session", "bench"]),
        ]:
            began = time.perf_counter()
            for _ in range(share):
                _, written = timed([rival, *where, *command], "/dev/null")
            judged = (time.perf_counter() - began) * calls / share
            if b"datetime" not in b"".join(written):
                print(f"  NOT AN ANSWER OF {name}")
            compare(f"{calls} calls, {name}", seconds, judged, "≥ 10")
    finally:
        subprocess.run([rival, "--session-stop", "bench"], stdout=subprocess.DEVNULL, check=False)

    listed, written = middle(40, [tool, "list"])
    keys, _ = middle(40, [f"{tools}/key-store", "list"])
    compare("tool-call list (stored), key-store list", listed, keys, "≥ 1")
    if len(written) != 2:
        print("  NOT THE SERVER'S TOOLS")


if __name__ == "__main__":
    main()
