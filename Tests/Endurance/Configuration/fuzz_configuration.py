"""Holds our reader of TOML against Python's tomllib, on mutated documents.

Some documents are configurations with misspelled settings, each of which a tool reports once, with the
nearest known one. Run by Tests/Endurance/fuzz-configuration.sh. Exits 1 at the first document on which they
differ, on which the reader names no line, whose settings are reported otherwise, or after which a program
ended by a signal.
"""

import argparse
import json
import math
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import time
import tomllib

BATCH = 1000

SEEDS = [
    # Every setting.
    b"""# The configuration.
model = "claude-sonnet-4-6"
key_command = ["false", "show", "agents/{name}"]
confirm_command = ["false"]

[roles.qaReviewer]
model = "local/reviewer"
temperature = 0.2
system = "Review as a lawyer would."

[models.reviewer]
provider = "local"
endpoint = "http://localhost:11434/v1"
inputPricePerMillion = 0
outputPricePerMillion = 1.5e-1
contextTokens = 8_000

[limits]
controls_per_minute = 30
terminations_per_minute = 10

[terminal]
input = "never"
confirm = "always"

[agents.linter]
host = "build@box"
session = "agent-7"

[hub.ci]
url = "http://build:7878"

[serve]
listen = "0.0.0.0:7878"
public_url = "http://build:7878"
gate_url = "https://example.org/gates/{id}"
keep_days = 30
otlp_content = false
""",
    # Every form of a value.
    b"""i = [0, -1, +2, 1_000, 0xDEAD_beef, 0o755, 0b1101, 9223372036854775807]
f = [1.0, -0.5, 5e+22, 1e06, 6.626e-34, 1_0.0_1, inf, -inf, nan, +nan]
d = [1979-05-27T07:32:00Z, 1979-05-27 00:32:00.999999-07:00, 1979-05-27, 07:32:00, 2024-02-29]
s = ["", "a\\tb\\u00e9\\U0001F600\\"", '', 'a\\b']
m = [\"\"\"
one \\
   two "" three\"\"\"\"\", '''
a'b''c'''', '''''', \"\"\"\"\"\"]
b = [true, false, [], [[1], ["x",],], {}, {a = 1, b.c = {d = [1,
2]}}] # end
""",
    # Every form of a table.
    """a.b.c = 1
a.b."d e".'f' = 2
"" = 3
"ʎǝʞ" = "é"
é = 0
[t]
x.y = 1
[t.u.v]
w = 1
[t.u]
[ t . "z" ]
[[l]]
a = 1
[l.m]
b = 2
[[l.n]]
[[l.n]]
[[l]]
[[p.q]]
r.s = 1
""".encode(),
    b"[a.b]\nc = 1\n[a]\nd = 2\n[a.b.e.f]\n[a.b.e]\ng.h.i = 1\ng.h.j = 2\n[[k]]\n[k.l]\n",
    b"a.b = 1\na.c.d = 2\n[e]\na.b = 1\n[e.f]\na.b = 1\n[[e.g]]\na.b = 1\n",
]
PIECES = [
    b"[", b"]", b"[[", b"]]", b"{", b"}", b"=", b".", b",", b"#", b'"', b"'", b'"""', b"'''", b"\\",
    b"\r", b"\n", b"\r\n", b"\t", b" ", b"\0", b"\x7f", b"\x1b", b"\xff", b"\xc3", b"\xef\xbb\xbf",
    "é".encode(), "e\u0301".encode(), b"\\u0041", b"\\U00110000", b"\\ud800", b"_", b"-", b"+", b"0",
    b"1", b"9", b"0x", b"0o7", b"0b1", b"e", b"E5", b".5", b"inf", b"nan", b"true", b"false", b"T", b"Z",
    b":", b"1979-05-27", b"07:32:00", b"2023-02-29", b"+24:00", b"99999999999999999999", b"a", b"b",
    b"a.b", b"[a]", b"[a.b]", b"[[a]]", b"a = 1\n", b"a.b = 1\n", b"[a]\n", b"[[a]]\n", b"[a.b]\n",
    b"[e.f]\n", b"{a = 1}", b"[1,\n2]", b"model = ", b"[" * 70, b"a." * 70 + b"a = 1\n",
]

