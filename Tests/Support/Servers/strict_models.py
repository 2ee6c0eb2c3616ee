"""The models of strict_server.py: the rows of a price table that are in force on a day, and models
that no table lists.

A model named `mystery-A-B` exists without a row. It refuses the parameters A and B and takes all
others; `mystery-plain` refuses nothing.
"""

import datetime
import json
import re
from dataclasses import dataclass
from urllib.parse import parse_qs

from strict_refusal import Refusal

DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
THINKING_TYPES = ("adaptive", "between_tools", "disabled", "enabled")
# The levels of models whose rows are silent about effort, by how their names begin: the vendors' pages.
PAGES = (
    ("claude-opus-4-5", ("low", "medium", "high")),
    ("gpt-5.", ("none", "low", "medium", "high")),
    ("gpt-5", ("minimal", "low", "medium", "high")),
)
LINES = ("haiku", "sonnet", "opus", "fable", "mythos")
STAGES = ("active", "deprecated", "retired")
# A client that reads only the first page misses models.
PAGE = 5
MYSTERY = {
    "efforts": EFFORTS,
    "kind": "chat",
    "maxInputTokens": 200000,
    "maxOutputTokens": 64000,
    "prices": {"cacheRead": 0.1, "cacheWrite": 1.25},
    "refusedParameters": [],
    "released": "2026-11-20",
    "status": "active",
}


def efforts_of(row):
    """The levels of effort of a row's model, none if the parameter itself is refused."""
    if "effort" in row["refusedParameters"]:
        return ()
    named = (levels for start, levels in PAGES if row.get("name", "").startswith(start))
    return row.get("efforts") or next(named, ())


@dataclass(frozen=True)
class Model:
    """A model, as far as requests and answers depend on it."""

    name: str
    provider: str
    row: dict
    unlisted: tuple = ()

    @property
    def is_mystery(self):
        """`true` if no row lists the model."""
        return self.row is MYSTERY

    @property
    def refused(self):
        """The parameters that the row refuses, in its words."""
        return self.row["refusedParameters"]

    @property
    def efforts(self):
        """The levels of effort, none if the parameter itself is refused."""
        return efforts_of(self.row)

    @property
    def default_effort(self):
        """The effort of a request that names none."""
        if self.provider == "anthropic":
            return self.row.get("defaultEffort", "high")
        return self.row.get("defaultEffort", "medium" if self.reasons else "none")

    @property
    def reasons(self):
        """`true` for a reasoning model of OpenAI: all of them refuse `max_tokens`."""
        return "max_tokens" in self.refused

    @property
    def binds_thinking(self):
        """`true` if thinking blocks are bound to the conversation before them."""
        return self.provider == "anthropic" and bool(re.search(r"-5-[125](?!\d)", self.name))

    @property
    def shows_thinking(self):
        """`true` if thinking is readable unless a request omits it."""
        return bool(re.search(r"-4-[56](?!\d)", self.name))

    @property
    def takes_system_turns(self):
        """`true` if system messages may come between the others."""
        return not re.search(r"-4-[567](?!\d)", self.name)

    @property
    def counts_reads(self):
        """`true` if reading the cache has a price, and a count in the usage."""
        return "cacheRead" in self.row["prices"]

    @property
    def counts_writes(self):
        """`true` if writing to the cache has a price, and a count in the usage."""
        return "cacheWrite" in self.row["prices"]

    @property
    def end(self):
        """The day on which the model retires, if it is known."""
        day = self.row.get("retires", "")
        return day if DAY.fullmatch(day) else None

    def stage(self, day):
        """The word of Anthropic's list for the stage of a model's life."""
        if self.row["status"] == "retired" or (self.end or "9999") <= day:
            return "retired"
        return "deprecated" if self.row["status"] == "deprecated" else "active"


