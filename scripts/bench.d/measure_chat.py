"""What scripts/bench chat times: chat-log and chat-send beside llm and sqlite-utils, on the same turns.

usage: measure_chat.py SCRATCH TURNS RUNS FOLDER-OF-THE-TOOLS FOLDER-OF-THE-PEERS MODEL-SERVER
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


def timed(*command):
    """The seconds that a command takes, and what it wrote."""
    began = time.perf_counter()
    run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
    return time.perf_counter() - began, run.stdout


def middle(runs, *command):
    """The seconds of the middle one of some runs, and what the last one wrote."""
    results = [timed(*command) for _ in range(runs)]
    return statistics.median(seconds for seconds, _ in results), results[-1][1]


def fill_llm(peers, messages):
    """The database of llm with each prompt and its answer."""
    script = """
import json, pathlib, sys, llm.migrations, sqlite_utils
path = pathlib.Path(sys.argv[1])
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


def serve(server, scratch):
    """The port of a model server that answers every prompt in twenty pieces."""
    script = pathlib.Path(scratch) / "script.json"
    words = " ".join(f"piece {number} of what there is to say;" for number in range(20))
    script.write_text(json.dumps([{"times": 0, "chunks": 20, "text": words}]), encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, server, "--script", str(script), "--stay"], stdout=subprocess.PIPE)
    return process, json.loads(process.stdout.readline())["port"], words


def know_server(port):
    """Lets chat-send and llm ask that server, each by a configuration of its own kind."""
    os.environ["LOCAL_BASE_URL"] = f"http://127.0.0.1:{port}/v1"
    os.environ["LOCAL_API_KEY"] = "sk-bench"
    models = pathlib.Path(os.environ["LLM_USER_PATH"]) / "extra-openai-models.yaml"
    models.parent.mkdir(exist_ok=True)
    models.write_text(
        "- model_id: bench\n  model_name: bench\n  api_key_name: bench\n"
        f"  api_base: {os.environ['LOCAL_BASE_URL']}\n", encoding="utf-8")
    (models.parent / "keys.json").write_text('{"bench": "sk-bench"}', encoding="utf-8")


def compare_prompts(name, runs, send, llm, words):
    """One prompt in a pipe, its answer streamed and logged by both."""
    ours, told = middle(runs, send, "-n", "Say it.", "--model", "local/bench")
    judged, said = middle(min(runs, 3), llm, "-m", "bench", "Say it.")
    compare(name, ours, judged, "≥ 15 × llm")
    if json.loads(told)["text"] != words or said.decode().strip() != words:
        row("  NOT THE ANSWER", "")


def compare(name, ours, judged, aim):
    row(name, f"{ours * 1000:.1f}", f"{judged * 1000:.0f}", f"{judged / ours:.1f}", "", "", aim)


def row(name, *cells):
    print((f"{name:<34}" + "".join(f"{cell:>13}" for cell in cells[:-1]) + f"  {cells[-1]}").rstrip())


def main():
    scratch, count, runs, tools, peers, server = sys.argv[1:]
    count, runs = int(count), int(runs)
    tool, send, llm = f"{tools}/chat-log", f"{tools}/chat-send", f"{peers}/llm"
    plain_tool = f"{peers}/sqlite-utils"
    messages, database = f"{scratch}/messages.ndjson", f"{scratch}/plain.db"
    with open(messages, "w", encoding="utf-8") as file:
        for turn in turns(count):
            file.write(json.dumps(turn) + "\n")

    process, port, words = serve(server, scratch)
    know_server(port)
    row("ms", "ours", "llm", "× llm", "", "", "aim")
    started, _ = middle(runs, send, "--version")
    judged, _ = middle(min(runs, 3), llm, "--version")
    compare("chat-send --version", started, judged, "≥ 30 × llm")
    compare_prompts("a prompt in 20 pieces", runs, send, llm, words)
    pathlib.Path(os.environ["LLM_USER_PATH"], "logs.db").unlink()

    print()
    ours, _ = timed(tool, "import", messages)
    inserted, _ = timed(plain_tool, "insert", database, "messages", messages, "--nl", "--pk", "id")
    indexed, _ = timed(plain_tool, "enable-fts", database, "messages", "text")
    row("turns/s", "ours", "", "", "sqlite-utils", "× s-u", "aim")
    row("import, or insert and enable-fts", f"{count / ours:.0f}", "", "",
        f"{count / (inserted + indexed):.0f}", f"{(inserted + indexed) / ours:.2f}",
        "≥ 0.5 × sqlite-utils")
    fill_llm(peers, messages)

    print()
    row("search, ms", "ours", "llm", "× llm", "sqlite-utils", "× s-u", "aim")
    first = json.loads(open(messages, encoding="utf-8").readline())["text"].split()
    rare, common = RARE, max(first, key=first.count)
    for name, query in [
        ("one hit", rare), ("no hit", "zzyzx"), ("a word of most turns", common),
        ("two words", f"{first[0]} {first[1]}"), ("a phrase", f'"{first[0]} {first[1]}"'),
        ("a letter: all pieces opened", "x"),
    ]:
        seconds, found = middle(runs, tool, "search", query)
        judged, _ = middle(min(runs, 3), llm, "logs", "-q", query, "--json")
        plain, _ = middle(
            min(runs, 3), plain_tool, "search", database, "messages", query, "--limit", "50")
        row(f"  {name}", f"{seconds * 1000:.1f}", f"{judged * 1000:.0f}", f"{judged / seconds:.1f}",
            f"{plain * 1000:.0f}", f"{plain / seconds:.1f}", "≥ 15 × llm, ≥ 1 × sqlite-utils")
        if query == rare and found.count(b"\n") != 1:
            row("  NOT ONE HIT", "")

    print()
    row("ms, beside those turns", "ours", "llm", "× llm", "", "", "aim")
    compare_prompts("a prompt in 20 pieces", runs, send, llm, words)
    process.terminate()


if __name__ == "__main__":
    main()
