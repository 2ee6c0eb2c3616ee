"""What scripts/bench chat times: chat-log beside llm and sqlite-utils, on the same turns.

usage: measure_chat.py SCRATCH TURNS RUNS CHAT-LOG FOLDER-OF-THE-PEERS
"""

import datetime
import itertools
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import time
import uuid

RARE = "quicksilver"


def turns(count):
    """Chats of a hundred turns: words by Zipf's law, about 600 bytes each; one holds a rare word."""
    source = random.Random(7)
    words = list(dict.fromkeys(
        "".join(source.choice("bcdfghjklmnprstvw") + source.choice("aeiou")
                for _ in range(source.randint(1, 4)))
        for _ in range(20000)))
    weights = list(itertools.accumulate(1 / (place + 1) for place in range(len(words))))
    start = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
    chat = ""
    for number in range(count):
        if number % 100 == 0:
            chat = str(uuid.UUID(int=source.getrandbits(128), version=4))
        text = " ".join(source.choices(words, cum_weights=weights, k=150))[:600]
        if number == count // 3:
            text = f"{text[:580]} {RARE}"
        at = (start + datetime.timedelta(seconds=number)).isoformat(timespec="milliseconds")
        yield {
            "type": "message", "id": str(uuid.UUID(int=source.getrandbits(128), version=4)),
            "chatId": chat, "role": "assistant" if number % 2 else "user", "text": text,
            "createdAt": at.replace("+00:00", "Z"),
        }


def timed(*command, **streams):
    """The seconds that a command takes, and what it wrote."""
    began = time.perf_counter()
    run = subprocess.run(command, stdout=subprocess.PIPE, check=True, **streams)
    return time.perf_counter() - began, run.stdout


def middle(runs, *command):
    """The seconds of the middle one of some runs, and what the last one wrote."""
    results = [timed(*command) for _ in range(runs)]
    return statistics.median(seconds for seconds, _ in results), results[-1][1]


def fill_llm(peers, messages):
    """The database of llm with each prompt and its answer."""
    script = """
import json, pathlib, sys, llm.migrations, sqlite_utils
path = pathlib.Path(sys.argv[1]); path.parent.mkdir()
db = sqlite_utils.Database(path)
llm.migrations.migrate(db)
prompt = None
with db.conn:
    for line in open(sys.argv[2]):
        turn = json.loads(line)
        if turn["role"] == "user":
            prompt = turn
            continue
        db.conn.execute("insert or ignore into conversations (id, name, model) values (?, ?, ?)",
            (turn["chatId"], "Chat", "model"))
        db.conn.execute("insert into responses (id, model, prompt, response, conversation_id,"
            " duration_ms, datetime_utc) values (?, ?, ?, ?, ?, ?, ?)",
            (turn["id"], "model", prompt["text"], turn["text"], turn["chatId"], 1000,
             prompt["createdAt"].replace("Z", "+00:00")))
"""
    database = pathlib.Path(os.environ["LLM_USER_PATH"]) / "logs.db"
    subprocess.run([f"{peers}/python", "-c", script, str(database), messages], check=True)


def row(name, *cells):
    print(f"{name:<36}" + "".join(f"{cell:>14}" for cell in cells[:-1]) + f"  {cells[-1]}")


def main():
    scratch, count, runs, tool, peers = sys.argv[1:]
    count, runs = int(count), int(runs)
    messages, database = f"{scratch}/messages.ndjson", f"{scratch}/plain.db"
    with open(messages, "w", encoding="utf-8") as file:
        for turn in turns(count):
            file.write(json.dumps(turn) + "\n")
    ours, _ = timed(tool, "import", messages)
    inserted, _ = timed(
        f"{peers}/sqlite-utils", "insert", database, "messages", messages, "--nl", "--pk", "id")
    indexed, _ = timed(f"{peers}/sqlite-utils", "enable-fts", database, "messages", "text")
    row("import", "turns/s", "peer", "× peer", "aim")
    row("  beside insert --nl and enable-fts", f"{count / ours:.0f}",
        f"{count / (inserted + indexed):.0f}", f"{(inserted + indexed) / ours:.2f}", "≥ 0.5")
    fill_llm(peers, messages)
    print()
    row("search, ms", "ours", "llm", "× llm", "sqlite-utils", "aim")
    first = json.loads(open(messages, encoding="utf-8").readline())["text"].split()
    rare, common = RARE, max(first, key=first.count)
    for name, query in [
        ("one hit", rare), ("no hit", "zzyzx"), ("a word of most turns", common),
        ("two words", f"{first[0]} {first[1]}"), ("a phrase", f'"{first[0]} {first[1]}"'),
        ("a letter that opens everything", "x"),
    ]:
        seconds, found = middle(runs, tool, "search", query)
        judged, _ = middle(min(runs, 3), f"{peers}/llm", "logs", "-q", query, "--json")
        plain, _ = middle(
            min(runs, 3), f"{peers}/sqlite-utils", "search", database, "messages", query, "--limit",
            "50")
        row(f"  {name}", f"{seconds * 1000:.1f}", f"{judged * 1000:.0f}", f"{judged / seconds:.0f}",
            f"{plain * 1000:.0f}", "≥ 15 × llm, no slower than sqlite-utils")
        if query == rare and found.count(b"\n") != 1:
            row("  NOT ONE HIT", "")
    print()
    started, _ = middle(runs, tool, "--version")
    judged, _ = middle(min(runs, 3), f"{peers}/llm", "--version")
    row("--version, ms", f"{started * 1000:.1f}", f"{judged * 1000:.0f}",
        f"{judged / started:.0f}", "", "≥ 30 × llm")


if __name__ == "__main__":
    main()
