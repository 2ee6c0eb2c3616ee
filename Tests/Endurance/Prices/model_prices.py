"""Holds the catalogue's prices against genai-prices, on random usages.

    model_prices.py JUDGE CATALOGUE COUNT SEED

Each usage is of a model and a day of which both tables know a price; the two costs have to be equal. A
usage has only kinds of tokens that both tables price.
"""

import json
import random
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from decimal import Decimal

from genai_prices import Usage, calc_price

# What one of the two tables is known to be wrong or silent about, by model.
OTHERWISE = {
    # The first edition of its page had another price of cache reads, until that day.
    "claude-sonnet-5-5": ("2026-10-07", None),
}


def cost(model, day, usage):
    """The cost by genai-prices; None where it has no price."""
    try:
        priced = calc_price(
            Usage(
                input_tokens=usage["input"],
                cache_read_tokens=usage["read"],
                cache_write_tokens=usage["write"],
                output_tokens=usage["output"],
            ),
            model_ref=model["name"],
            provider_id=model["provider"],
            genai_request_timestamp=datetime.fromisoformat(day).replace(
                hour=12, tzinfo=timezone.utc
            ),
        )
    except LookupError:
        return None
    # A name that only looks like one that it knows is another model.
    names = {model["name"], *model.get("also", [])}
    return priced.total_price if priced.model.id in names else None


def usages(rows, count, seed):
    """Random usages, around the borders of bands too."""
    chance = random.Random(seed)
    for _ in range(count):
        row = chance.choice(rows)
        first = datetime.fromisoformat(row.get("from", "2026-01-01"))
        last = datetime.fromisoformat(row["until"]) if "until" in row else datetime(2026, 11, 10)
        days = max((last - first).days, 1)
        day = (first + timedelta(days=chance.randrange(days))).date().isoformat()
        borders = [band["aboveInputTokens"] for band in row.get("bands", [])]
        most = chance.choice([10, 1000, 100_000, 900_000])
        tokens = chance.randint(1, most)
        if borders and chance.random() < 0.5:
            tokens = chance.choice(borders) + chance.randint(-2, 2)
        tokens = min(tokens, row.get("maxInputTokens", tokens))
        prices = row["prices"]
        read = chance.randint(0, tokens) if "cacheRead" in prices else 0
        write = chance.randint(0, tokens - read) if "cacheWrite" in prices else 0
        yield row, {
            "provider": row["provider"],
            "name": row["name"],
            "day": day,
            "input": tokens,
            "output": chance.randint(0, 50_000),
            "read": read,
            "write": write,
        }


def main(judge, catalogue, count, seed):
    with open(catalogue, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    rows = [r for r in rows if r["type"] == "model" and r["kind"] == "chat" and r.get("prices")]
    asked = list(usages(rows, count, seed))
    text = "".join(json.dumps(usage) + "\n" for _, usage in asked)
    answers = subprocess.run([judge], input=text, capture_output=True, text=True, check=True)
    equal, unknown, failed, silent = 0, 0, 0, set()
    for (row, usage), ours in zip(asked, answers.stdout.splitlines(), strict=True):
        theirs = cost(row, usage["day"], usage)
        since, until = OTHERWISE.get(row["name"], (None, None))
        if theirs is None or (since and usage["day"] < since) or (until and usage["day"] >= until):
            unknown += 1
            silent.add(row["name"])
        elif ours != "null" and Decimal(ours) == Decimal(repr(float(theirs))):
            equal += 1
        else:
            failed += 1
            if failed <= 20:
                print(f"{json.dumps(usage)}: {ours} here, {theirs} there")
    print(f"{equal} equal, {unknown} of which genai-prices says nothing or another thing, {failed} differ")
    if silent:
        print("without a row there: " + ", ".join(sorted(silent)))
    print(f"{equal} passed, {failed} failed")
    return 1 if failed or not equal else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