class Catalog:
    """The models that answer on a day."""

    def __init__(self, rows, day):
        self.day = day
        self.models = {}
        for row in rows:
            if row["effectiveFrom"] <= day < row.get("effectiveUntil", "9999"):
                model = Model(row["name"], row["provider"], row)
                if self.models.setdefault((model.provider, model.name), model) is not model:
                    raise ValueError(f"two rows of '{model.name}' are in force on {day}")

    @classmethod
    def load(cls, path, day):
        """Reads the rows of an NDJSON file."""
        if not DAY.fullmatch(day):
            raise ValueError(f"'{day}' is no day")
        with open(path, encoding="utf-8") as file:
            return cls([json.loads(line) for line in file if line.strip()], day)

    def find(self, name, providers, kind=None):
        """The model of that name, of one kind or of any; an unknown or retired one is refused."""
        if name.startswith("mystery-"):
            words = tuple(word for word in name.split("-")[1:] if word != "plain")
            return Model(name, providers[0], MYSTERY, words)
        for provider in providers:
            model = self.models.get((provider, name))
            if not model or model.stage(self.day) == "retired":
                continue
            if kind in (None, model.row["kind"]):
                return model
        if providers[0] == "anthropic":
            raise Refusal(404, f"model: {name}")
        said = f"The model `{name}` does not exist or you do not have access to it."
        raise Refusal(404, said, code="model_not_found")

    def listed(self, providers, stages):
        """The models of some providers, the newest first."""
        found = [
            model
            for model in self.models.values()
            if model.provider in providers and model.stage(self.day) in stages
        ]
        found.sort(key=lambda model: model.name)
        return sorted(found, key=released, reverse=True)

    def anthropic_page(self, query):
        """One page of Anthropic's list of models."""
        asked = parse_qs(query)
        limit = asked.get("limit", ["20"])[0]
        if not limit.isdecimal() or not 1 <= int(limit) <= 1000:
            raise Refusal(400, "limit: Input should be between 1 and 1000")
        stages = asked.get("lifecycle", STAGES[:2])
        found = [self.anthropic(model) for model in self.listed(["anthropic"], stages)]
        if after := asked.get("after_id", [None])[0]:
            places = [place for place, entry in enumerate(found) if entry["id"] == after]
            if not places:
                raise Refusal(400, f"after_id: '{after}' is not in the list")
            found = found[places[0] + 1 :]
        size = min(int(limit), PAGE)
        page = found[:size]
        return {
            "data": page,
            "first_id": page[0]["id"] if page else None,
            "has_more": len(found) > size,
            "last_id": page[-1]["id"] if page else None,
        }

    def anthropic(self, model):
        """An entry of Anthropic's list."""
        stage, end = model.stage(self.day), model.end
        left = stage != "active" and end
        # The rows do not have the day of the notice, which comes at least 60 days before the end.
        notice = left and datetime.date.fromisoformat(end) - datetime.timedelta(days=60)
        words = model.name.removeprefix("claude-").split("-")
        version = ".".join(word for word in words if word.isdecimal() and len(word) < 8)
        names = " ".join(word.capitalize() for word in words if not word.isdecimal())
        return {
            "capabilities": capabilities(model),
            "created_at": midnight(released(model)),
            "deprecated_at": midnight(notice) if left else None,
            "display_name": f"Claude {names} {version}".strip(),
            "id": model.name,
            "lifecycle": stage,
            "line": next((word for word in words if word in LINES), None),
            "max_input_tokens": model.row.get("maxInputTokens"),
            "max_tokens": model.row.get("maxOutputTokens"),
            "retires_at": midnight(end) if left else None,
            "type": "model",
        }

    def openai_list(self, providers):
        """OpenAI's list of models, which has no pages."""
        found = self.listed(providers, STAGES[:2])
        return {"data": [self.openai(model) for model in found], "object": "list"}

    def openai(self, model):
        """An entry of OpenAI's list."""
        day = datetime.datetime.fromisoformat(f"{released(model)}T00:00:00+00:00")
        return {
            "created": int(day.timestamp()),
            "id": model.name,
            "object": "model",
            "owned_by": model.provider,
            "shutdown_date": model.end,
        }


def released(model):
    return model.row.get("released") or model.row["effectiveFrom"]


def midnight(day):
    return f"{day}T00:00:00Z"


def capabilities(model):
    """The capabilities that Anthropic's list tells of a model."""

    def supported(value):
        return {"supported": bool(value)}

    # The list has no flag for sampling: a model without `enabled` refuses the temperature too.
    refused = set(model.refused) | {f"thinking.{word}" for word in model.unlisted}
    if "temperature" in model.unlisted:
        refused.add("thinking.enabled")
    types = {name: supported(f"thinking.{name}" not in refused) for name in THINKING_TYPES}
    efforts = () if "effort" in model.unlisted else model.efforts
    plain = ("batch", "citations", "code_execution", "image_input", "pdf_input")
    return {
        **{name: supported(True) for name in (*plain, "structured_outputs")},
        "context_management": supported(True),
        "effort": supported(efforts) | {name: supported(name in efforts) for name in EFFORTS[2:]},
        "server_tools": supported(True)
        | {name: supported(True) for name in ("code_execution", "web_search")},
        "thinking": supported(True) | {"types": types},
    }
