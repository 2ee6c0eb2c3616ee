"""The behaviours of the model server; model_server.py explains each field."""

import json

KEYS = {
    "when",
    "times",
    "latency",
    "holdFile",
    "holdAt",
    "drop",
    "text",
    "model",
    "stopReason",
    "reasoning",
    "calls",
    "usage",
    "noUsage",
    "outputUsageOnly",
    "usageTwice",
    "chunks",
    "splice",
    "pace",
    "newline",
    "multiline",
    "ping",
    "unknown",
    "duplicateStart",
    "cutAfter",
    "reset",
    "cleanCut",
    "midError",
    "stall",
    "status",
    "headers",
    "retryAfterOn200",
    "body",
    "contentType",
    "message",
    "errorType",
    "errorCode",
    "close",
}


class Script:
    """The behaviours left, in order."""

    def __init__(self, behaviours):
        self.left = [[behaviour, behaviour.get("times", 1)] for behaviour in behaviours]

    @classmethod
    def load(cls, path):
        with open(path, encoding="utf-8") as file:
            behaviours = json.load(file)
        if not isinstance(behaviours, list) or not all(isinstance(b, dict) for b in behaviours):
            raise ValueError("not an array of objects")
        for position, behaviour in enumerate(behaviours):
            if strange := set(behaviour) - KEYS:
                raise ValueError(f"behaviour {position}: unknown field '{sorted(strange)[0]}'")
        return cls(behaviours)

    def take(self, text):
        for position, entry in enumerate(self.left):
            behaviour, times = entry
            if behaviour.get("when", "") in text:
                if times == 1:
                    del self.left[position]
                elif times > 1:
                    entry[1] = times - 1
                return behaviour
        return {}