# Numbers at the limits of their types, and what only resembles one.
NUMBERS = [
    b"0x7fffffffffffffff", b"0x8000000000000000", b"-0x1", b"0X10", b"0x", b"0xG", b"0o18", b"0b2",
    b"1e308", b"-1e308", b"1e309", b"5e-324", b"1e-400", b"0e0", b"1e999999999", b"0x1p3", b"9" * 400,
    b"9223372036854775808", b"-9223372036854775808", b"-0", b"-0.0", b"1__0", b"01", b"nan", b"-inf",
]
# Settings by table; a tool reads a configuration without any of them, too.
SETTINGS = {
    "": [("model", '"extractive"'), ("key_command", '["false"]'), ("confirm_command", '["false"]')],
    "limits": [("controls_per_minute", "0x1E"), ("terminations_per_minute", "10")],
    "terminal": [("input", '"never"'), ("confirm", '"always"')],
    "serve": [("listen", '"127.0.0.1:1"'), ("public_url", '"http://a"'), ("keep_days", "0o17")],
    "roles.ceo": [("temperature", "1"), ("effort", '"low"'), ("system", '"Be brief."')],
    "models.mine": [("contextTokens", "8_000"), ("inputPricePerMillion", "1e-308")],
}


def misspelled(choose):
    """A configuration, and what a tool reports of it: the line, the misspelled setting, the known one."""
    lines, reports = [], []

    def wrong(word):
        place = choose.randrange(len(word))
        return word[:place] + "q" + word[place + choose.randint(0, 1) :]

    for table, settings in SETTINGS.items():
        shown = table
        if table and "." not in table and choose.random() < 0.2:
            shown = wrong(table)
            reports.append((len(lines) + 1, shown, table))
        if table:
            lines.append(f"[{shown}]")
        if table == "models.mine":
            lines += ['provider = "local"', 'endpoint = "http://127.0.0.1:9/v1"']
        for name, value in choose.sample(settings, choose.randint(0, len(settings))):
            word = name if choose.random() < 0.6 else wrong(name)
            # Of a table that is not known the settings are not read.
            if word != name and shown == table:
                prefix = table and table + "."
                reports.append((len(lines) + 1, prefix + word, prefix + name))
            lines.append(f"{word} = {value}")
    return "\n".join(lines).encode(), reports


def tables(choose):
    """Headers and keys of few names, so that they meet."""

    def key():
        return ".".join(choose.choice("ab") for _ in range(choose.choice([1, 1, 2, 2, 3])))

    def line():
        match choose.randint(0, 5):
            case 0 | 1:
                return f"[{key()}]"
            case 2:
                return f"[[{key()}]]"
            case 3 | 4:
                return f"{key()} = 1"
            case 5:
                return f"{key()} = {choose.choice(['{}', '[]', '[{}]', '{a = 1}', '{a.b = 1, a.a = 2}'])}"

    return "\n".join(line() for _ in range(choose.randint(2, 7))).encode()


def number_changed(choose, document):
    """The document with another number in place of one."""
    found = list(re.finditer(rb"(?<![\w.+-])[+-]?\d[\w.+-]*", document))
    if not found:
        return document
    match = choose.choice(found)
    return document[: match.start()] + choose.choice(NUMBERS) + document[match.end() :]


def mutated(choose):
    if choose.random() < 0.3:
        return tables(choose)
    document = bytearray(choose.choice(SEEDS))
    if choose.random() < 0.3:
        lines = document.splitlines(keepends=True)
        document = bytearray(b"".join(choose.sample(lines, choose.randint(1, len(lines)))))
    for _ in range(choose.choice([0, 1, 1, 1, 2, 3, 5, 8])):
        place = choose.randint(0, len(document))
        end = min(len(document), place + choose.choice([1, 1, 2, 4, 16]))
        match choose.randint(0, 8):
            case 8:
                document = bytearray(number_changed(choose, bytes(document)))
            case 0:
                document[place:end] = b""
            case 1 | 2 | 3:
                document[place:place] = choose.choice(PIECES)
            case 4:
                document[place:end] = choose.choice(PIECES)
            case 5:
                document[place:place] = document[place:end]
            case 6:
                document[place:end] = bytes([choose.randint(0, 255)])
            case 7:
                other = choose.choice(SEEDS)
                start = choose.randint(0, len(other))
                document[place:end] = other[start : start + choose.randint(1, 40)]
    if choose.random() < 0.05:
        document = document.replace(b"\n", choose.choice([b"\r\n", b"\r", b"\n\n"]))
    if choose.random() < 0.05:
        del document[choose.randint(0, len(document)) :]
    return bytes(document)


def expected(document):
    """What tomllib makes of the document; None when it is none."""
    try:
        # TOML 1.0 says nothing of a byte order mark, which editors write.
        text = document.decode().removeprefix("\ufeff")
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def holds_large(value):
    """Whether there is a number that does not fit in 64 bits, which tomllib takes."""
    if isinstance(value, dict):
        return any(map(holds_large, value.values()))
    if isinstance(value, list):
        return any(map(holds_large, value))
    return type(value) is int and not -(2**63) <= value < 2**63


