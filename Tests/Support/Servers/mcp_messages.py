"""Validates the messages that a client sent, a JSON text a line, against the schema of a revision.

    mcp_messages.py SCHEMA.json FILE
"""
import json
import sys

from jsonschema import Draft7Validator, Draft202012Validator


def definition(message):
    method = message.get("method")
    if method is None:
        return "ElicitResult" if "action" in message.get("result", {}) else None
    return {
        "initialize": "InitializeRequest", "notifications/initialized": "InitializedNotification",
        "notifications/cancelled": "CancelledNotification", "server/discover": "DiscoverRequest",
        "tools/call": "CallToolRequest", "tools/list": "ListToolsRequest",
    }[method]


def main():
    schema = json.load(open(sys.argv[1]))
    place = "$defs" if "$defs" in schema else "definitions"
    kind = Draft202012Validator if place == "$defs" else Draft7Validator
    seen = set()
    for line in open(sys.argv[2]):
        message = json.loads(line)
        name = definition(message)
        part = message.get("result") if name == "ElicitResult" else message
        names = [name] if name in schema[place] else []
        if "method" not in message and not names:
            part = message
            replies = ("JSONRPCResponse", "JSONRPCResultResponse", "JSONRPCErrorResponse", "JSONRPCError")
            names = [name for name in replies if name in schema[place]]
        if not names and message.get("method") == "server/discover":
            # The probe is of the revision that has it.
            continue
        faults = []
        for name in names:
            validator = kind({place: schema[place], "$ref": f"#/{place}/{name}"})
            faults = [error.message for error in validator.iter_errors(part)]
            if not faults:
                break
        if faults or not names:
            print(f"{name}: {faults}: {line}")
        seen.add(message.get("method", "a reply"))
    print(" ".join(sorted(seen)))


if __name__ == "__main__":
    main()