def same(told, value):
    kind, content = told
    match kind:
        case "string":
            return type(value) is str and content == value
        case "integer":
            return type(value) is int and content == str(value)
        case "boolean":
            return type(value) is bool and content == value
        case "float":
            if type(value) is not float or math.isnan(value):
                return type(value) is float and content == "nan"
            return int(content, 16) == struct.unpack("<Q", struct.pack("<d", value))[0]
        case "instant":
            return tomllib.loads("a = " + content)["a"] == value
        case "array":
            return (
                type(value) is list
                and len(content) == len(value)
                and all(map(same, content, value))
            )
        case "table":
            names = [name for name, _ in content]
            return (
                type(value) is dict
                and len(set(names)) == len(names) == len(value)
                and all(name in value and same(item, value[name]) for name, item in content)
            )
    return False


def fault(document, verdict):
    """What is wrong with a verdict; None when nothing is."""
    value = expected(document)
    if "value" in verdict:
        if value is None:
            return "read, though tomllib refuses it"
        if not same(verdict["value"], value):
            return f"read as something else than {value}"
        if verdict["setting"] and verdict["code"] != "BadConfiguration":
            return "its settings are refused with another code"
        return None
    if not 1 <= verdict["line"] <= document.count(b"\n") + 1:
        return "the fault is in no line"
    if value is None or "64 deep" in verdict["reason"] or "64 names" in verdict["reason"]:
        return None
    if "does not fit" in verdict["reason"] and holds_large(value):
        return None
    return "refused, though tomllib reads it"


class Tool:
    """A real tool that reads the document as its configuration."""

    def __init__(self, folder, program):
        self.program = program
        self.file = os.path.join(folder, "config", "config.toml")
        os.mkdir(os.path.dirname(self.file), 0o700)
        self.environment = {"AGENTPIPES_HOME": folder, "HOME": folder, "PATH": "/nonexistent"}
        # With a store, no key is asked of a 'key_command', which cannot be run here.
        self.run(b"")

    def run(self, document):
        with open(self.file, "wb") as file:
            file.write(document)
        os.chmod(self.file, 0o600)
        command = [self.program, "--json", "--model", "extractive", "Compare them"]
        return subprocess.run(
            command, env=self.environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=600
        )

    def misreported(self, document, reports):
        """What is wrong with the reports of misspelled settings; None when nothing is."""
        run = self.run(document)
        expected = sorted(
            f"ceo-plan: {self.file}:{line}: unknown setting '{word}': did you mean '{known}'?"
            for line, word, known in reports
        )
        told = sorted(run.stderr.decode().splitlines())
        if run.returncode != 0 or told != expected:
            return f"ceo-plan ended with {run.returncode} and reported {told}, not {expected}"
        return None

    def fault(self, document, verdict):
        run = self.run(document)
        if "value" in verdict and not verdict["setting"]:
            return None if run.returncode == 0 else f"ceo-plan ended with {run.returncode}"
        if run.returncode != 78:
            return f"ceo-plan ended with {run.returncode}, not with 78"
        place = json.loads(run.stdout.splitlines()[-1]).get("input", "")
        line = place.removeprefix(self.file + ":")
        if not line.isdigit() or not 1 <= int(line) <= document.count(b"\n") + 1:
            return f"ceo-plan names no line, but '{place}'"
        return None


def judged(judge, documents):
    """The verdicts, as many as there are before the judge ended, and how it ended."""
    frames = b"".join(b"%d\n%s" % (len(document), document) for document in documents)
    run = subprocess.run([judge], input=frames, capture_output=True, timeout=900)
    return [json.loads(line) for line in run.stdout.splitlines()], run.returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--seed", type=int, required=True)
    options = parser.parse_args()
    choose = random.Random(options.seed)
    end = time.monotonic() + options.seconds
    counts = {"documents": 0, "valid": 0, "by the tool": 0, "misspelled settings": 0}
    with tempfile.TemporaryDirectory() as folder:
        tool = Tool(folder, os.path.join(options.bin, "ceo-plan"))
        while time.monotonic() < end:
            documents = [mutated(choose) for _ in range(BATCH)]
            verdicts, status = judged(os.path.join(options.bin, "configuration-judge"), documents)
            found = None
            if status != 0 or len(verdicts) != len(documents):
                found = documents[len(verdicts)], f"the judge ended with {status}"
            for document, verdict in zip(documents, verdicts):
                counts["valid"] += "value" in verdict
                if found is None and (problem := fault(document, verdict)):
                    found = document, f"{problem}: {verdict}"
            for index in choose.sample(range(len(verdicts)), min(8, len(verdicts))):
                counts["by the tool"] += 1
                problem = tool.fault(documents[index], verdicts[index])
                if found is None and problem:
                    found = documents[index], problem
            document, reports = misspelled(choose)
            counts["misspelled settings"] += len(reports)
            problem = tool.misreported(document, reports)
            if found is None and problem:
                found = document, problem
            counts["documents"] += len(documents)
            if found:
                print(f"seed {options.seed}, before document {counts['documents']}: {found[1]}")
                print(repr(found[0]))
                return 1
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
